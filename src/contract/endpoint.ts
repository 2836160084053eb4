import type { FailureCode } from '../failure/exit-codes.ts'
import type { WebhookEvent } from './events.ts'
import type { Schema } from './shapes/schema.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Whether a shape stands in the specification, or was read from public pages of a service like it and may differ. */
export type Standing = 'documented' | 'assumed'

/**
 * What sending a request twice would do. `none`: it only reads. `safe-to-repeat`: the second changes nothing more.
 * `once`: the second may do it again. `money`: like `once`, and an intent is on disk before it is sent.
 */
export type WriteKind = 'none' | 'safe-to-repeat' | 'once' | 'money'

/** The records that the service keeps for a venue. */
export type RecordKind = 'bookings' | 'customers' | 'sales' | 'giftcards' | 'webhooks'

/** A refusal that the service is known to give, with its own words; `{name}` stands for a value of the request. */
export interface DocumentedFailure {
  readonly status: number
  readonly message: string
  readonly standing: Standing
  /** `message`: the body is `{message}`. `problem`: it is Problem details. */
  readonly body: 'message' | 'problem'
  /** What it means to the command, where the status alone does not say. */
  readonly code?: FailureCode | undefined
  /** What the person should do about it. */
  readonly hint?: string | undefined
}

/** How an answer that is a list comes: where its records stand, and whether there are more pages. */
export interface ListShape {
  /** The member that holds the records; null when the answer itself is the array. */
  readonly member: string | null
  /** `offset`: `Limit` and `StartIndex` ask for more. */
  readonly paging: 'none' | 'offset'
}

/** One operation of the service, as data: the client, the sandbox, the docs and the tests are driven by it. */
export interface Endpoint {
  /** `bookings.get`: the topic and verb by which code and faults name it. */
  readonly id: string
  readonly method: Method
  /** As the specification writes it, case included; `{id}` is a path parameter. */
  readonly path: string
  readonly standing: Standing
  /** The section it was read from. */
  readonly source: string
  /** How callers prove who they are. */
  readonly auth: 'api-key' | 'signature'
  readonly write: WriteKind
  /** The records that it reads or changes. */
  readonly touches: readonly RecordKind[]
  /** The event that subscribers get when it has changed a booking or a card. Assumed: the specification does not show it. */
  readonly causes?: WebhookEvent
  readonly query?: Schema
  readonly body?: Schema
  /** Successful answers by status. */
  readonly responses: { readonly [status: number]: Schema }
  readonly list?: ListShape
  /** Refusals of this endpoint beyond those that any endpoint can give. */
  readonly failures: { readonly [name: string]: DocumentedFailure }
}

/** The names of the parameters in a path template: `'/Bookings/{id}'` has `'id'`. */
export type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

/** States an endpoint and keeps its exact type. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition
}

/** States a refusal that the specification gives in words, with the body `{message}`. */
export function refusal<const M extends string>(
  status: number,
  message: M,
  more: Partial<DocumentedFailure> = {},
): DocumentedFailure & { readonly message: M } {
  return { standing: 'documented', body: 'message', ...more, status, message }
}

/** The message of a refusal with its `{placeholders}` filled in; a missing value is left as it is written. */
export function fillMessage(
  failure: DocumentedFailure,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return failure.message.replace(/\{(\w+)\}/g, (written, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : written,
  )
}
