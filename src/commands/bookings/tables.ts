import { collect } from '../../client/calls/list.ts'
import { listTables } from '../../contract/bookings/availability.ts'
import { MAX_INT32 } from '../../contract/shapes/scalars.ts'
import { tablesDate } from '../../features/shared/venue.ts'
import { diaryTableList, diaryTableRows } from '../../features/shared/views/diary-tables.ts'
import { CALL_FLAGS, flag, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { warnAboutClockChanges } from '../../terminal/input/values/time-range.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsTables extends PartnerCommand {
  static override summary = 'List the tables that are free on a date or at a time.'
  static override description =
    'reservations create accepts table IDs; bookings update-tables accepts sections and names. JSON has one record per section, with its tables; a terminal table and CSV have one row per restaurant table.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --date tomorrow',
    '<%= config.bin %> <%= command.id %> --date "tomorrow 19:00" --duration 120 --json',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override flags = {
    date: flag('DATE', 'The day, or a time: 2026-12-24, "2026-12-24 19:00", tomorrow (default: today).'),
    duration: flag('MIN', 'Number of minutes that a table must be free (default: 90).'),
  }

  async run(): Promise<void> {
    const { flags, connection, service, show, host, warn } = await this.open(BookingsTables)
    const problems = new Problems()
    const duration = problems.wholeNumber('--duration', flags.duration, 1, MAX_INT32)
    const now = host.now()
    const { date = 'today' } = flags
    problems.check(() => tablesDate(date, { now, timezone: null }))
    problems.throwIfAny()
    const timezone = await connection.timezone('list')
    await warnAboutClockChanges({ '--date': date }, { now, timezone }, warn)
    const query = { Date: tablesDate(date, { now, timezone }), Duration: duration }
    const found = await service.records(listTables, { query })
    if (found === null) return
    const sections = await collect(found)
    if (show.isQueried) return show.genericRecords(sections)
    const isJson = show.format === 'json' || show.format === 'ndjson'
    await show.all(isJson ? sections : diaryTableRows(sections), diaryTableList)
  }
}
