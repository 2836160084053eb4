/** A delivery of one event of one booking or card. */
export interface Arrival {
  /** When it came, epoch milliseconds. */
  readonly timeMs: number
  /** Where it stands in its journal. */
  readonly line: number
  /** Whether it was sent by a repair, in place of one that never came. */
  readonly isRepair: boolean
}

/** By so much the clocks of listener and service may differ, so that a delivery seems to come before its change. Milliseconds. */
export const CLOCKS_MS = 60_000
