import { createHash } from 'node:crypto'
import type { JournalEntry } from './journal.ts'

/** The members that do not depend on the machine, the port or durations. */
const LASTING = [
  'at',
  'method',
  'path',
  'query',
  'endpoint',
  'status',
  'note',
  'faults',
] as const satisfies readonly (keyof JournalEntry)[]

/** The SHA-256 of journal entries. The same requests at the same venue times give the same hash on any machine. */
export class JournalHash {
  readonly #hash = createHash('sha256')

  add(entry: JournalEntry): void {
    const lasting = LASTING.map((member) => entry[member])
    this.#hash.update(`${JSON.stringify([...lasting, entry.request.body, entry.response.body])}\n`)
  }

  /** The hash of the entries so far, in lower-case hex. */
  get digest(): string {
    return this.#hash.copy().digest('hex')
  }
}
