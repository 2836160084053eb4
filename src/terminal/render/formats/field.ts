import { isJsonObject, type JsonValue, numberText } from '../../../base/json/exact.ts'
import type { Screen } from '../screen.ts'
import { jsonOf } from '../text/plain-text.ts'
import { fileSafe, jsonTerminalSafe, terminalSafe } from '../text/safe-text.ts'

/**
 * A value as the text of a field of CSV or TSV: '' for absent and null, numbers digit for digit, lists and objects as JSON. Into
 * a file or pipe the text is exact; at a terminal it is made safe. A formula is guarded.
 */
export function fieldText(value: JsonValue | undefined, screen: Screen): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return textField(value, screen)
  if (typeof value === 'boolean') return String(value)
  const number = numberText(value)
  if (number !== null) return number
  if (!isJsonObject(value) && !Array.isArray(value)) return ''
  const json = jsonOf(value)
  return screen.columns === null ? fileSafe(json) : jsonTerminalSafe(json)
}

/** A text, or the name of a column, in the same way. */
export function textField(text: string, screen: Screen): string {
  return formulaGuard(text) + (screen.columns === null ? fileSafe(text) : terminalSafe(text))
}

/**
 * Letters that are safe and the same on every screen and in every file, in a text that begins like no formula and holds nothing that
 * CSV quotes.
 */
const PLAIN =
  /^[!#-*.-:<>?A-~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0391-\u03a1\u03a3-\u0482\u048a-\u052f][ !#-+\--:<-~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0391-\u03a1\u03a3-\u0482\u048a-\u052f]*$/

/** True for a text that stands in CSV and TSV as it is, as most do; a backslash means something in TSV. */
export function isPlainField(text: string): boolean {
  return PLAIN.test(text) && !text.endsWith(' ')
}

/** What a spreadsheet takes for the start of a formula. The wide forms count in East Asian locales. */
const FORMULA_START = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Grouped digits: nothing that a spreadsheet could call or refer to. */
const PHONE_NUMBER = /^\+\(?\d[\d ().-]{5,30}$/

function formulaGuard(text: string): string {
  return FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) && !PHONE_NUMBER.test(text) ? "'" : ''
}
