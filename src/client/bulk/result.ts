import type { WriteOutcome } from './journal/entry.ts'

/** What became of a line. `invalid`: it was not sent, because of what it says. */
export type BulkOutcome = WriteOutcome | 'invalid'

/** The result of a line. */
export interface BulkResult {
  /** From 1. */
  readonly line: number
  /** Null: the line does not say. */
  readonly id: string | null
  readonly outcome: BulkOutcome
  /** The status of the answer; null: there was none. */
  readonly status: number | null
  /** One line; null: there is nothing to say. */
  readonly message: string | null
}

/** How many lines ended how. */
export class Tally {
  readonly #counts = new Map<BulkOutcome | 'skipped', number>()
  done = 0

  /** `isOld`: an earlier run dealt with it. */
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
