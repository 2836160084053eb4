import type { JsonValue } from '../../base/json/exact.ts'
import type { CallContext } from './failures.ts'

/** The service's complete response to a call. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /**
   * The body exactly as it was received, unless a translator adapted it to the contract. Empty if the endpoint returns
   * nothing.
   */
  readonly text: string
  /** The parsed body, with exact numbers. `null` if the body is empty. */
  readonly value: JsonValue
  /**
   * The body as plain text if it is not JSON, otherwise empty. Only writes with `answer: 'any'` may return plain text.
   */
  readonly words: string
  readonly call: CallContext
}
