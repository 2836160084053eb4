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

/** Translates calls to a service that is known to differ from the contract, and its responses. */
export interface DialectTranslator {
  readonly translateInput: <I extends TranslatableInput>(input: I) => I
  /**
   * Returns the member that contains a list, or '' if the response is the list. `undefined` means that it is as in the
   * contract.
   */
  readonly listMember: (id: string) => string | undefined
  /** Translates the times of a record. `null` if no times differ. */
  readonly translateRecord: ((text: string) => string) | null
  readonly translateAnswer: (endpoint: Endpoint, value: JsonValue) => JsonValue
}

/** Creates the translation for a service with known differences. */
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
