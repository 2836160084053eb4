import type { Endpoint } from '../../contract/endpoint.ts'
import type { RetryHooks } from '../../http/client/retry.ts'
import type { Transport } from '../../http/transport.ts'
import type { Following } from '../shapes/follow.ts'
import type { Turnstile } from '../turnstile.ts'
import type { LearnedLimit, Pace, Pacing } from './pace.ts'

/** What runs while calls are made. */
export interface CallHooks extends RetryHooks {
  /** Runs before each wait for a limit that the service named earlier. */
  readonly onPace?: (limit: LearnedLimit, endpoint: Endpoint) => void
  readonly onWrite?: () => void
}

/** What all calls of one command share. */
export interface Caller {
  readonly baseUrl: URL
  /** Already has the layers for the key, the deadline and the trace. */
  readonly transport: Transport
  /** The profile's name, for messages; null when the address came without a profile. */
  readonly profile: string | null
  readonly retries: number
  /** How long one attempt may take, in milliseconds; the transport enforces it. */
  readonly attemptMs: number
  /** The longest wait between two attempts, in milliseconds. */
  readonly longestWaitMs: number
  readonly hooks: CallHooks
  /** Keeps requests within the limits that the service has named. */
  readonly pace: Pace
  /** `keep` when absent. `ignore` for finding out without delay what became of money. */
  readonly pacing?: Pacing
  /** How calls go to a service that is known to differ from the contract; absent: it does not. */
  readonly following?: Following
  /** What requests of several workers pass one after the other; absent where there is one worker. */
  readonly turnstile?: Turnstile
}
