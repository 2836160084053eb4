import type { JsonValue } from '../../json/exact.ts'
import type { CallContext } from './failures.ts'

/** A whole answer. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body as it was sent; empty where the endpoint answers with nothing. */
  readonly text: string
  /** The body parsed, numbers exact; null for an empty body. */
  readonly value: JsonValue
  /** The call, for what finds fault with the answer later. */
  readonly call: CallContext
}
