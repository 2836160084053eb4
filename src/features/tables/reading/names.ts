import { CsvError, detectSeparator, parseCsv } from '../../../base/csv.ts'
import { usageFailure } from '../../../base/failure/failure.ts'
import { findNearest } from '../../../base/failure/nearest.ts'
import { isJsonObject, numberText, parseExactOrNull } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'

/** Column headings that always mean table names. They are in lower case, without spaces and punctuation. */
const CERTAIN_HEADINGS = [
  'tablename',
  'tablenumber',
  'tableno',
  'tablenr',
  'tablenum',
  'table',
  'tables',
  'tbl',
  'postable',
  'pos',
]

/** Column headings that might mean table names. They are used only if no column has one of the headings above. */
const LIKELY_HEADINGS = ['name', 'number', 'no', 'nr', 'num']

export interface PosNames {
  /** The names in file order, each with its line numbers. */
  readonly names: ReadonlyMap<string, readonly number[]>
  /** Whether the file contains sales. Sales can repeat tables and do not have to mention every table. */
  readonly isSales: boolean
}

export interface NamesReading {
  readonly name: string
  /**
   * The name or number of the column with the table names. If it is `undefined`, the column is found by its heading.
   */
  readonly column: string | undefined
}

/**
 * Reads table names from a CSV file with a header, from a list with one name per line, or from sales in NDJSON. Throws
 * USAGE if the file is malformed, contains no names, or has several possible columns. If a single line is at fault, the
 * error gives its number.
 */
export function readNames(text: string, reading: NamesReading): PosNames {
  const names = new Map<string, number[]>()
  const isSales = text.trimStart().startsWith('{')
  if (isSales && reading.column !== undefined)
    throw usageFailure([`--column works only with CSV, but ${reading.name} contains sales (NDJSON)`], 'omit --column')
  for (const { line, value } of isSales ? readSales(text, reading) : readTables(text, reading)) {
    if (value.trim() === '') continue
    const lines = names.get(value)
    if (lines) lines.push(line)
    else names.set(value, [line])
  }
  if (names.size > 0) return { names, isSales }
  throw usageFailure([`${reading.name} has no table names`], 'use CSV, one name per line, or sales in NDJSON')
}

interface Found {
  readonly line: number
  readonly value: string
}

