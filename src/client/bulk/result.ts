import type { WriteOutcome } from './journal/entry.ts'

/** The outcome of a line. `invalid`: it was not sent because of its content. */
export type BulkOutcome = WriteOutcome | 'invalid'

export interface BulkResult {
  /** From 1. */
  readonly line: number
  /** Null if the line has none. */
  readonly id: string | null
  readonly outcome: BulkOutcome
  /** Null if there was no response. */
  readonly status: number | null
  /** One line, or null. */
  readonly message: string | null
}

export class Tally {
  readonly #counts = new Map<BulkOutcome | 'skipped', number>()
  done = 0

  /** `isOld`: from an earlier run. */
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
