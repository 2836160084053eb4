import type { Endpoint } from '../../contract/endpoint.ts'
import type { RetryHooks } from '../../http/client/retry.ts'
import type { Transport } from '../../http/transport.ts'
import type { LearnedLimit, Pace, Pacing } from './pace.ts'

/** What is told of, while calls are made. */
export interface CallHooks extends RetryHooks {
  /** Told before each wait for a place within a limit that the service named earlier. */
  readonly onPace?: (limit: LearnedLimit, endpoint: Endpoint) => void
}

/** What every call of one command shares. */
export interface Caller {
  readonly baseUrl: URL
  /** With the key, the deadline and the trace already around it. */
  readonly transport: Transport
  /** For messages; null when the address came without a profile. */
  readonly profile: string | null
  readonly retries: number
  /** How long one attempt may take, milliseconds; the transport sees to it. */
  readonly attemptMs: number
  /** The longest that one wait between attempts may take, milliseconds. */
  readonly longestWaitMs: number
  readonly hooks: CallHooks
  /** Keeps to the limits that the service has named. */
  readonly pace: Pace
  /** `keep` when absent. `ignore` for what must find out at once what became of money. */
  readonly pacing?: Pacing
}
