import type { Bench } from './bench/bench.ts'

/** One item of the checklist. */
export interface Item {
  /** Stable; lower-case words with hyphens between them. */
  readonly id: string
  readonly name: string
  /** How to mend an integration that fails it: one or two plain sentences. */
  readonly mend: string
  /** Tries the integration on benches of its own, and notes on them what is wrong. */
  readonly check: (open: OpenBench) => Promise<void>
}

/** Opens a bench; at another time of the venue where it is given, in milliseconds since 1970. */
export type OpenBench = (startAt?: number) => Promise<Bench>
