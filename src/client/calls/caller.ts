import type { Endpoint } from '../../contract/endpoint.ts'
import type { RetryHooks } from '../../http/client/retry.ts'
import type { Transport } from '../../http/transport.ts'
import type { SendGate } from '../send-gate.ts'
import type { DialectTranslator } from '../shapes/dialect-translator.ts'
import type { LearnedLimit, Pace, Pacing } from './pace.ts'

export interface CallHooks extends RetryHooks {
  readonly onPace?: (limit: LearnedLimit, endpoint: Endpoint) => void
  readonly onWrite?: () => void | Promise<void>
}

/** The parts that all calls of a command share. */
export interface Caller {
  readonly baseUrl: URL
  /** The transport, including the layers for the key, the deadline and the trace. */
  readonly transport: Transport
  /** The profile's name, for messages. `null` without a profile. */
  readonly profile: string | null
  readonly retries: number
  /** The time limit of one attempt, which the transport enforces. */
  readonly attemptMs: number
  readonly longestWaitMs: number
  readonly hooks: CallHooks
  readonly pace: Pace
  /** `keep` by default. `ignore` is for reads that find out without delay whether a money write was done. */
  readonly pacing?: Pacing
  readonly translator?: DialectTranslator
  /** Makes several workers take turns to send. Absent if there is only one worker. */
  readonly sendGate?: SendGate
}
