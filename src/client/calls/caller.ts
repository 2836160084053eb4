import type { Endpoint } from '../../contract/endpoint.ts'
import type { RetryHooks } from '../../http/client/retry.ts'
import type { Transport } from '../../http/transport.ts'
import type { SendGate } from '../send-gate.ts'
import type { DialectTranslator } from '../shapes/dialect-translator.ts'
import type { LearnedLimit, Pace, Pacing } from './pace.ts'

/** Starts tracing a request to an endpoint. */
export type TraceRequest = (endpoint: Endpoint) => RequestTrace

export interface RequestTrace {
  /** Headers that let the service continue the trace. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Records the end of the request. If called more than once, the last call wins. `status` is `null` if no response
   * arrived.
   */
  readonly end: (status: number | null, attempts: number) => void
}

export interface CallHooks extends RetryHooks {
  readonly traceRequest?: TraceRequest
  readonly onPace?: (limit: LearnedLimit, endpoint: Endpoint) => void
  readonly onWrite?: () => void | Promise<void>
}

/** The settings and services that all calls of one command share. */
export interface Caller {
  readonly baseUrl: URL
  /** The transport, including the layers that add the key, the deadline and the trace. */
  readonly transport: Transport
  /** The profile's name, for use in messages. `null` if no profile is used. */
  readonly profile: string | null
  readonly retries: number
  /** The time limit for one attempt, which the transport enforces. */
  readonly attemptMs: number
  readonly longestWaitMs: number
  readonly hooks: CallHooks
  readonly pace: Pace
  /**
   * Whether to keep to the rate limits. Default: `keep`. `ignore` is for urgent reads that determine whether a money
   * write took effect.
   */
  readonly pacing?: Pacing
  readonly translator?: DialectTranslator
  /** Makes several workers take turns sending requests. Absent if there is only one worker. */
  readonly sendGate?: SendGate
}
