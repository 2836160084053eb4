import { CsvError, type CsvRow, detectSeparator, parseCsv } from '../../base/csv.ts'
import { usageFailure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonObject, numberText } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { flag } from '../../terminal/input/flags.ts'
import { readGivenText } from './given-text.ts'

const COLUMNS = ['pos', 'service'] as const

/** Matches cell text that a spreadsheet would run as a formula. A leading apostrophe makes it plain text. */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/**
 * Formats a table map as CSV. Lists all POS names in file order. Leaves the service name blank for an unknown table.
 */
export function formatTableMap(
  rows: readonly { readonly pos: string | null; readonly service: string | null }[],
): string {
  const lines = rows.flatMap(({ pos, service }) => (pos === null ? [] : [[pos, service ?? '']]))
  return [COLUMNS, ...lines].map((fields) => `${fields.map(field).join(',')}\n`).join('')
}

/** Maps a POS's table names to the service's. */
export class TableMap {
  /** The name of the map's file, as typed. */
  readonly name: string
  readonly #tables: ReadonlyMap<string, MappedTable>

  private constructor(name: string, tables: ReadonlyMap<string, MappedTable>) {
    this.name = name
    this.#tables = tables
  }

  /** Parses a map. Throws USAGE with the line number if a line is malformed or contradicts an earlier one. */
  static parse(text: string, name: string): TableMap {
    const tables = new Map<string, MappedTable>()
    let columns: readonly [number, number] | null = null
    let width = 0
    for (const { line, fields } of rowsOf(text, name)) {
      if (columns === null) {
        columns = columnsOf(fields, line, name)
        width = fields.length
        continue
      }
      if (fields.length !== width)
        throw malformedLine(name, line, `its number of columns (${fields.length}) differs from line 1's (${width})`)
      const [pos = '', service = ''] = columns.map((at) => withoutApostrophe(fields[at] ?? ''))
      if (pos.trim() === '') throw malformedLine(name, line, 'the column pos is empty')
      const earlier = tables.get(pos)
      if (earlier && earlier.service !== service)
        throw malformedLine(name, line, `${JSON.stringify(pos)} is mapped to a different table on line ${earlier.line}`)
      tables.set(pos, earlier ?? { line, service })
    }
    if (columns === null) throw malformedLine(name, 1, 'it must begin with the columns pos,service')
    return new TableMap(name, tables)
  }

  /**
   * Replaces a sale's table number with the service's. Leaves a sale without a table unchanged. Also leaves a sale
   * unchanged if it has a booking and its table is not mapped, because the service then uses the booking. `problem`
   * says why the number could not be replaced, or is `null`.
   */
  applyTo(sale: JsonObject): { readonly sale: JsonObject; readonly problem: string | null } {
    const table = sale['table']
    const number = valueAt(sale, 'table.number')
    const pos = typeof number === 'string' ? number : numberText(number)
    if (!isJsonObject(table) || pos === null || pos === '') return { sale, problem: null }
    const found = this.#tables.get(pos)
    if (found && found.service.trim() !== '')
      return { sale: { ...sale, table: { ...table, number: found.service } }, problem: null }
    if ((sale['bookingId'] ?? '') !== '') return { sale, problem: null }
    const name = JSON.stringify(pos)
    const problem = found
      ? `${this.name}, line ${found.line}, has no service name for ${name}`
      : `${this.name} has no table ${name}`
    return { sale, problem }
  }
}

/** A line of the map. `service` is blank until the user fills it in. */
type MappedTable = { readonly line: number; readonly service: string }

function columnsOf(header: readonly string[], line: number, name: string): readonly [number, number] {
  const at = (column: string) => header.findIndex((one) => one.trim().toLowerCase() === column)
  const [pos, service] = [at('pos'), at('service')]
  if (pos < 0 || service < 0) throw malformedLine(name, line, 'it must begin with the columns pos,service')
  return [pos, service]
}

function* rowsOf(text: string, name: string): Generator<CsvRow> {
  try {
    yield* parseCsv(text, detectSeparator(/^\s*(.*)/.exec(text)?.[1] ?? ''))
  } catch (error) {
    throw error instanceof CsvError ? malformedLine(name, error.line, error.message) : error
  }
}

function malformedLine(name: string, line: number, problem: string): Error {
  return usageFailure(
    [`--table-map: ${name}, line ${line}: ${problem}`],
    'fix the line or create the map again with tables check --map-out; nothing was sent',
  )
}

function field(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function withoutApostrophe(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
}

export const TABLE_MAP_FLAG = {
  'table-map': flag('FILE', "The service's names for the POS tables (CSV pos,service; see help table-names)."),
} as const

/**
 * Reads the map that `--table-map` names. Returns `null` if the flag is not given. Throws USAGE with the line number if
 * a line is malformed.
 */
export async function readTableMap(given: string | undefined): Promise<TableMap | null> {
  if (given === undefined) return null
  const what = 'a table map, such as the one that tables check --map-out writes'
  const { text, name } = await readGivenText(given, { what, flag: '--table-map' })
  return TableMap.parse(text, name)
}
