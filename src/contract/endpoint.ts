import type { FailureCode } from '../base/failure/exit-codes.ts'
import type { WebhookEvent } from './events.ts'
import type { Schema } from './shapes/schema.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** `documented`: the specification shows it. `assumed`: it comes from public pages of a similar service, and may differ. */
export type Standing = 'documented' | 'assumed'

/**
 * What a second request would do. `none`: requests only read. `safe-to-repeat`: it changes nothing more. `once`: it may do
 * the same again. `money`: like `once`, so an intent is on disk before the first one is sent.
 */
export type WriteKind = 'none' | 'safe-to-repeat' | 'once' | 'money'

/** The kinds of record that the service keeps for a venue. */
export type RecordKind = 'bookings' | 'customers' | 'sales' | 'giftcards' | 'webhooks'

/** A refusal that the service gives, in its own words; `{name}` stands for a value of the request. */
export interface DocumentedFailure {
  readonly status: number
  readonly message: string
  readonly standing: Standing
  /** `message`: the body is `{message}`. `problem`: it is Problem details. */
  readonly body: 'message' | 'problem'
  /** The kind of failure, where the status alone does not tell. */
  readonly code?: FailureCode | undefined
  /** What to do next. */
  readonly hint?: string | undefined
}

/** Where the records of a list stand in its answer, and whether it comes in pages. */
export interface ListShape {
  /** The member that holds the records; null when the answer itself is the list. */
  readonly member: string | null
  /** `offset`: `Limit` and `StartIndex` ask for further pages. */
  readonly paging: 'none' | 'offset'
}

/** One operation of the service, as data for the client, the sandbox, the docs and the tests. */
export interface Endpoint {
  /** Its topic and verb, such as `bookings.get`; faults of the sandbox use it too. */
  readonly id: string
  /** What it does, in a line of the OpenAPI document. */
  readonly summary: string
  readonly method: Method
  /** The path exactly as the specification writes it; `{id}` is a parameter. */
  readonly path: string
  readonly standing: Standing
  /** The section of the specification that describes it. */
  readonly source: string
  /** What callers authenticate with. */
  readonly auth: 'api-key' | 'signature'
  readonly write: WriteKind
  /** The kinds of record that it reads or changes. */
  readonly touches: readonly RecordKind[]
  /** The event that it sends to subscribers. Assumed: the specification does not show it. */
  readonly causes?: WebhookEvent
  readonly query?: Schema
  readonly body?: Schema
  /** `any`: the answer is not documented, so a 2xx without a body, with text or with any JSON says that it was done. */
  readonly answer?: 'any'
  /** Successful answers by status. */
  readonly responses: { readonly [status: number]: Schema }
  readonly list?: ListShape
  /** The refusals of this endpoint, beyond `COMMON_FAILURES`. */
  readonly failures: { readonly [name: string]: DocumentedFailure }
}

/** The names of the parameters in a path: `'id'` for `'/Bookings/{id}'`. */
export type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

/** Defines an endpoint and keeps its exact type. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition
}

/** Defines a refusal: documented, with the body `{message}`, unless `more` says otherwise. */
export function refusal<const M extends string>(
  status: number,
  message: M,
  more: Partial<DocumentedFailure> = {},
): DocumentedFailure & { readonly message: M } {
  return { standing: 'documented', body: 'message', ...more, status, message }
}

/** Fills in the `{placeholders}` in the message of a refusal; one without a value stays as it is. */
export function fillMessage(
  failure: DocumentedFailure,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return failure.message.replace(/\{(\w+)\}/g, (written, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : written,
  )
}
