import { isJsonObject, type JsonValue, numberText } from '../../../base/json/exact.ts'
import { getPathReader } from '../../../base/json/paths.ts'
import type { Screen } from '../screen.ts'
import { jsonOf } from '../text/plain-text.ts'
import { fileSafe, jsonTerminalSafe, terminalSafe } from '../text/safe-text.ts'

/**
 * Formats records as CSV (RFC 4180 with LF line endings) or TSV. Numbers keep all digits. Formulas are escaped, so that
 * spreadsheets do not evaluate them.
 */
export function delimitedLines(format: 'csv' | 'tsv', paths: readonly string[], screen: Screen) {
  const isCsv = format === 'csv'
  const separator = isCsv ? ',' : '\t'
  const written = isCsv ? quoted : (text: string) => escaped(text, screen)
  // TSV escapes also make fields safe for a terminal, so a field looks the same in a file and on the screen.
  const fieldScreen = isCsv ? screen : FILE
  const fieldOf = (value: JsonValue | undefined) => {
    const isPlain = typeof value === 'string' && PLAIN.test(value) && !value.endsWith(' ')
    return isPlain && (isCsv || !value.includes('\\')) ? value : written(fieldText(value, fieldScreen))
  }
  // Quote an empty field, because CSV readers skip empty lines.
  const lineOf = (fields: string) => (fields === '' && isCsv ? '""\n' : `${fields}\n`)
  const readers = paths.map(getPathReader)
  return {
    fieldOf,
    header: lineOf(paths.map((path) => written(fieldText(path, fieldScreen))).join(separator)),
    rowOf: (record: JsonValue): string => {
      let line = ''
      for (const read of readers) line += separator + fieldOf(read(record))
      return lineOf(line.slice(1))
    },
  }
}

export type DelimitedLines = ReturnType<typeof delimitedLines>

const FILE: Screen = { columns: null, color: false }

function quoted(text: string): string {
  // Also quote fields that contain `;` or tabs, because they are the separators in many locales.
  return /[",;\t\r\n]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }

function escaped(text: string, { columns }: Screen): string {
  const line = text.replace(/[\t\n\r\\]/g, (character) => ESCAPES[character] ?? character)
  return columns === null ? line : terminalSafe(line)
}

/** Formats a value: unchanged for a file or pipe, and escaped for a terminal. */
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

/**
 * Matches most strings that are written unchanged. The caller must also check for trailing spaces and, in TSV,
 * backslashes.
 */
const PLAIN =
  /^[!#-*.-:<>?A-~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0391-\u03a1\u03a3-\u0482\u048a-\u052f][ !#-+\--:<-~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0391-\u03a1\u03a3-\u0482\u048a-\u052f]*$/

/**
 * The characters that start a formula in a spreadsheet. Spreadsheets in East Asian locales also accept the full-width
 * forms.
 */
const FORMULA_START = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Matches grouped digits, such as a phone number. A spreadsheet cannot interpret them as a function or reference. */
const PHONE_NUMBER = /^\+\(?\d[\d ().-]{5,30}$/

function formulaGuard(text: string): string {
  return FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) && !PHONE_NUMBER.test(text) ? "'" : ''
}
