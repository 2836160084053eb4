import type { WriteOutcome } from './journal/entry.ts'

/** The outcome of a line. `invalid` means that the line was not sent because of its content. */
export type BulkOutcome = WriteOutcome | 'invalid'

export interface BulkResult {
  /** The line number, starting at 1. */
  readonly line: number
  /** The ID in the line. `null` if the line has none. */
  readonly id: string | null
  readonly outcome: BulkOutcome
  /** The HTTP status of the response. `null` if no response arrived. */
  readonly status: number | null
  /** A one-line message, or `null`. */
  readonly message: string | null
}

/** Counts lines by their outcome. */
export class Tally {
  readonly #counts = new Map<BulkOutcome | 'skipped', number>()
  done = 0

  /** Counts a result. `isOld` means that the result comes from an earlier run. */
  add({ outcome }: BulkResult, isOld: boolean): void {
    this.done++
    const kind = isOld && outcome === 'accepted' ? 'skipped' : outcome
    this.#counts.set(kind, this.of(kind) + 1)
  }

  of(kind: BulkOutcome | 'skipped'): number {
    return this.#counts.get(kind) ?? 0
  }

  get failed(): number {
    return this.of('already-there') + this.of('rejected') + this.of('invalid') + this.of('unknown')
  }
}
