import type { JsonValue } from '../../../base/json/exact.ts'
import { readerOf } from '../../../base/json/paths.ts'
import type { Screen } from '../screen.ts'
import { fieldText, isPlainField, textField } from './field.ts'

/**
 * CSV by RFC 4180, but with LF line ends, which shell loops and `awk` read. It is written by hand: no library keeps numbers exact
 * or guards against formulas, and what would be left for one is to add quotes.
 */

/** A line of column names, with its line end. */
export function csvHeader(paths: readonly string[], screen: Screen): string {
  return csvLine(paths.map((path) => quoted(textField(path, screen))).join(','))
}

/** Makes lines of the members of records at some paths, with their line ends. Absent and null are empty; lists and objects are JSON. */
export function csvRows(paths: readonly string[], screen: Screen): (record: JsonValue) => string {
  const readers = paths.map(readerOf)
  return (record) => {
    let line = ''
    for (const read of readers) {
      const value = read(record)
      const isPlain = typeof value === 'string' && isPlainField(value)
      line += `,${isPlain ? value : quoted(fieldText(value, screen))}`
    }
    return csvLine(line.slice(1))
  }
}

function csvLine(fields: string): string {
  // A single empty field would make an empty line, which readers skip.
  return fields === '' ? '""\n' : `${fields}\n`
}

function quoted(text: string): string {
  // In many locales `;` or tab separates the fields of a CSV file.
  return /[",;\t\r\n]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
