import { createHash } from 'node:crypto'
import type { JournalEntry } from './journal.ts'

/** What of an entry depends on the service and its callers alone, and not on the machine, the port or how long anything took. */
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

/**
 * The hash of a journal: SHA-256 over its entries in their order, a line of JSON each, without headers and durations. The same
 * requests at the same venue time give the same hash on any machine.
 */
export class JournalHash {
  readonly #hash = createHash('sha256')

  add(entry: JournalEntry): void {
    const lasting = LASTING.map((member) => entry[member])
    this.#hash.update(`${JSON.stringify([...lasting, entry.request.body, entry.response.body])}\n`)
  }

  /** The hash of what was added so far, in lower-case hex. */
  get digest(): string {
    return this.#hash.copy().digest('hex')
  }
}
