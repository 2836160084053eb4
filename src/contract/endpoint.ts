import type { FailureCode } from '../base/failure/exit-codes.ts'
import type { WebhookEvent } from './events.ts'
import type { Schema } from './shapes/schema.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * How certain a part of the contract is. `documented` means that it is in the specification. `assumed` means that it
 * comes from public pages of a similar service, so it may differ.
 */
export type Standing = 'documented' | 'assumed'

/**
 * What happens if a request is repeated. `none`: the request only reads. `safe-to-repeat`: a repeat has no further
 * effect. `once`: a repeat may have a further effect. `money`: like `once`, but the intent is saved to disk before the
 * first attempt.
 */
export type WriteKind = 'none' | 'safe-to-repeat' | 'once' | 'money'

export type RecordKind = 'bookings' | 'customers' | 'sales' | 'giftcards' | 'webhooks'

/** A rejection by the service, with the service's own message. `{name}` stands for a value from the request. */
export interface DocumentedFailure {
  readonly status: number
  readonly message: string
  readonly standing: Standing
  /** The format of the body: `{message}` for `message`, or Problem details for `problem`. */
  readonly body: 'message' | 'problem'
  /** The error code, if it does not follow from the HTTP status. */
  readonly code?: FailureCode | undefined
  readonly hint?: string | undefined
}

export interface ListShape {
  /** The member that contains the records; `null` if the response itself is the list. */
  readonly member: string | null
  /** How the list is divided into pages. `offset` means that pages are requested with `Limit` and `StartIndex`. */
  readonly paging: 'none' | 'offset'
}

/** One operation of the service. The client, the sandbox, the docs and the tests all use this description. */
export interface Endpoint {
  /** The topic and verb, such as `bookings.get`. The sandbox's faults refer to endpoints by this ID. */
  readonly id: string
  /** The description in the OpenAPI document. */
  readonly summary: string
  readonly method: Method
  /** The path exactly as it is in the specification. `{id}` is a parameter. */
  readonly path: string
  readonly standing: Standing
  readonly source: string
  readonly auth: 'api-key' | 'signature'
  readonly write: WriteKind
  readonly touches: readonly RecordKind[]
  /** The webhook event that the operation triggers. This is an assumption: the specification does not say. */
  readonly causes?: WebhookEvent
  readonly query?: Schema
  readonly body?: Schema
  /** `any` means that the response is undocumented, so every 2xx counts as a success, regardless of its body. */
  readonly answer?: 'any'
  readonly responses: { readonly [status: number]: Schema }
  readonly list?: ListShape
  /** The documented rejections by this endpoint, in addition to `COMMON_FAILURES`. */
  readonly failures: { readonly [name: string]: DocumentedFailure }
}

/** The names of the parameters in a path, such as `'id'` for `'/Bookings/{id}'`. */
export type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

type Details = Omit<Endpoint, 'id' | 'method' | 'path' | 'standing' | 'source' | 'auth'> &
  Partial<Pick<Endpoint, 'source' | 'auth'>>

type Defined<I, M, P, D> = D &
  Pick<Endpoint, 'standing' | 'source' | 'auth'> & { readonly id: I; readonly method: M; readonly path: P }

/**
 * Defines a documented endpoint and preserves its exact type. By default, the endpoint's source is the specification
 * section that is titled with its method and path.
 */
export function documented<const I extends string, M extends Method, P extends string, const D extends Details>(
  id: I,
  call: `${M} ${P}`,
  details: D,
): Defined<I, M, P, D> {
  return defined(id, call, { standing: 'documented', source: call, auth: 'api-key', ...details })
}

/** Defines an endpoint that the specification only mentions. By default, its source is "Other endpoints". */
export function assumed<const I extends string, M extends Method, P extends string, const D extends Details>(
  id: I,
  call: `${M} ${P}`,
  details: D,
): Defined<I, M, P, D> {
  return defined(id, call, { standing: 'assumed', source: 'Other endpoints', auth: 'api-key', ...details })
}

function defined<I, M, P, D>(id: I, call: string, details: D): D & { id: I; method: M; path: P } {
  const [method, path] = call.split(' ') as [M, P]
  return { id, method, path, ...details }
}

/** Defines a rejection by the service. By default, the rejection is documented and its body is `{message}`. */
export function refusal<const M extends string>(
  status: number,
  message: M,
  more: Partial<DocumentedFailure> = {},
): DocumentedFailure & { readonly message: M } {
  return { standing: 'documented', body: 'message', ...more, status, message }
}

/** Defines a rejection whose exact words are not in the specification. */
export function assumedRefusal<const M extends string>(
  status: number,
  message: M,
  more: Partial<DocumentedFailure> = {},
): DocumentedFailure & { readonly message: M } {
  return refusal(status, message, { standing: 'assumed', ...more })
}

/** Fills in the `{placeholders}` in a message. Leaves a placeholder unchanged if no value is given for it. */
export function fillMessage(failure: DocumentedFailure, values: Readonly<Record<string, string | number>> = {}) {
  return failure.message.replace(/\{(\w+)\}/g, (written, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : written,
  )
}
