import type { JsonValue } from '../../../base/json/exact.ts'
import { readerOf } from '../../../base/json/paths.ts'
import type { Screen } from '../screen.ts'
import { terminalSafe } from '../text/safe-text.ts'
import { fieldText, isPlainField, textField } from './field.ts'

/**
 * Values between tabs, without quotes: each record is one line, and each tab ends a field, whatever the values are. Shell loops,
 * `cut` and `awk` read it.
 */

/** A line of column names, with its line end. */
export function tsvHeader(paths: readonly string[], screen: Screen): string {
  return tsvLine(paths.map((path) => textField(path, FILE)).map((text) => escaped(text, screen)))
}

/** Makes lines of the members of records at some paths, with their line ends. Absent and null are empty; lists and objects are JSON. */
export function tsvRows(paths: readonly string[], screen: Screen): (record: JsonValue) => string {
  const readers = paths.map(readerOf)
  return (record) => tsvLine(readers.map((read) => fieldOf(read(record), screen)))
}

function fieldOf(value: JsonValue | undefined, screen: Screen): string {
  const isPlain = typeof value === 'string' && isPlainField(value) && !value.includes('\\')
  return isPlain ? value : escaped(fieldText(value, FILE), screen)
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
