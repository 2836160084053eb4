import type { Endpoint, PathParameter } from '../../contract/endpoint.ts'
import type { EndpointId, Endpoints } from '../../contract/endpoints.ts'
import type { WebhookEvent } from '../../contract/events.ts'
import type { COMMON_FAILURES } from '../../contract/failures.ts'
import type { Infer, Schema } from '../../contract/shapes/schema.ts'
import type { DIARY_RECORDS, Diary } from '../store/diary.ts'
import type { Store } from '../store/store.ts'
import type { PlaceholderValues, Refused } from './refusals.ts'

/** A part of a request body: its types were checked against the contract, but anything may be missing or null. */
export type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]?: Given<T[Member]> | null | undefined }
    : T

type BodyOf<E extends Endpoint> = E['body'] extends Schema ? Given<Infer<E['body']>> : Record<string, never>

/** What an endpoint may refuse with: its own documented failures and those of every endpoint. */
type FailureOf<E extends Endpoint> = (keyof E['failures'] & string) | keyof typeof COMMON_FAILURES

/** The store, in which an endpoint finds bookings, customers and sales only when its contract says that it touches them. */
type StoreOf<E extends Endpoint> =
  Extract<E['touches'][number], (typeof DIARY_RECORDS)[number]> extends never ? Store : Diary

type AnnounceOf<E extends Endpoint> = E extends { readonly causes: WebhookEvent }
  ? (subject: string) => void
  : undefined

/** One request to one endpoint, with all that its handler needs to answer. */
export interface EndpointRequest<E extends Endpoint = Endpoint> {
  readonly store: StoreOf<E>
  readonly parameters: Readonly<Record<PathParameter<E['path']>, string>>
  readonly query: URLSearchParams
  readonly body: BodyOf<E>
  /** The venue's time, milliseconds since 1970. */
  readonly now: number
  /** Makes the refusal to throw; only failures that the endpoint documents have a name here. */
  refuse(name: FailureOf<E>, values?: PlaceholderValues): Refused
  /** Tells subscribers of the event that the endpoint causes; `subject` is the booking's ID or the card's number. */
  readonly announce: AnnounceOf<E>
}

/** A success, with a status that the endpoint documents. At most one of `body` and `stream` is there. */
export interface EndpointReply<E extends Endpoint = Endpoint> {
  readonly status: keyof E['responses'] & number
  readonly body?: unknown
  /** JSON text in pieces, read as it is sent. */
  readonly stream?: Iterable<string>
}

/** Answers one endpoint. It runs in one transaction when the endpoint writes, and so never waits. */
export type Handler<E extends Endpoint> = (request: EndpointRequest<E>) => EndpointReply<E>

/** The handler of each endpoint, by its id. */
export type Handlers = { readonly [Id in EndpointId]: Handler<Endpoints[Id]> }
