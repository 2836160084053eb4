import { Failure } from '../../base/failure/failure.ts'
import { type Address, describeServer, parseAddress, type Variables } from '../../postgres/address.ts'
import { Connection, type Limits } from '../../postgres/connection.ts'
import { ConnectionLost } from '../../postgres/failures.ts'
import { ensureSchema, READER_LIMITS, readSchemaVersion } from '../../sync/postgres/schema.ts'
import { INBOX } from './schema.ts'

/** A database that contains an inbox. */
export interface InboxPlace {
  readonly address: Address
  /** A description, such as `the inbox of venue at db.example:5432`. */
  readonly words: string
}

/** Returns whether a name denotes a PostgreSQL database rather than a file. */
export function isDatabase(name: string): boolean {
  return /^postgres(?:ql)?:/i.test(name)
}

/** Parses the inbox URL that was given with `flag`. Throws the same errors as `parseAddress`. */
export function parseInboxPlace(url: string, env: Variables, flag: string): InboxPlace {
  const address = parseAddress(url, env, flag)
  return { address, words: `the inbox of ${address.database} at ${describeServer(address)}` }
}

/**
 * Connects to an inbox and creates its table if necessary. Throws the same errors as `Connection.open` or
 * `ensureSchema`.
 */
export async function openInbox({ address }: InboxPlace, limits: Limits, signal: AbortSignal): Promise<Connection> {
  return openWith(address, limits, signal, (connection) => ensureSchema(connection, INBOX))
}

/**
 * Connects to an inbox that a listener has created. Throws NOT_FOUND if it does not exist. Also throws the same errors
 * as {@link openInbox}.
 */
export async function openExistingInbox(place: InboxPlace, limits: Limits, signal: AbortSignal): Promise<Connection> {
  return openWith(place.address, limits, signal, async (connection) => {
    await requireInbox(connection, place)
    await ensureSchema(connection, INBOX)
  })
}

/** Connects and calls `prepare`. If that throws, closes the connection. */
async function openWith(
  address: Address,
  limits: Limits,
  signal: AbortSignal,
  prepare: (connection: Connection) => Promise<unknown>,
): Promise<Connection> {
  const connection = await Connection.open(address, limits, signal)
  try {
    await prepare(connection)
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function requireInbox(connection: Connection, { words }: InboxPlace): Promise<void> {
  if ((await readSchemaVersion(connection, INBOX)) !== null) return
  throw new Failure('NOT_FOUND', `${words} does not exist: the database has no table named inbox`, {
    hint: 'to create the inbox, run webhooks listen with this URL as --to: partner webhooks listen --help',
  })
}

/**
 * Runs `act` on an existing inbox. Throws NOT_FOUND if the inbox does not exist. Also throws the same errors as
 * `Connection.open` and `act`.
 */
export async function withInbox<T>(
  place: InboxPlace,
  signal: AbortSignal,
  act: (connection: Connection) => Promise<T>,
): Promise<T> {
  let connection: Connection | null = null
  try {
    connection = await Connection.open(place.address, READER_LIMITS, signal)
    await requireInbox(connection, place)
    return await act(connection)
  } catch (error) {
    throw withInboxHint(error)
  } finally {
    await connection?.close()
  }
}

/** Replaces the hint of a ConnectionLost error, which is about commits to a copy, with a hint for an inbox. */
export function withInboxHint(error: unknown): unknown {
  if (!(error instanceof ConnectionLost)) return error
  const { words, code, said, cause } = error
  const hint = 'check that the host and port are correct and that the database is running, then run the command again'
  return new ConnectionLost(words, { hint, said, cause }, code === 'TIMEOUT' ? 'TIMEOUT' : 'NETWORK_ERROR')
}
