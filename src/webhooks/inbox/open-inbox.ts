import { Failure } from '../../base/failure/failure.ts'
import { type Address, describePlace, parseAddress, type Variables } from '../../sync/postgres/connection/address.ts'
import { Connection, type Limits } from '../../sync/postgres/connection/connection.ts'
import { Lost } from '../../sync/postgres/connection/failures.ts'
import { ensureSchema, readForm } from '../../sync/postgres/schema.ts'
import { INBOX } from './schema.ts'

/** Where an inbox is. */
export interface InboxPlace {
  readonly address: Address
  /** In words, without a secret: `the inbox of venue at db.example:5432`. */
  readonly words: string
}

const READER_LIMITS: Limits = { statementMs: 30_000, lockMs: 5000, idleInTransactionMs: 15_000 }

/** True for the name of a database, in place of a file. */
export function isDatabase(name: string): boolean {
  return /^postgres(?:ql)?:/i.test(name)
}

/** Reads where an inbox is; `flag` is where it was given. Fails: USAGE, as for a copy in PostgreSQL. */
export function parseInboxPlace(url: string, env: Variables, flag: string): InboxPlace {
  const address = parseAddress(url, env, flag)
  return { address, words: `the inbox of ${address.database} at ${describePlace(address)}` }
}

/** Connects to an inbox, and makes its table where there is none. Fails: as `Connection.open` and `ensureSchema`. */
export async function openInbox({ address }: InboxPlace, limits: Limits, signal: AbortSignal): Promise<Connection> {
  const connection = await Connection.open(address, limits, signal)
  try {
    await ensureSchema(connection, INBOX)
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Does something with an inbox that must be there. Fails: NOT_FOUND when there is none; as `Connection.open`. */
export async function withInbox<T>(
  { address, words }: InboxPlace,
  signal: AbortSignal,
  act: (connection: Connection) => Promise<T>,
): Promise<T> {
  let connection: Connection | null = null
  try {
    connection = await Connection.open(address, READER_LIMITS, signal)
    if ((await readForm(connection, INBOX)) === null)
      throw new Failure('NOT_FOUND', `there is no inbox: ${words} has no table of that name`, {
        hint: 'webhooks listen makes it, with the address as its --to: partner webhooks listen --help',
      })
    return await act(connection)
  } catch (error) {
    throw inOurWords(error)
  } finally {
    await connection?.close()
  }
}

/** A failure with a hint that fits an inbox: what the database says of a copy's commits is no help here. */
export function inOurWords(error: unknown): unknown {
  if (!(error instanceof Lost)) return error
  const { words, code, said, cause } = error
  const hint = 'check the host, the port, and that the database runs; then run it again'
  return new Lost(words, { hint, said, cause }, code === 'TIMEOUT' ? 'TIMEOUT' : 'NETWORK_ERROR')
}
