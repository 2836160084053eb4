import type { FaultSpecification } from '../../../sandbox/faults/fault.ts'
import type { StepLine } from '../bench/child.ts'

/** What is done, in order. */
export type When =
  | { readonly kind: 'do'; readonly line: Exclude<StepLine, { readonly do: 'serve' }> }
  | { readonly kind: 'serve' }
  | { readonly kind: 'fault'; readonly fault: FaultSpecification }
  | { readonly kind: 'clear' }
  /** Made by the venue, or by another till: not on the wire. */
  | { readonly kind: 'change'; readonly method: string; readonly path: string; readonly body: unknown }
  /** The venue's clock goes on by so many milliseconds. */
  | { readonly kind: 'clock'; readonly byMs: number }

/** What must be so at the end. */
export type Expectation =
  /** One code: of every step. Several: of the steps in their order. */
  | { readonly kind: 'exit'; readonly codes: number | readonly number[] }
  | {
      readonly kind: 'request'
      /** `POST /GiftCards/redeem` */
      readonly endpoint: string
      /** Null: any. */
      readonly status: number | null
      /** Members that its body must have; null: any body. */
      readonly body: Readonly<Record<string, unknown>> | null
      readonly atLeast: number
      readonly atMost: number
    }
  /** Requests to these endpoints come in this order, whatever is between them. */
  | { readonly kind: 'order'; readonly endpoints: readonly string[] }
  /** Between two requests to an endpoint there is at least so much time. Milliseconds. */
  | { readonly kind: 'wait'; readonly endpoint: string; readonly atLeastMs: number }
  | { readonly kind: 'copy'; readonly bookingId: string; readonly has: Readonly<Record<string, unknown>> }
  | { readonly kind: 'card'; readonly cardNumber: string; readonly leftCents: number }

/** An item of a file: how it is tried, and what must come of it. */
export interface OwnItem {
  readonly id: string
  readonly name: string
  readonly mend: string
  readonly when: readonly When[]
  readonly expect: readonly Expectation[]
}
