import { Failure } from '../../base/failure/failure.ts'
import { writeFileDurably } from '../../base/storage/durable-write.ts'
import { isWholeDay, parseInstant, toWireTime } from '../../base/time/instant.ts'
import { DAY_MS } from '../../base/time/units.ts'
import { dateIn } from '../../base/time/zone.ts'
import { collect } from '../../client/calls/list.ts'
import { listTables } from '../../contract/bookings/availability.ts'
import { readGivenText } from '../../features/shared/given-text.ts'
import { checkPlace } from '../../features/shared/place.ts'
import { mapText } from '../../features/shared/table-map.ts'
import { counted } from '../../features/shared/views/wording.ts'
import { agrees, checkNames } from '../../features/tables/check.ts'
import { readNames } from '../../features/tables/reading/names.ts'
import { TablesSeen } from '../../features/tables/service-tables.ts'
import { tableNameList } from '../../features/tables/views.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { CALL_FLAGS, flag, MANY_FLAGS, repeated } from '../../terminal/input/flags.ts'
import { interruptible } from '../../terminal/input/interruptible.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import { venueFile } from '../../terminal/runtime/many/venue-file.ts'

/** Each day of the week has its layout once. */
const DAYS = 7
/** Minutes that a table must be free to be listed: few, so that hardly one is left out. */
const FREE_MINUTES = 15

export default class TablesCheck extends PartnerCommand {
  static override summary = "Compare the POS's table names with the service's, and make a map of them."
  static override description =
    `FILE is CSV, a list with one name a line, or sales in NDJSON, as sales import takes them. A name gets one table or none: where two could be meant, both are named and neither is chosen.

--map-out writes what the service calls each name, as CSV (pos,service) to edit by hand; sales create and sales import take it as --table-map. The service lists free tables only, so seven days are asked for; a table that is never free on them counts as missing. The exit code is 11 when anything differs.

With --profiles, {profile} in FILE and in --map-out stands for the name of each profile.`
  static override usage = 'tables check FILE|- [FLAGS]'
  static override examples = [
    `echo '{"table":{"number":"T1"}}' | <%= config.bin %> <%= command.id %> - --json --query "[?kind!='same']"`,
    '<%= config.bin %> bookings tables --date tomorrow --duration 15 -o csv > tables.csv && <%= config.bin %> <%= command.id %> tables.csv --date tomorrow --column name --map-out map.csv',
  ]
  static override args = { file: requiredArgument('file of table names, or - for standard input') }
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override flags = {
    column: flag('NAME', 'Column of the CSV that has the names, or its number (default: the header tells).'),
    'map-out': flag('FILE', 'Write the map there; --yes replaces one that is there.'),
    date: repeated({
      helpValue: 'DAY',
      summary: 'A day whose tables to ask for (default: seven days from today). May be repeated.',
    }),
  }

  async run(): Promise<void> {
    const { args, flags, connection, service, show, host, say, warn } = await this.open(TablesCheck)
    const problems = new Problems()
    const now = host.now()
    const days = (timezone: string | null) => daysOf(flags.date, { now, timezone })
    problems.check(() => days(null))
    const fileOf = (given: string, what: string, example: string) =>
      problems.check(() => venueFile(host, given, { what, example })) ?? given
    const file = fileOf(args.file, 'FILE', 'tables-{profile}.csv')
    const mapOut = flags['map-out']
    const mapPath = mapOut === undefined ? undefined : fileOf(mapOut, '--map-out', 'map-{profile}.csv')
    if (mapPath !== undefined)
      problems.check(() => checkPlace(mapPath, flags.yes === true, { flag: '--map-out', example: 'DIR/tables.csv' }))
    const given = await problems.checkLater(async () => {
      const reading = { standardInput: () => process.stdin, what: 'a file of table names' }
      const { text, name } = await interruptible((signal) => readGivenText(file, { ...reading, signal }))
      return readNames(text, { name, column: flags.column })
    })
    const names = problems.settled(given, 'see partner tables check --help; nothing was sent')
    const timezone = await connection.timezone('list')
    const inputs = days(timezone).map((day) => ({ query: { Date: day, Duration: FREE_MINUTES } }))
    if (service.isDryRun)
      return service.showPlans(
        listTables,
        inputs.map((input) => service.complete(listTables, input)),
      )
    const seen = new TablesSeen()
    for (const input of inputs) {
      const found = await service.records(listTables, input)
      if (found !== null) seen.see(await collect(found))
    }
    if (seen.tables.length === 0) await warn('the service shows no table that is free on these days: see --date')
    const rows = checkNames(names, seen.tables)
    if (mapPath !== undefined) writeFileDurably(mapPath, mapText(rows), 0o644)
    await show.all(
      rows.map((row) => ({ ...row, candidates: row.candidates.map((one) => ({ ...one })) })),
      tableNameList,
    )
    const posRows = rows.filter(({ pos }) => pos !== null)
    const open = posRows.filter(({ service: known }) => known === null).length
    if (mapPath !== undefined) await say(mapWords(mapPath, posRows.length, open))
    const differing = posRows.filter((row) => !agrees(row)).length
    const unused = rows.length - posRows.length
    if (differing + unused === 0) return say(`all ${counted(posRows.length, 'name', 'names')} are those of the service`)
    throw new Failure('PARTIAL_FAILURE', differenceWords(posRows.length, differing, unused), {
      hint: mapPath === undefined ? 'see the rows; --map-out FILE writes a map for sales import --table-map' : HINT,
      details: { names: posRows.length, differing, unresolved: open, unused },
    })
  }
}

function differenceWords(names: number, differing: number, unused: number): string {
  const ofNames = `${differing} of ${counted(names, 'name', 'names')} ${differing === 1 ? 'differs' : 'differ'}`
  const ofTables = `no name means ${counted(unused, 'table', 'tables')} of the service`
  return [...(differing > 0 ? [ofNames] : []), ...(unused > 0 ? [ofTables] : [])].join(', and ')
}

const HINT = 'see the rows; what the map says is what sales import --table-map sends'

/** The days to ask for, as they are sent. Fails: USAGE. */
function daysOf(
  given: readonly string[] | undefined,
  { now, timezone }: { readonly now: number; readonly timezone: string | null },
): string[] {
  if (given === undefined) {
    const today = Date.parse(`${dateIn(now, timezone)}T00:00:00Z`)
    return Array.from({ length: DAYS }, (_, at) => new Date(today + at * DAY_MS).toISOString().slice(0, 10))
  }
  return given.map((text) => {
    const instant = parseInstant(text, { now, timezone, edge: 'lower', flag: '--date', weekdays: 'coming' })
    return isWholeDay(text) ? dateIn(instant, timezone) : toWireTime(instant)
  })
}

function mapWords(path: string, names: number, open: number): string {
  const rest = open === 0 ? '' : `; ${open} without a table: fill in the second column`
  return `wrote ${path}: ${counted(names, 'name', 'names')}${rest}`
}
