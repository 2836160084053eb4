import type { JsonValue } from '../../base/json/exact.ts'
import type { Dialect } from '../../contract/answers/dialect.ts'
import {
  listMemberOf,
  recordInForm,
  translateCardNumbers,
  translateResponse,
} from '../../contract/answers/translate.ts'
import type { Endpoint } from '../../contract/endpoint.ts'

type TranslatableInput = { readonly path?: Readonly<Record<string, string>>; readonly body?: JsonValue | undefined }

/** Translates requests to a service that is known to differ from the contract, and translates its responses back. */
export interface DialectTranslator {
  readonly translateInput: <I extends TranslatableInput>(input: I) => I
  /**
   * Returns the name of the member that contains an endpoint's list, or '' if the response itself is the list. Returns
   * `undefined` if the name in the contract is correct.
   */
  readonly listMember: (id: string) => string | undefined
  /** Translates the times in a record. `null` if the service formats times as described in the contract. */
  readonly translateRecord: ((text: string) => string) | null
  readonly translateAnswer: (endpoint: Endpoint, value: JsonValue) => JsonValue
}

/** Creates a translator for a service that is known to differ from the contract. */
export function createTranslator(dialect: Dialect): DialectTranslator {
  return {
    translateInput: (input) => ({
      ...input,
      ...(input.path ? { path: translateCardNumbers(dialect, input.path) } : {}),
      ...(input.body === undefined ? {} : { body: translateCardNumbers(dialect, input.body) }),
    }),
    listMember: (id) => listMemberOf(dialect, id),
    translateRecord: Object.keys(dialect.dates).length === 0 ? null : (text) => recordInForm(dialect, text),
    translateAnswer: (endpoint, value) => translateResponse(dialect, endpoint, value),
  }
}
