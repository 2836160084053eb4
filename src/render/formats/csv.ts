import type { JsonValue } from '../../json/exact.ts'
import { valueAt } from '../../json/paths.ts'
import type { Screen } from '../screen.ts'
import { fieldText, textField } from './field.ts'

/**
 * CSV by RFC 4180, but with LF line ends, which shell loops and `awk` read. It is written by hand: no library keeps numbers exact
 * or guards against formulas, and what would be left for one is to add quotes.
 */

/** A line of column names, with its line end. */
export function csvHeader(paths: readonly string[], screen: Screen): string {
  return csvLine(paths.map((path) => quoted(textField(path, screen))))
}

/** A line of the members of a record at some paths, with its line end. Absent and null are empty; lists and objects are JSON. */
export function csvRow(record: JsonValue, paths: readonly string[], screen: Screen): string {
  return csvLine(paths.map((path) => quoted(fieldText(valueAt(record, path), screen))))
}

function csvLine(fields: readonly string[]): string {
  // A single empty field would make an empty line, which readers skip.
  return fields.length === 1 && fields[0] === '' ? '""\n' : `${fields.join(',')}\n`
}

function quoted(text: string): string {
  // In many locales `;` or tab separates the fields of a CSV file.
  return /[",;\t\r\n]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
