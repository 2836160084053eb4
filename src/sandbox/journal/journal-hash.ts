import { createHash } from 'node:crypto'
import type { JournalEntry } from './journal.ts'

/**
 * The SHA-256 hash of journal entries, in lower-case hexadecimal. The same requests at the same venue times produce the
 * same hash on any machine.
 */
export class JournalHash {
  readonly #hash = createHash('sha256')

  /** Adds an entry to the hash, but only the members that do not depend on the machine, the port or timing. */
  add({ at, method, path, query, endpoint, status, note, faults, request, response }: JournalEntry): void {
    const lasting = [at, method, path, query, endpoint, status, note, faults, request.body, response.body]
    this.#hash.update(`${JSON.stringify(lasting)}\n`)
  }

  get digest(): string {
    return this.#hash.copy().digest('hex')
  }
}
