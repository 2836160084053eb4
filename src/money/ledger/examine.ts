import { parseJson } from '../../base/json/parse.ts'
import type { Address } from '../../postgres/address.ts'
import { Connection } from '../../postgres/connection.ts'
import { checkRelations, explainDamage, requireFormat } from './channel.ts'
import type { Found } from './import.ts'
import { COUNT_RELATIONS, LEDGER, NOW } from './schema.ts'
import { lookStatement } from './statements.ts'

/** The state of a ledger. */
export interface LedgerState {
  /** How far, in milliseconds, the database's clock is ahead of this machine's. Negative if it is behind. */
  readonly aheadMs: number
  /** Whether the database is read-only, for example because it is a replica. */
  readonly isReadOnly: boolean
  /** Whether the user has the privilege to create the tables. */
  readonly mayCreate: boolean
  /** Whether the user has the privileges to read and change the tables. `null` if the tables do not exist yet. */
  readonly mayUse: boolean | null
  /** The format of the tables and the IDs of the open operations. `null` unless `mayUse` is true. */
  readonly content: { readonly format: number; readonly open: readonly string[] } | null
}

type Access = Omit<LedgerState, 'aheadMs' | 'content'> & { readonly now: number; readonly relations: number }

/**
 * The query for the user's privileges. It reads only the system catalogs, so it does not fail if a privilege is
 * missing.
 */
const ACCESS = `SELECT json_build_object('now', ${NOW}, 'isReadOnly', current_setting('transaction_read_only') = 'on',
    'mayCreate', has_database_privilege(current_database(), 'CREATE'),
    'mayUse', (SELECT bool_and(has_schema_privilege(n.oid, 'USAGE') AND CASE
        WHEN c.relkind = 'S' THEN has_sequence_privilege(c.oid, 'USAGE')
        WHEN c.relname = 'version' THEN has_table_privilege(c.oid, 'SELECT')
        ELSE has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
          AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE') END)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = '${LEDGER}' AND c.relkind IN ('r', 'S')), 'relations', (${COUNT_RELATIONS}))::text AS found`

const CONTENT = lookStatement({ operations: "state = 'open' AND phase <> 'claimed'", keys: 'false' })

/**
 * Reads the state of a ledger without changing it. Throws ConnectionLost or REJECTED, USAGE if the ledger needs a
 * newer release, or SERVICE_ERROR if it is damaged. `messageMs` is the time limit for each message.
 */
export async function examineLedger(address: Address, messageMs: number, signal: AbortSignal): Promise<LedgerState> {
  const connection = await Connection.openPlain(address, messageMs, signal)
  try {
    const ask = async (statement: string) => parseJson((await connection.query(statement))[0]?.['found'] ?? 'null')
    const sentMs = Date.now()
    const { now, relations, ...access } = (await ask(ACCESS)) as Access
    const aheadMs = now - (sentMs + Date.now()) / 2
    checkRelations(relations)
    if (!access.mayUse) return { ...access, aheadMs, content: null }
    const { version, operations } = (await ask(CONTENT)) as Found
    return { ...access, aheadMs, content: { format: requireFormat(version), open: operations.map(({ id }) => id) } }
  } catch (error) {
    throw explainDamage(error)
  } finally {
    await connection.close()
  }
}
