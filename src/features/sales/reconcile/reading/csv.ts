import { CsvError, type CsvRow, parseCsv, SEPARATORS, stripFormulaGuard } from '../../../../base/csv.ts'
import { usageFailure } from '../../../../base/failure/failure.ts'
import { parseWallTime } from '../../../../base/time/calendar.ts'
import { hasOffset } from '../../../../base/time/wire-time.ts'
import { decodeUtf8 } from '../../../../base/utf8.ts'
import type { Closing, MapKey, PosFile, PosSale, SaleType } from '../ledger.ts'
import { parseSaleType, withSign } from '../ledger.ts'
import { centsOfUnits, type Units, unitsOf } from '../units.ts'
import { AmountReader } from './csv-amounts.ts'
import type { ColumnMap } from './map.ts'
import { UnreadableLines } from './unread-lines.ts'

const AMOUNTS = ['total', 'tax'] as const

/**
 * Reads sales from CSV. Detects the separator from the first line, and the decimal mark from all amounts. Throws USAGE.
 */
export function readCsv(bytes: Uint8Array, map: ColumnMap, name: string): PosFile {
  const text = decodeText(bytes, name)
  const unread = new UnreadableLines()
  const sales: PosSale[] = []
  try {
    const { rows, places, width } = parseTable(text, map, name)
    const cellOf = (row: CsvRow, key: MapKey) => cellAt(row, places.get(key))
    const amounts = new AmountReader()
    const bad = new Set<number>()
    const refuse = (line: number, why: string) => {
      unread.add(line, why)
      bad.add(line)
    }
    for (const row of rows()) {
      const { line, fields } = row
      const why = `it has ${fields.length} fields, but the first line has ${width}: quote fields that contain the separator`
      if (fields.slice(width).some((field) => field.trim() !== '')) refuse(line, why)
      for (const key of AMOUNTS) {
        const cell = cellOf(row, key)
        const wrong = cell === '' || bad.has(line) ? null : amounts.inspect(cell, line)
        if (wrong !== null) refuse(line, `${map.get(key)} ${wrong}`)
      }
    }
    for (const row of rows()) {
      if (bad.has(row.line)) continue
      const read = parseSale(row.line, (key) => cellOf(row, key), { map, amounts })
      if (typeof read === 'string') unread.add(row.line, read)
      else sales.push(read)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    unread.add(error.line, error.message)
  }
  unread.throwIfAny(name)
  return { sales, keys: new Set(map.keys()) }
}

function decodeText(bytes: Uint8Array, name: string): string {
  const text = decodeUtf8(bytes, name)
  if (text.trimStart().startsWith('{'))
    throw usageFailure(
      [`${name} is NDJSON, but --map is for CSV`],
      'omit --map and rename the file so that it ends in .ndjson',
    )
  return text
}

/** Returns the column names of a CSV file with any separator. Throws USAGE if the file is not text. */
export function readColumnNames(bytes: Uint8Array, name: string): readonly string[] {
  const text = decodeText(bytes, name)
  const none: ColumnMap = new Map()
  const best = bestSeparator(text, none)
  if (scoreSeparator(text, best, none) < 0) return []
  const [header] = parseCsv(text, best)
  return header === undefined ? [] : trimmed(header)
}

function trimmed({ fields }: CsvRow): string[] {
  return fields.map((field) => field.trim())
}

/**
 * Returns the position of each key's column, and a function that parses all rows each time it is called. Throws USAGE
 * or {@link CsvError}.
 */
function parseTable(text: string, map: ColumnMap, name: string) {
  // A first line such as `sep=;`, which spreadsheet programs understand, specifies the separator.
  const stated = /^sep=(.)\r?\n/.exec(text)?.[1]
  const separator = stated ?? bestSeparator(text, map)
  const all = () => parseCsv(text, separator)
  // Parse the whole file once, so that a file that is not CSV fails before a row is read.
  all().forEach(() => {})
  const before = stated === undefined ? 0 : 1
  const [header] = all().drop(before).take(1)
  const rows = () => all().drop(before + 1)
  if (header === undefined) throw usageFailure([`${name} is empty`], 'its first line must name the columns')
  const problems: string[] = []
  const places = new Map<MapKey, number>()
  for (const [key, column] of map) {
    const [place, ...others] = findColumns(header.fields, column)
    if (place === undefined) problems.push(`${name} has no column ${JSON.stringify(column)} (--map ${key})`)
    else if (others.length > 0)
      problems.push(`${name} has more than one column ${JSON.stringify(column)} (--map ${key})`)
    else places.set(key, place)
  }
  if (problems.length > 0) throw usageFailure(problems, `its columns are: ${trimmed(header).join(', ').slice(0, 400)}`)
  return { rows, places, width: header.fields.length }
}

function bestSeparator(text: string, map: ColumnMap): string {
  const [best = ','] = [...SEPARATORS].sort(
    (one, other) => scoreSeparator(text, other, map) - scoreSeparator(text, one, map),
  )
  return best
}

/**
 * Scores a separator by the number of mapped columns that it finds in the first row. The total number of columns breaks
 * ties.
 */
function scoreSeparator(text: string, separator: string, map: ColumnMap): number {
  try {
    const columns = parseCsv(text, separator).next().value?.fields ?? []
    return 1000 * [...map.values()].filter((column) => findColumns(columns, column).length > 0).length + columns.length
  } catch (error) {
    if (error instanceof CsvError) return -1
    throw error
  }
}

function findColumns(columns: readonly string[], wanted: string): readonly number[] {
  const find = (isSame: (column: string) => boolean) =>
    columns.flatMap((column, place) => (isSame(column.trim()) ? [place] : []))
  const exact = find((column) => column === wanted)
  return exact.length > 0 ? exact : find((column) => column.toLowerCase() === wanted.toLowerCase())
}

function cellAt({ fields }: CsvRow, place: number | undefined): string {
  return place === undefined ? '' : stripFormulaGuard((fields[place] ?? '').trim())
}

function parseSale(
  line: number,
  cell: (key: MapKey) => string,
  { map, amounts }: { readonly map: ColumnMap; readonly amounts: AmountReader },
): PosSale | string {
  const saleId = cell('saleId')
  if (saleId === '') return `${map.get('saleId')} is empty: a sale needs its ID`
  const originalSaleId = cell('originalSaleId') || null
  const type = parseType(cell('type'), originalSaleId, map)
  if (type === undefined) return `${map.get('type')} must be SALE, REFUND or VOID, not ${JSON.stringify(cell('type'))}`
  if (cell('total') === '') return `${map.get('total')} is empty: a sale needs its total`
  const total = parseAmount(cell('total'), amounts)
  if (typeof total === 'string') return `${map.get('total')} ${total}`
  const tax = cell('tax') === '' ? null : parseAmount(cell('tax'), amounts)
  if (typeof tax === 'string') return `${map.get('tax')} ${tax}`
  const closed = parseClosing(cell('closed'))
  if (closed === undefined)
    return `${map.get('closed')} ${JSON.stringify(cell('closed'))} is not an unambiguous time: write it as 2026-11-20 21:40, 20.11.2026 21:40 or 2026-11-20T10:40:00Z`
  const currency = cell('currency').toUpperCase() || null
  if (currency !== null && !/^[A-Z]{3}$/.test(currency))
    return `${map.get('currency')} must be a code such as AUD, not ${JSON.stringify(cell('currency'))}`
  const bookingId = cell('bookingId') || null
  const seats = cell('seats')
  if (!/^\d{0,6}$/.test(seats)) return `${map.get('seats')} must be a number of guests, not ${JSON.stringify(seats)}`
  return {
    ...{ line, saleId, bookingId, originalSaleId, currency, type, tax, closed },
    total: withSign(total, type),
    table: cell('tableNumber') || null,
    staffId: cell('staffId') || null,
    seats: seats === '' ? null : Number(seats),
  }
}

/**
 * Parses a sale's type. Returns `null` if the file does not specify a type, or `undefined` if the text is not a type.
 */
function parseType(text: string, parent: string | null, map: ColumnMap): SaleType | null | undefined {
  if (text !== '') return parseSaleType(text) ?? undefined
  if (parent !== null) return 'REFUND'
  return map.has('type') ? 'SALE' : null
}

function parseAmount(text: string, amounts: AmountReader): Units | string {
  const read = amounts.read(text)
  if ('wrong' in read) return read.wrong
  const units = unitsOf(read.decimal)
  if (units === null || centsOfUnits(units) === null) return `${JSON.stringify(text)} has a fraction of a cent`
  return units
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d?:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/i
const DOTTED = /^(\d\d?)\.(\d\d?)\.(\d{4})(?:,?\s+(\d\d?:\d\d(?::\d\d)?))?$/

/**
 * Parses a closing time. Returns `null` if the text is empty, or `undefined` if it is unreadable or ambiguous, such as
 * `05/11/2026`.
 */
function parseClosing(text: string): Closing | null | undefined {
  if (text === '') return null
  const [, day = '', month = '', year = '', at] = DOTTED.exec(text) ?? []
  const dotted = year === '' ? null : ([`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, at] as const)
  const iso = ISO.exec(text)
  const [date, clock] = dotted ?? [iso?.[1], iso?.[2]]
  if (date === undefined || parseWallTime(date) === null) return undefined
  if (clock === undefined) return { day: date }
  const [hour = '', minute = '', second = '00'] = clock.split(':')
  const time = `${hour.padStart(2, '0')}:${minute}:${second.slice(0, 2)}`
  if (parseWallTime(date, `${time}.000`) === null) return undefined
  const offset = iso?.[3]
  if (offset === undefined || !hasOffset(text)) return { local: `${date}T${time}` }
  const ms = Date.parse(`${date}T${time}${offset.toUpperCase()}`)
  return Number.isNaN(ms) ? undefined : { ms }
}