function* readSales(text: string, { name }: NamesReading): Generator<Found> {
  for (const [at, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue
    const sale = parseExactOrNull(content)
    if (!isJsonObject(sale))
      throw usageFailure(
        [`${name}, line ${at + 1}: the line is not a JSON object`],
        'each line must be a sale in the format of sales import',
      )
    const number = valueAt(sale, 'table.number')
    yield { line: at + 1, value: typeof number === 'string' ? number : (numberText(number) ?? '') }
  }
}

function readTables(text: string, { name, column }: NamesReading): Iterable<Found> {
  if (/^\s*\[\s*["{\]]/.test(text))
    throw usageFailure(
      [`${name} is a JSON array, but must be CSV, one name per line, or NDJSON`],
      "convert it: jq -c '.[]'",
    )
  const first = /^\s*(.*)/.exec(text)?.[1] ?? ''
  const separator = detectSeparator(first)
  const lines = parseLines(text)
  const hasColumns = column !== undefined || findHeaderColumn([...fieldsOf(first, name)], name) !== null
  if (!hasColumns) {
    refuseUnlabelledColumns(lines, name)
    return lines.filter(({ value }, at) => at > 0 || !isHeaderWord(value))
  }
  return readColumn([...rowsOf(text, separator, name)], name, column)
}

function fieldsOf(line: string, name: string): readonly string[] {
  const [row] = rowsOf(
    /^[^"]*(?:"[^"]*"[^"]*)*$/.test(line) ? line : line.replaceAll('"', ''),
    detectSeparator(line),
    name,
  )
  return row?.fields ?? []
}

function readColumn(
  rows: readonly { readonly line: number; readonly fields: readonly string[] }[],
  name: string,
  column: string | undefined,
): Found[] {
  const header = rows[0]?.fields ?? []
  const { at, hasHeader } =
    column === undefined
      ? { at: findHeaderColumn(header, name) ?? 0, hasHeader: true }
      : findColumn(header, column, name)
  return rows.slice(hasHeader ? 1 : 0).map(({ line, fields }) => {
    const value = fields[at]
    if (value === undefined || fields.slice(header.length).some((field) => field.trim() !== ''))
      throw usageFailure(
        [
          `${name}, line ${line}: its number of columns (${fields.length}) differs from the first line's (${header.length})`,
        ],
        'nothing was sent; quote names that contain a comma',
      )
    return { line, value }
  })
}

/** Returns the names in a list with their line numbers. Quotes around a name are removed. */
function parseLines(text: string): Found[] {
  return text.split(/\r\n|\n|\r/).flatMap((content, at) => {
    const [, quoted] = /^\s*"((?:[^"]|"")*)"\s*$/.exec(content) ?? []
    return content.trim() === '' ? [] : [{ line: at + 1, value: quoted?.replaceAll('""', '"') ?? content }]
  })
}

/** Throws USAGE if a file has several columns but no heading for table names. */
function refuseUnlabelledColumns(lines: readonly Found[], name: string): void {
  const [first, second] = lines
  if (first === undefined || second === undefined) return
  const separator = detectSeparator(first.value)
  const width = first.value.split(separator).length
  if (width < 2 || lines.some(({ value }) => value.split(separator).length !== width)) return
  throw usageFailure(
    [`${name} has ${width} columns, but no header that shows which one contains the table names`],
    'specify the column by number, such as --column 1, or quote names that contain a comma',
  )
}

function* rowsOf(text: string, separator: ReturnType<typeof detectSeparator>, name: string) {
  try {
    yield* parseCsv(text, separator)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw usageFailure([`${name}, line ${error.line}: ${error.message}`], 'nothing was sent; fix the line')
  }
}

function isHeaderWord(text: string): boolean {
  return [...CERTAIN_HEADINGS, ...LIKELY_HEADINGS].includes(normalizeHeading(text))
}

/**
 * Returns the index of the column with a heading for table names, or `null` if no column has one. Throws USAGE if
 * several columns have one.
 */
function findHeaderColumn(header: readonly string[], name: string): number | null {
  if (header.length < 2) return null
  for (const words of [CERTAIN_HEADINGS, LIKELY_HEADINGS]) {
    const found = header.flatMap((field, at) => (words.includes(normalizeHeading(field)) ? [at] : []))
    if (found.length > 1)
      throw usageFailure(
        [`${name} has more than one column that could contain the table names`],
        `choose one with --column NAME: ${columnNames(found.map((at) => header[at] ?? ''))}`,
      )
    if (found[0] !== undefined) return found[0]
  }
  return null
}

/**
 * Finds a column by its name or its 1-based number. If a number is given, the first row is skipped only if it looks
 * like a header.
 */
function findColumn(header: readonly string[], column: string, name: string) {
  const exact = header.findIndex((field) => field.trim() === column.trim())
  const at =
    exact >= 0
      ? exact
      : header.findIndex(
          (field) => normalizeHeading(field) !== '' && normalizeHeading(field) === normalizeHeading(column),
        )
  if (at >= 0) return { at, hasHeader: true }
  const number = /^[1-9]\d{0,3}$/.test(column) ? Number(column) : null
  if (number !== null && number <= header.length) return { at: number - 1, hasHeader: header.some(isHeaderWord) }
  const near = findNearest(column, header)
  throw usageFailure(
    [`--column: ${name} has no column ${JSON.stringify(column)}`],
    near ? `did you mean ${near}?` : `it has ${columnNames(header)}`,
  )
}

function columnNames(header: readonly string[]): string {
  const shown = header.slice(0, 8).map((field) => JSON.stringify(field.trim()))
  return `${shown.join(', ')}${header.length > shown.length ? ', …' : ''}`
}

function normalizeHeading(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{Nd}]+/gu, '')
}
