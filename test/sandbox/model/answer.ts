import { ANYTHING, atLeast } from './pattern.ts'
import type { Model } from './state.ts'
import type { Reply } from './wire.ts'

/** What the service must answer. `body` may hold patterns; undefined: there is none. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

export interface Call {
  readonly model: Model
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  // biome-ignore lint/suspicious/noExplicitAny: it is what was sent, right or wrong
  readonly body: any
  /** The digits of each number that was sent, by the name of its member. */
  readonly digits: Readonly<Record<string, string>>
  /** What came back. A rule takes from it only what the service chooses itself, such as an ID. */
  readonly reply: Reply
}

/** Says what the service must answer, and changes the model as the service must change. */
export type Rule = (call: Call) => Answer

export class Difference extends Error {
  override readonly name = 'Difference'
}

export const answer = (status: number, body?: unknown): Answer => ({ status, body })

export const refuse = (status: number, message: string): Answer => answer(status, { message })

/** A refusal in words that the specification does not have. */
export const assumedRefusal = (status: number, message: string): Answer => refuse(status, message)

/** A required field is missing or null. Source: "Body shapes". */
export const required = (field: string): Answer => refuse(400, `${field} is required`)

/** Something of the request has the wrong shape: Problem details, with `errors`. Source: "Body shapes". */
export const malformed = (): Answer => answer(400, atLeast({ status: 400, title: ANYTHING, errors: atLeast({}) }))

export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** True for what is there and no number. Assumed: a wrong type is refused before anything else is looked at. */
export const isNoNumber = (value: unknown): boolean =>
  value !== undefined && value !== null && typeof value !== 'number'

/** Takes a member of the answer that the service chooses. Fails: Difference when it is no text that says something. */
export function chosenText({ reply }: Call, member: string): string {
  const value = (reply.body as Record<string, unknown> | undefined)?.[member]
  if (typeof value === 'string' && value !== '') return value
  throw new Difference(`the answer should have a ${member}, and is ${reply.status} ${reply.text.slice(0, 300)}`)
}
