import { Failure } from '../../base/failure/failure.ts'
import type { Connection } from '../../postgres/connection.ts'
import { sqlState } from '../../postgres/failures.ts'
import { type Committed, type Counts, NO_COUNTS, type NotStored, plus } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import type { RecordWriter } from './writer.ts'

/**
 * Matches the SQLSTATEs of errors that bad data causes: class 22 for invalid values, and class 54 for exceeded limits,
 * such as the size of an index row.
 */
const DATA_ERRORS = /^(?:22|54)/

/**
 * Skips records that the server cannot store. Splits a rejected batch in half, repeatedly, until the bad record is
 * alone.
 */
export class CarefulWriter {
  readonly #skipped: NotStored[] = []
  readonly #writer: RecordWriter

  constructor(writer: RecordWriter) {
    this.#writer = writer
  }

  async write(turn: () => Promise<Connection>, records: readonly SyncRecord[]): Promise<Counts> {
    const opened: { connection?: Connection } = {}
    const turnWithSavepoint = async () => {
      opened.connection = await turn()
      await opened.connection.query('SAVEPOINT batch')
      return opened.connection
    }
    try {
      const counts = await this.#writer.write(turnWithSavepoint, records)
      await opened.connection?.query('RELEASE SAVEPOINT batch')
      return counts
    } catch (error) {
      const why = reasonInData(error)
      const { connection } = opened
      if (why === null || connection === undefined) throw error
      await connection.query('ROLLBACK TO SAVEPOINT batch; RELEASE SAVEPOINT batch')
      const [first] = records
      if (first !== undefined && records.length === 1) {
        this.#writer.noteSkipped?.(first)
        this.#skipped.push({ id: first.id ?? first.version, why: `PostgreSQL cannot store it: ${why}` })
        return NO_COUNTS
      }
      const half = Math.ceil(records.length / 2)
      const here = () => Promise.resolve(connection)
      const counts = await this.write(here, records.slice(0, half))
      return plus(counts, await this.write(here, records.slice(half)))
    }
  }

  async finish(connection: Connection, cursorMs: number, isComplete: boolean): Promise<Counts> {
    return (await this.#writer.finish?.(connection, cursorMs, isComplete)) ?? NO_COUNTS
  }

  committed(counts: Counts): Committed {
    return this.#skipped.length === 0 ? counts : { ...counts, notStored: [...this.#skipped] }
  }

  forget(): void {
    this.#skipped.length = 0
    this.#writer.forget?.()
  }
}

function reasonInData(error: unknown): string | null {
  if (!(error instanceof Failure) || !(error.cause instanceof Error)) return null
  return DATA_ERRORS.test(sqlState(error.cause) ?? '') ? error.cause.message : null
}
