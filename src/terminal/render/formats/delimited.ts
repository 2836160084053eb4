import { isJsonObject, type JsonValue, numberText } from '../../../base/json/exact.ts'
import { readerOf } from '../../../base/json/paths.ts'
import type { Screen } from '../screen.ts'
import { jsonOf } from '../text/plain-text.ts'
import { fileSafe, jsonTerminalSafe, terminalSafe } from '../text/safe-text.ts'

interface DelimitedLines {
  readonly header: string
  readonly rowOf: (record: JsonValue) => string
}

/**
 * Makes lines of the members of records at some paths. Absent and null are empty, numbers keep their digits, lists and objects are
 * JSON, and formulas are guarded. CSV is RFC 4180, but with LF line ends, which shell loops and `awk` read. In TSV nothing is quoted:
 * each record is one line, and each tab ends a field. Written by hand, as no library keeps numbers exact or guards against formulas.
 */
export function delimitedLines(format: 'csv' | 'tsv', paths: readonly string[], screen: Screen): DelimitedLines {
  const isCsv = format === 'csv'
  const separator = isCsv ? ',' : '\t'
  const written = isCsv ? quoted : (text: string) => escaped(text, screen)
  // The escapes of TSV are a terminal's safety too, so that fields look the same everywhere.
  const fieldScreen = isCsv ? screen : FILE
  const fieldOf = (value: JsonValue | undefined) => {
    const isPlain = typeof value === 'string' && isPlainField(value) && (isCsv || !value.includes('\\'))
    return isPlain ? value : written(fieldText(value, fieldScreen))
  }
  // A single empty field would make an empty line, which readers of CSV skip.
  const lineOf = (fields: string) => (fields === '' && isCsv ? '""\n' : `${fields}\n`)
  const readers = paths.map(readerOf)
  return {
    header: lineOf(paths.map((path) => written(fieldText(path, fieldScreen))).join(separator)),
    rowOf: (record) => {
      let line = ''
      for (const read of readers) line += separator + fieldOf(read(record))
      return lineOf(line.slice(1))
    },
  }
}

const FILE: Screen = { columns: null, color: false }

function quoted(text: string): string {
  // In many locales `;` or tab separates the fields of a CSV file.
  return /[",;\t\r\n]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }

function escaped(text: string, { columns }: Screen): string {
  const line = text.replace(/[\t\n\r\\]/g, (character) => ESCAPES[character] ?? character)
  return columns === null ? line : terminalSafe(line)
}

/** A value as text: exact for a file or pipe, made safe for a terminal. */
function fieldText(value: JsonValue | undefined, screen: Screen): string {
  if (value === undefined || value === null) return ''
  const isFile = screen.columns === null
  if (typeof value === 'string') return formulaGuard(value) + (isFile ? fileSafe(value) : terminalSafe(value))
  if (typeof value === 'boolean') return String(value)
  const number = numberText(value)
  if (number !== null) return number
  if (!isJsonObject(value) && !Array.isArray(value)) return ''
  return isFile ? fileSafe(jsonOf(value)) : jsonTerminalSafe(jsonOf(value))
}

/** Letters that are safe everywhere, in a text that does not begin like a formula and has nothing that CSV quotes. */
const PLAIN =
  /^[!#-*.-:<>?A-~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0391-\u03a1\u03a3-\u0482\u048a-\u052f][ !#-+\--:<-~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0391-\u03a1\u03a3-\u0482\u048a-\u052f]*$/

/** Whether a text needs no change in CSV, as most do. In TSV, a backslash needs one. */
function isPlainField(text: string): boolean {
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
