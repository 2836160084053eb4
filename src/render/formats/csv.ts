import { isJsonObject, type JsonValue, numberText } from '../../json/exact.ts'
import { valueAt } from '../../json/paths.ts'
import { jsonOf } from '../text/plain-text.ts'
import { jsonTerminalSafe, terminalSafe } from '../text/safe-text.ts'

/**
 * CSV by RFC 4180, written by hand: no library keeps numbers exact or guards against formulas, and what would be left for one
 * is to add quotes.
 */

/** A line of column names, with its line end. */
export function csvHeader(paths: readonly string[]): string {
  return csvLine(paths.map(textField))
}

/** A line of the members of a record at some paths, with its line end. Absent and null are empty; lists and objects are JSON. */
export function csvRow(record: JsonValue, paths: readonly string[]): string {
  return csvLine(paths.map((path) => field(valueAt(record, path))))
}

function csvLine(fields: readonly string[]): string {
  // A single empty field would make an empty line, which readers skip.
  return fields.length === 1 && fields[0] === '' ? '""\r\n' : `${fields.join(',')}\r\n`
}

function field(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return textField(value)
  if (typeof value === 'boolean') return String(value)
  const number = numberText(value)
  if (number !== null) return number
  return isJsonObject(value) || Array.isArray(value) ? quoted(jsonTerminalSafe(jsonOf(value))) : ''
}

function textField(text: string): string {
  return quoted(formulaGuard(text) + terminalSafe(text))
}

/** What a spreadsheet takes for the start of a formula. The wide forms count in East Asian locales. */
const FORMULA_START = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Grouped digits: nothing that a spreadsheet could call or refer to. */
const PHONE_NUMBER = /^\+\(?\d[\d ().-]{5,30}$/

function formulaGuard(text: string): string {
  return FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) && !PHONE_NUMBER.test(text) ? "'" : ''
}

function quoted(text: string): string {
  // In many locales `;` or tab separates the fields of a CSV file.
  return /[",;\t\r\n]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
