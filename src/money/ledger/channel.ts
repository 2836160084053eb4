import { Failure, type FailureDetail, messageOf } from '../../base/failure/failure.ts'
import { parseJson } from '../../base/json/parse.ts'
import type { TextRow } from '../../base/storage/text-row.ts'
import { type Address, describeServer } from '../../postgres/address.ts'
import { Connection } from '../../postgres/connection.ts'
import { ConnectionLost, sqlState } from '../../postgres/failures.ts'
import type { Found, Looked } from './import.ts'
import {
  ADD_COUNTED,
  ALL_RELATIONS,
  COUNT_RELATIONS,
  CREATE_LEDGER,
  FORMAT,
  LEDGER,
  MAY_ADD_HINT,
  mayCreateHint,
  mayUseHint,
} from './schema.ts'
import { lookStatement } from './statements.ts'

/** The time limit, in milliseconds, for one message to the database. */
const MESSAGE_MS = 10_000

/** The SQLSTATEs for a missing table and a missing schema. */
const MISSING = ['42P01', '3F000']
const NO_COLUMN = '42703'
const NO_PRIVILEGE = '42501'
/** The SQLSTATEs for missing tables or columns, columns of the wrong type, and more rows than expected. */
const DAMAGED = [...MISSING, NO_COLUMN, '21000', '22P02', '42804', '42883']

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
   * Sends statements in a single message and returns the rows that match the conditions. If the connection is lost,
   * sends the message once more, so each statement must be safe to repeat. Creates the tables of a new ledger. Throws
   * ConnectionLost, USAGE if the ledger needs a newer release, or SERVICE_ERROR if it is damaged.
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
    const ask = async (sql: string, hint: string) => {
      try {
        return await connection.query(sql)
      } catch (error) {
        await connection.rollBack()
        throw withHint(error, hint)
      }
    }
    const [row] = await ask(message, mayUseHint(this.#address)).catch(async (error): Promise<readonly TextRow[]> => {
      const state = stateOf(error)
      if (MISSING.includes(state)) {
        checkRelations(Number((await connection.query(COUNT_RELATIONS))[0]?.['count']))
        await ask(CREATE_LEDGER, mayCreateHint(this.#address))
      } else if (state === NO_COLUMN) await ask(ADD_COUNTED, MAY_ADD_HINT)
      else throw explainDamage(error)
      return ask(message, mayUseHint(this.#address)).catch((again) => {
        throw explainDamage(again)
      })
    })
    const found = parseJson(row?.['found'] ?? 'null') as Found
    requireFormat(found.version)
    return found
  }
}

/**
 * Returns the format of a ledger. Throws USAGE if this release cannot use the format, or SERVICE_ERROR if the version
 * is missing.
 */
export function requireFormat(version: Found['version']): number {
  const [format, oldest] = version ?? []
  if (typeof format !== 'number' || typeof oldest !== 'number') throw damagedLedger('its version is missing')
  if (oldest > FORMAT)
    throw new Failure('USAGE', `the ledger has format ${format}, which this release of partner does not support`, {
      hint: 'install the newest release on this machine',
    })
  return format
}

/** Throws SERVICE_ERROR if a ledger has only some of its tables and sequences. */
export function checkRelations(count: number): void {
  if (count > 0 && count < ALL_RELATIONS) throw damagedLedger('some of its tables or sequences are missing')
}

function damagedLedger(why: string, detail: FailureDetail = {}): Failure {
  const hint = `restore the schema ${LEDGER} from a backup; see partner help money`
  return new Failure('SERVICE_ERROR', `the schema ${LEDGER} is incomplete or damaged: ${why}`, { ...detail, hint })
}

/** Converts an error in a statement, such as an unknown column, to a failure that says that the ledger is damaged. */
export function explainDamage(error: unknown): unknown {
  return DAMAGED.includes(stateOf(error)) ? damagedLedger(messageOf(error), { cause: error }) : error
}

/** Returns the SQLSTATE of an error, or '' if the server did not report it. */
function stateOf(error: unknown): string {
  return (error instanceof Failure && sqlState(error.cause)) || ''
}

/** Replaces the hint of an error that was caused by a missing privilege. */
function withHint(error: unknown, hint: string): unknown {
  return error instanceof Failure && stateOf(error) === NO_PRIVILEGE ? error.withHint(hint) : error
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
