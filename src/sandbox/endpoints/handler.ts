import type { Endpoint, PathParameter } from '../../contract/endpoint.ts'
import type { EndpointId, Endpoints } from '../../contract/endpoints.ts'
import type { WebhookEvent } from '../../contract/events.ts'
import type { COMMON_FAILURES } from '../../contract/failures.ts'
import type { Infer, Schema } from '../../contract/shapes/schema.ts'
import type { DIARY_RECORDS, Diary } from '../store/diary.ts'
import type { Store } from '../store/store.ts'
import type { PlaceholderValues, Refused } from './refusals.ts'

/**
 * A request body or a part of it. The types of its members have been checked, but any member can be missing or `null`.
 */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]?: DeepPartial<T[Member]> | null | undefined }
    : T

type BodyOf<E extends Endpoint> = E['body'] extends Schema ? DeepPartial<Infer<E['body']>> : Record<string, never>

type FailureOf<E extends Endpoint> = (keyof E['failures'] & string) | keyof typeof COMMON_FAILURES

/**
 * The store that a handler receives. Its bookings, customers and sales are brought up to date only if the contract says
 * that the endpoint uses them.
 */
type StoreOf<E extends Endpoint> =
  Extract<E['touches'][number], (typeof DIARY_RECORDS)[number]> extends never ? Store : Diary

type AnnounceOf<E extends Endpoint> = E extends { readonly causes: WebhookEvent }
  ? (subject: string) => void
  : undefined

/** A request to an endpoint, with everything that the endpoint's handler needs. */
export interface EndpointRequest<E extends Endpoint = Endpoint> {
  readonly store: StoreOf<E>
  readonly parameters: Readonly<Record<PathParameter<E['path']>, string>>
  readonly query: URLSearchParams
  readonly body: BodyOf<E>
  /** The venue's time, in milliseconds since 1970. */
  readonly now: number
  /** Creates the error for a documented failure. The handler must throw it. */
  refuse(name: FailureOf<E>, values?: PlaceholderValues): Refused
  /** Queues the event that a successful request triggers. `subject` is a booking ID or a card number. */
  readonly announce: AnnounceOf<E>
}

/** A successful response with one of the endpoint's documented statuses. It has a `body`, a `stream`, or neither. */
export interface EndpointReply<E extends Endpoint = Endpoint> {
  readonly status: keyof E['responses'] & number
  readonly body?: unknown
  /** The JSON text in pieces, which are generated as the response is sent. */
  readonly stream?: Iterable<string>
}

/** Handles a request to an endpoint. Handlers are synchronous, because they can run in a transaction. */
export type Handler<E extends Endpoint> = (request: EndpointRequest<E>) => EndpointReply<E>

export type Handlers = { readonly [Id in EndpointId]: Handler<Endpoints[Id]> }
