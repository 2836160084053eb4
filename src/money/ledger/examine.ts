import { parseJson } from '../../base/json/parse.ts'
import type { Address } from '../../postgres/address.ts'
import { Connection } from '../../postgres/connection.ts'
import { checkVersion, type Version } from './channel.ts'
import { LEDGER, NOW } from './schema.ts'

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
  /** The format of the tables, and the IDs of the open operations. `null` unless `mayUse` is true. */
  readonly content: { readonly version: Version; readonly open: readonly string[] } | null
}

type Access = Omit<LedgerState, 'aheadMs' | 'content'> & { readonly now: number }

/** The catalogs can be read without any privilege, so a missing privilege is detected before a statement fails. */
const ACCESS = `SELECT json_build_object('now', ${NOW}, 'isReadOnly', current_setting('transaction_read_only') = 'on',
    'mayCreate', has_database_privilege(current_database(), 'CREATE'),
    'mayUse', (SELECT bool_and(has_schema_privilege(n.oid, 'USAGE') AND CASE
        WHEN c.relkind = 'S' THEN has_sequence_privilege(c.oid, 'USAGE')
        WHEN c.relname = 'version' THEN has_table_privilege(c.oid, 'SELECT')
        ELSE has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
          AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE') END)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = '${LEDGER}' AND c.relkind IN ('r', 'S')))::text AS found`

const CONTENT = `SELECT json_build_object('version', (SELECT json_build_array(format, oldest) FROM ${LEDGER}.version),
    'open', (SELECT coalesce(json_agg(id), '[]') FROM ${LEDGER}.operations WHERE state = 'open' AND phase <> 'claimed'))::text AS found`

/**
 * Reads the state of a ledger, without changing it. Throws ConnectionLost or REJECTED, or USAGE if the ledger needs a
 * newer release. `messageMs` is the time limit for each message.
 */
export async function examineLedger(address: Address, messageMs: number, signal: AbortSignal): Promise<LedgerState> {
  const connection = await Connection.openPlain(address, messageMs, signal)
  try {
    const ask = async (statement: string) => parseJson((await connection.query(statement))[0]?.['found'] ?? 'null')
    const sentMs = Date.now()
    const { now, ...access } = (await ask(ACCESS)) as Access
    const aheadMs = now - (sentMs + Date.now()) / 2
    const content = access.mayUse ? ((await ask(CONTENT)) as NonNullable<LedgerState['content']>) : null
    if (content !== null) checkVersion(content.version)
    return { ...access, aheadMs, content }
  } finally {
    await connection.close()
  }
}
