import type { JsonValue } from '../../json/exact.ts'
import { valueAt } from '../../json/paths.ts'
import type { Screen } from '../screen.ts'
import { terminalSafe } from '../text/safe-text.ts'
import { fieldText, textField } from './field.ts'

/**
 * Values between tabs, without quotes: each record is one line, and each tab ends a field, whatever the values are. Shell loops,
 * `cut` and `awk` read it.
 */

/** A line of column names, with its line end. */
export function tsvHeader(paths: readonly string[], screen: Screen): string {
  return tsvLine(paths.map((path) => textField(path, FILE)).map((text) => escaped(text, screen)))
}

/** A line of the members of a record at some paths, with its line end. Absent and null are empty; lists and objects are JSON. */
export function tsvRow(record: JsonValue, paths: readonly string[], screen: Screen): string {
  return tsvLine(paths.map((path) => escaped(fieldText(valueAt(record, path), FILE), screen)))
}

/** The escapes are a terminal's safety too, so that fields look the same everywhere. */
const FILE: Screen = { columns: null, color: false }

const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }

function escaped(text: string, { columns }: Screen): string {
  const line = text.replace(/[\t\n\r\\]/g, (character) => ESCAPES[character] ?? character)
  return columns === null ? line : terminalSafe(line)
}

function tsvLine(fields: readonly string[]): string {
  return `${fields.join('\t')}\n`
}
