import { ANYTHING, atLeast } from './pattern.ts'
import type { Model } from './state.ts'
import type { Reply } from './wire.ts'

/** The expected response. `body` may contain patterns, and is undefined if the response has no body. */
export interface ExpectedResponse {
  readonly status: number
  readonly body: unknown
}

export interface Call {
  readonly model: Model
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  // biome-ignore lint/suspicious/noExplicitAny: requests may be valid or invalid
  readonly body: any
  /** The digits of each number in the request, by member name. */
  readonly digits: Readonly<Record<string, string>>
  /** The actual response. A rule reads from it only values that the service chooses itself, such as an ID. */
  readonly reply: Reply
}

/** Returns the expected response, and changes the model in the way that the service must change. */
export type Rule = (call: Call) => ExpectedResponse

export class Difference extends Error {
  override readonly name = 'Difference'
}

export const respond = (status: number, body?: unknown): ExpectedResponse => ({ status, body })

export const reject = (status: number, message: string): ExpectedResponse => respond(status, { message })

/** Expects a rejection whose message is not in the specification. */
export const assumedRejection = (status: number, message: string): ExpectedResponse => reject(status, message)

/** Expects the rejection of a request in which a required field is missing or `null`. Source: "Body shapes". */
export const required = (field: string): ExpectedResponse => reject(400, `${field} is required`)

/** Expects Problem details with `errors`, for a request of the wrong shape. Source: "Body shapes". */
export const malformed = (): ExpectedResponse =>
  respond(400, atLeast({ status: 400, title: ANYTHING, errors: atLeast({}) }))

export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Returns whether a value is present but not a number. Assumed: wrong types are rejected before any other check. */
export const isNonNumber = (value: unknown): boolean =>
  value !== undefined && value !== null && typeof value !== 'number'

/** Reads a member of the response that the service chooses itself. Throws Difference if it is not a non-empty text. */
export function readChosenText({ reply }: Call, member: string): string {
  const value = (reply.body as Record<string, unknown> | undefined)?.[member]
  if (typeof value === 'string' && value !== '') return value
  throw new Difference(`the response should have a ${member}, but is ${reply.status} ${reply.text.slice(0, 300)}`)
}
