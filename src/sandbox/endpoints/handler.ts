import type { DocumentedFailure, Endpoint, PathParameter } from '../../contract/endpoint.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import type { Infer, Schema } from '../../contract/schema.ts'
import type { World } from '../world.ts'

/** A part of a request body as it may come: its types were checked against the contract, but anything may be missing or null. */
export type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]?: Given<T[Member]> | null | undefined }
    : T

type BodyOf<E extends Endpoint> = E['body'] extends Schema ? Given<Infer<E['body']>> : Record<string, never>

/** What an endpoint may refuse with: its own documented failures and those of every endpoint. */
type FailureOf<E extends Endpoint> = (keyof E['failures'] & string) | keyof typeof COMMON_FAILURES

/** What stands for the `{placeholders}` of a message. */
export type PlaceholderValues = Readonly<Record<string, string | number>>

/** Complaints about a request by member, as the validation variant of Problem details lists them. */
export type Complaints = Readonly<Record<string, readonly string[]>>

/** A refusal on its way to the caller; thrown, so that nothing that was written before it stays. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly failure: DocumentedFailure
  readonly values: PlaceholderValues

  constructor(failure: DocumentedFailure, values: PlaceholderValues = {}) {
    super(failure.message)
    this.failure = failure
    this.values = values
  }
}

/** A request whose shape is wrong: 400 with the validation variant of Problem details. Source: "Body shapes". */
export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly complaints: Complaints

  constructor(complaints: Complaints) {
    super('One or more validation errors occurred.')
    this.complaints = complaints
  }
}

/** One request to one endpoint, with what the handler needs to answer it. */
export interface Exchange<E extends Endpoint = Endpoint> {
  readonly world: World
  readonly parameters: Readonly<Record<PathParameter<E['path']>, string>>
  readonly query: URLSearchParams
  readonly body: BodyOf<E>
  /** The venue's present, milliseconds since 1970: the same throughout the exchange. */
  readonly now: number
  /** The refusal to throw; only failures that the endpoint documents have a name here. */
  refuse(name: FailureOf<E>, values?: PlaceholderValues): Refused
}

/** A success: its status is one that the endpoint documents. A `stream` is JSON text in pieces, in place of `body`. */
export interface Answer<E extends Endpoint = Endpoint> {
  readonly status: keyof E['responses'] & number
  readonly body?: unknown
  /** JSON text, ready to be sent. */
  readonly text?: string
  readonly stream?: Iterable<string>
}

/** Answers one endpoint. It runs whole inside one transaction when the endpoint writes, so it never waits. */
export type Handler<E extends Endpoint> = (exchange: Exchange<E>) => Answer<E>

/** Finds a failure by its name, at the endpoint first. */
export function failureNamed(endpoint: Endpoint, name: string): DocumentedFailure | undefined {
  if (Object.hasOwn(endpoint.failures, name)) return endpoint.failures[name]
  return Object.hasOwn(COMMON_FAILURES, name) ? COMMON_FAILURES[name as keyof typeof COMMON_FAILURES] : undefined
}
