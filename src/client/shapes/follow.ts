import type { JsonValue } from '../../base/json/exact.ts'
import type { Dialect } from '../../contract/answers/dialect.ts'
import { answerInForm, listMemberOf, recordInForm, withCards } from '../../contract/answers/translate.ts'
import type { Endpoint } from '../../contract/endpoint.ts'

/** Where card numbers stand in the input of a call. */
interface Spelled {
  readonly path?: Readonly<Record<string, string>>
  readonly body?: JsonValue | undefined
}

/** How calls go to a service that is known to differ from the contract, and how its answers become what the contract says. */
export interface Following {
  /** The input of a call as the service wants it. */
  readonly spell: <I extends Spelled>(input: I) => I
  /** The member that holds a list, '' when the answer itself is the list; undefined: as the contract says. */
  readonly listMember: (id: string) => string | undefined
  /** A record of a list, its times in the documented form; null: they all are. */
  readonly record: ((text: string) => string) | null
  /** A whole answer in the documented form. */
  readonly answer: (endpoint: Endpoint, value: JsonValue) => JsonValue
}

/** Follows what a profile keeps of its service. */
export function follow(dialect: Dialect): Following {
  return {
    spell: (input) => ({
      ...input,
      ...(input.path ? { path: withCards(dialect, input.path) } : {}),
      ...(input.body === undefined ? {} : { body: withCards(dialect, input.body) }),
    }),
    listMember: (id) => listMemberOf(dialect, id),
    record: Object.keys(dialect.dates).length === 0 ? null : (text) => recordInForm(dialect, text),
    answer: (endpoint, value) => answerInForm(dialect, endpoint, value),
  }
}
