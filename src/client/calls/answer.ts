import type { JsonValue } from '../../base/json/exact.ts'
import type { CallContext } from './failures.ts'

/** The service's complete answer to a call. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body as it was sent; empty when the endpoint answers with nothing. */
  readonly text: string
  /** The parsed body, with every digit of its numbers; null for an empty body. */
  readonly value: JsonValue
  /** The body when it is no JSON, which only a write with an answer of any kind may have; else empty. */
  readonly words: string
  /** The call that was answered, for a failure found in the answer later. */
  readonly call: CallContext
}
