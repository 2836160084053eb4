import type { JsonValue } from '../../json/exact.ts'
import type { CallContext } from './failures.ts'

/** The service's complete answer to a call. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body as it was sent; empty when the endpoint answers with nothing. */
  readonly text: string
  /** The parsed body, with every digit of its numbers; null for an empty body. */
  readonly value: JsonValue
  /** The call that was answered, for a failure found in the answer later. */
  readonly call: CallContext
}
