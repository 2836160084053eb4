import { formatCount } from '../../base/counted.ts'
import { Failure } from '../../base/failure/failure.ts'
import type { JsonValue } from '../../base/json/exact.ts'
import { writeFileDurably } from '../../base/storage/durable-write.ts'
import type { Clock } from '../../base/time/instant.ts'
import { DAY_MS } from '../../base/time/units.ts'
import { dateIn } from '../../base/time/zone.ts'
import { collect } from '../../client/calls/list.ts'
import { listTables } from '../../contract/bookings/availability.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { venueFile } from '../../terminal/runtime/many/venue-file.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { readGivenText } from '../shared/given-text.ts'
import { checkWritablePath } from '../shared/place.ts'
import { formatTableMap } from '../shared/table-map.ts'
import { tablesDate } from '../shared/venue.ts'
import { diaryTableRows } from '../shared/views/diary-tables.ts'
import { agrees, checkNames } from './check.ts'
import type { CheckedName, ServiceTable } from './output.ts'
import { readNames } from './reading/names.ts'
import { tableNameList } from './views.ts'

/** The default number of days to request tables for: one week, because table layouts repeat every week. */
const DAYS = 7
/** How long, in minutes, a table must be free to be listed. This is short, so that busy tables are listed too. */
const FREE_MINUTES = 15

interface CheckFlags {
  readonly column?: string | undefined
  readonly 'map-out'?: string | undefined
  readonly date?: readonly string[] | undefined
  readonly yes?: boolean | undefined
}

/**
 * Compares the table names in a file with the service's table names. With `--map-out`, also writes a table map. Throws
 * USAGE, or PARTIAL_FAILURE if any names differ.
 */
export async function checkTableNames(typedFile: string, flags: CheckFlags, parts: RunParts): Promise<void> {
  const { connection, service, show, host, say, warn } = parts
  const problems = new Problems()
  const now = host.now()
  problems.check(() => parseDays(flags.date, { now, timezone: null }))
  const fileOf = (given: string, what: string, example: string) =>
    problems.check(() => venueFile(host, given, what, example)) ?? given
  const file = fileOf(typedFile, 'FILE', 'tables-{profile}.csv')
  const mapOut = flags['map-out']
  const mapPath = mapOut === undefined ? undefined : fileOf(mapOut, '--map-out', 'map-{profile}.csv')
  if (mapPath !== undefined)
    problems.check(() =>
      checkWritablePath(mapPath, flags.yes === true, { flag: '--map-out', example: 'DIR/tables.csv' }),
    )
  const given = await problems.checkAsync(async () => {
    const { text, name } = await readGivenText(file, { mayBePiped: true, what: 'a file with table names' })
    return readNames(text, { name, column: flags.column })
  })
  const names = problems.valueOrThrow(given, 'nothing was sent; see partner tables check --help')
  const timezone = await connection.timezone('list')
  const inputs = parseDays(flags.date, { now, timezone }).map((day) => ({
    query: { Date: day, Duration: FREE_MINUTES },
  }))
  if (service.isDryRun) {
    const whole = inputs.map((input) => service.complete(listTables, input))
    return service.showPlans(listTables, whole)
  }
  const answers: (readonly JsonValue[])[] = []
  for (const input of inputs) {
    const found = await service.records(listTables, input)
    if (found !== null) answers.push(await collect(found))
  }
  const tables = serviceTables(answers.flat())
  if (tables.length === 0) await warn('the service lists no free tables for these days: choose other days with --date')
  const rows = checkNames(names, tables)
  if (mapPath !== undefined) writeFileDurably(mapPath, formatTableMap(rows), 0o644)
  await show.all(rows, tableNameList)
  const posRows = rows.filter(({ pos }) => pos !== null)
  const open = posRows.filter(({ service: known }) => known === null).length
  const counts = formatCount(posRows.length, 'name')
  const rest = open === 0 ? '' : `; ${open} without a table: fill in the second column`
  if (mapPath !== undefined) await say(`wrote ${mapPath}: ${counts}${rest}`)
  if (rows.every(agrees)) return say(`all ${counts} match the service`)
  throw differenceFailure(posRows, open, rows.length - posRows.length, mapPath !== undefined)
}

function differenceFailure(posRows: readonly CheckedName[], open: number, unused: number, isMapped: boolean): Failure {
  const differing = posRows.filter((row) => !agrees(row)).length
  const ofNames = `${differing} of ${formatCount(posRows.length, 'name')} ${differing === 1 ? 'differs' : 'differ'}`
  const ofTables = `${formatCount(unused, 'table')} of the service ${unused === 1 ? 'is' : 'are'} not in the file`
  const words = [...(differing > 0 ? [ofNames] : []), ...(unused > 0 ? [ofTables] : [])].join(', and ')
  return new Failure('PARTIAL_FAILURE', words, {
    hint: isMapped
      ? 'the rows show the differences; sales import --table-map sends the names in the map'
      : 'the rows show the differences; --map-out FILE writes a map for sales import --table-map',
    details: { names: posRows.length, differing, unresolved: open, unused },
  })
}

/** Returns the dates to request tables for. Throws USAGE if a given date is invalid. */
function parseDays(given: readonly string[] | undefined, clock: Clock): string[] {
  if (given !== undefined) return given.map((text) => tablesDate(text, clock))
  const today = Date.parse(`${dateIn(clock.now, clock.timezone)}T00:00:00Z`)
  return Array.from({ length: DAYS }, (_, at) => new Date(today + at * DAY_MS).toISOString().slice(0, 10))
}

/** Returns the distinct tables in the diary's sections. Tables without a name are skipped. */
function serviceTables(sections: readonly JsonValue[]): ServiceTable[] {
  const tables = new Map<string, ServiceTable>()
  for (const { name, _id, sectionName } of diaryTableRows(sections)) {
    const [tableId, section] = [textOrNull(_id), textOrNull(sectionName)]
    const key = JSON.stringify(tableId === null ? [name, section] : [tableId])
    if (typeof name === 'string' && name !== '' && !tables.has(key)) tables.set(key, { name, tableId, section })
  }
  return [...tables.values()]
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
