import { Failure } from '../../base/failure/failure.ts'
import { parseJson } from '../../base/json/parse.ts'
import type { TextRow } from '../../base/storage/text-row.ts'
import { type Address, describeServer } from '../../postgres/address.ts'
import { Connection } from '../../postgres/connection.ts'
import { ConnectionLost, sqlState } from '../../postgres/failures.ts'
import type { Found, Looked } from './import.ts'
import { ADD_COUNTED, CREATE_LEDGER, FORMAT, LEDGER, MAY_ADD_HINT, mayCreateHint, mayUseHint } from './schema.ts'
import { lookStatement } from './statements.ts'

/** The time limit, in milliseconds, for one message to the database. */
const MESSAGE_MS = 10_000

/** The SQLSTATEs for a missing table and a missing schema. */
const MISSING = ['42P01', '3F000']
const NO_COLUMN = '42703'
const NO_PRIVILEGE = '42501'

export type Version = Found['version']

/** Sends messages to the database of a ledger. Connects when the first message is sent. */
export class LedgerChannel {
  readonly #address: Address
  readonly #signal: AbortSignal
  #connection: Connection | null = null

  constructor(address: Address, signal: AbortSignal) {
    this.#address = address
    this.#signal = signal
  }

  /**
   * Sends statements in one message, which takes one round trip, and returns the rows that match the conditions. If the
   * connection is lost, sends the message once more, so each statement must be safe to repeat. Creates the tables of a
   * new ledger. Throws ConnectionLost, or USAGE if the ledger needs a newer release.
   */
  async send(statements: readonly string[], what: Looked): Promise<Found> {
    // With a different isolation level, statements would not see what was committed while they waited for a lock.
    const message = ['BEGIN ISOLATION LEVEL READ COMMITTED', ...statements, 'COMMIT', lookStatement(what)].join(';\n')
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await this.#query(message)
      } catch (error) {
        if (!isFirst || !(error instanceof ConnectionLost)) throw error
      }
    }
  }

  async close(): Promise<void> {
    await this.#connection?.close()
  }

  async #query(message: string): Promise<Found> {
    if (this.#connection === null || this.#connection.isLost)
      this.#connection = await Connection.openPlain(this.#address, MESSAGE_MS, this.#signal)
    const connection = this.#connection
    const [row] = await connection.query(message).catch(async (error): Promise<readonly TextRow[]> => {
      await connection.rollBack()
      const state = (error instanceof Failure && sqlState(error.cause)) || ''
      if (![...MISSING, NO_COLUMN].includes(state)) throw withHint(error, mayUseHint(this.#address))
      const [change, hint] =
        state === NO_COLUMN ? [ADD_COUNTED, MAY_ADD_HINT] : [CREATE_LEDGER, mayCreateHint(this.#address)]
      await connection.query(change).catch(async (refusal) => {
        await connection.rollBack()
        throw withHint(refusal, hint)
      })
      return connection.query(message)
    })
    const found = parseJson(row?.['found'] ?? 'null') as Found
    checkVersion(found.version)
    return found
  }
}

/** Throws USAGE if this release cannot use a ledger. */
export function checkVersion([format, oldest]: Version): void {
  if (oldest > FORMAT)
    throw new Failure('USAGE', `the ledger has format ${format}, which this release of partner does not support`, {
      hint: 'install the newest release on this machine',
    })
}

/** Replaces the hint of an error that was caused by a missing privilege. */
function withHint(error: unknown, hint: string): unknown {
  return error instanceof Failure && sqlState(error.cause) === NO_PRIVILEGE ? error.withHint(hint) : error
}

/** Creates the failure for a command that could not use the ledger and therefore sent nothing. */
export function unusableLedger(error: Failure): Failure {
  const { code, hint, message } = error
  const isUnreached = error instanceof ConnectionLost
  const words = `the ledger cannot be ${isUnreached ? 'reached' : 'used'}: ${message}; nothing was sent`
  return new Failure(code === 'USAGE' ? code : 'NETWORK_ERROR', words, {
    hint: isUnreached ? 'check that the database is running, then run the command again' : hint,
    outcome: 'not-applied',
    cause: error,
  })
}

/** Returns the name of a ledger, without its user: `db.example:5432/books`. */
export function describeLedger(address: Address): string {
  return `${describeServer(address)}/${address.database} (${LEDGER})`
}
