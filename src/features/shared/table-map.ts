import { type CsvRow, CsvTrouble, csvRows, separatorOf } from '../../base/csv.ts'
import { usageFailure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonObject, numberText } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { flag } from '../../terminal/input/flags.ts'
import { readGivenText } from './given-text.ts'

const COLUMNS = ['pos', 'service'] as const

/** A spreadsheet would run a formula in a cell; an apostrophe before it makes it text. */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/** Writes a map as CSV: all names of the POS, in the order of the file, with a blank for each unknown table. */
export function mapText(rows: readonly { readonly pos: string | null; readonly service: string | null }[]): string {
  const lines = rows.flatMap(({ pos, service }) => (pos === null ? [] : [[pos, service ?? '']]))
  return [COLUMNS, ...lines].map((fields) => `${fields.map(field).join(',')}\n`).join('')
}

/** The service's names for the tables of a POS. */
export class TableMap {
  /** The name of the file, as typed. */
  readonly name: string
  readonly #tables: ReadonlyMap<string, MappedTable>

  private constructor(name: string, tables: ReadonlyMap<string, MappedTable>) {
    this.name = name
    this.#tables = tables
  }

  /** Fails: USAGE with the line that is damaged or contradicts another one. */
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
      if (fields.length !== width) throw damaged(name, line, `it has ${fields.length} columns, and line 1 has ${width}`)
      const [pos = '', service = ''] = columns.map((at) => unguarded(fields[at] ?? ''))
      if (pos.trim() === '') throw damaged(name, line, 'the column pos is empty')
      const earlier = tables.get(pos)
      if (earlier && earlier.service !== service)
        throw damaged(name, line, `${JSON.stringify(pos)} is another table in line ${earlier.line}`)
      tables.set(pos, earlier ?? { line, service })
    }
    if (columns === null) throw damaged(name, 1, 'it must begin with the columns pos,service')
    return new TableMap(name, tables)
  }

  /**
   * Returns a sale with the table number that the service knows. A sale without a table is unchanged; so is one with a
   * booking whose number the map does not have, because the service goes by the booking. `problem`: why the number could
   * not be replaced; null if nothing is wrong.
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
      ? `${this.name}, line ${found.line}, does not say what ${name} is at the service`
      : `${this.name} has no table ${name}`
    return { sale, problem }
  }
}

/** The service's name of a table is blank until somebody fills it in. */
type MappedTable = { readonly line: number; readonly service: string }

function columnsOf(header: readonly string[], line: number, name: string): readonly [number, number] {
  const at = (column: string) => header.findIndex((one) => one.trim().toLowerCase() === column)
  const [pos, service] = [at('pos'), at('service')]
  if (pos < 0 || service < 0) throw damaged(name, line, 'it must begin with the columns pos,service')
  return [pos, service]
}

function* rowsOf(text: string, name: string): Generator<CsvRow> {
  try {
    yield* csvRows(text, separatorOf(/^\s*(.*)/.exec(text)?.[1] ?? ''))
  } catch (error) {
    throw error instanceof CsvTrouble ? damaged(name, error.line, error.message) : error
  }
}

function damaged(name: string, line: number, problem: string): Error {
  return usageFailure(
    [`--table-map: ${name}, line ${line}: ${problem}`],
    'mend the line, or make the map anew with tables check --map-out; nothing was sent',
  )
}

function field(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function unguarded(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
}

export const TABLE_MAP_FLAG = {
  'table-map': flag('FILE', 'What the service calls the tables of the till (CSV pos,service; see help table-names).'),
} as const

/** Reads the map that `--table-map` names; null for none. Fails: USAGE, with the damaged line. */
export async function readTableMap(given: string | undefined): Promise<TableMap | null> {
  if (given === undefined) return null
  const what = 'a map of tables, such as tables check --map-out writes'
  const { text, name } = await readGivenText(given, { what, flag: '--table-map' })
  return TableMap.parse(text, name)
}
