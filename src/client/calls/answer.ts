import type { JsonValue } from '../../base/json/exact.ts'
import type { CallContext } from './failures.ts'

/** The service's complete response to a call. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body exactly as it was received. Empty if the endpoint returns nothing. */
  readonly text: string
  /** The parsed body, with exact numbers. `null` if the body is empty. */
  readonly value: JsonValue
  /** The body if it is not JSON, which is allowed only for a write with `answer: 'any'`. Otherwise empty. */
  readonly words: string
  readonly call: CallContext
}
