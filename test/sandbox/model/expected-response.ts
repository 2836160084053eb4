import { ANYTHING, atLeast } from './pattern.ts'
import type { Model } from './state.ts'
import type { Reply } from './wire.ts'

/** The expected response. `body` can contain patterns. It is undefined if the response has no body. */
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
  /** The digits of each number in the request, keyed by member name. */
  readonly digits: Readonly<Record<string, string>>
  /**
   * The actual response. Rules must not read any values from it except those that the service chooses freely, such as
   * IDs.
   */
  readonly reply: Reply
}

/** Returns the expected response and updates the model as the service must update its data. */
export type Rule = (call: Call) => ExpectedResponse

export class Difference extends Error {
  override readonly name = 'Difference'
}

export const respond = (status: number, body?: unknown): ExpectedResponse => ({ status, body })

export const reject = (status: number, message: string): ExpectedResponse => respond(status, { message })

/** Returns a rejection with a message that the specification does not define. */
export const assumedRejection = (status: number, message: string): ExpectedResponse => reject(status, message)

/** Returns the rejection of a request in which a required field is missing or `null`. Source: "Body shapes". */
export const required = (field: string): ExpectedResponse => reject(400, `${field} is required`)

/** Returns the rejection of a malformed request: a Problem details object with `errors`. Source: "Body shapes". */
export const malformed = (): ExpectedResponse =>
  respond(400, atLeast({ status: 400, title: ANYTHING, errors: atLeast({}) }))

export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

/**
 * Returns whether a value is present but is not a number. The model assumes that the service checks types before
 * anything else.
 */
export const isNonNumber = (value: unknown): boolean =>
  value !== undefined && value !== null && typeof value !== 'number'

/**
 * Returns the string that the service has chosen for a member of the response. Throws Difference if the member is not a
 * non-empty string.
 */
export function readChosenText({ reply }: Call, member: string): string {
  const value = (reply.body as Record<string, unknown> | undefined)?.[member]
  if (typeof value === 'string' && value !== '') return value
  throw new Difference(`the response should have a ${member}, but is ${reply.status} ${reply.text.slice(0, 300)}`)
}
