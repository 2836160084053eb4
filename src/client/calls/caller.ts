import type { Endpoint } from '../../contract/endpoint.ts'
import type { RetryHooks } from '../../http/client/retry.ts'
import type { Transport } from '../../http/transport.ts'
import type { Following } from '../shapes/follow.ts'
import type { Turnstile } from '../turnstile.ts'
import type { LearnedLimit, Pace, Pacing } from './pace.ts'

export interface CallHooks extends RetryHooks {
  readonly onPace?: (limit: LearnedLimit, endpoint: Endpoint) => void
  readonly onWrite?: () => void | Promise<void>
}

/** What all calls of a command share. */
export interface Caller {
  readonly baseUrl: URL
  /** Includes the layers for the key, the deadline and the trace. */
  readonly transport: Transport
  /** For messages; null without a profile. */
  readonly profile: string | null
  readonly retries: number
  /** The limit of one attempt, which the transport enforces. */
  readonly attemptMs: number
  readonly longestWaitMs: number
  readonly hooks: CallHooks
  readonly pace: Pace
  /** `keep` if absent. `ignore` finds out without delay what became of money. */
  readonly pacing?: Pacing
  readonly following?: Following
  /** Lets several workers send in turn; absent for a single one. */
  readonly turnstile?: Turnstile
}
