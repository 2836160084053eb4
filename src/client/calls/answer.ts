import type { JsonValue } from '../../base/json/exact.ts'
import type { CallContext } from './failures.ts'

/** The service's complete response to a call. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body as the service sent it. Empty if the endpoint returns nothing. */
  readonly text: string
  /** The parsed body, with exact numbers. `null` for an empty body. */
  readonly value: JsonValue
  /** The body if it is not JSON, which only a write with `answer: 'any'` may return. Otherwise empty. */
  readonly words: string
  readonly call: CallContext
}
