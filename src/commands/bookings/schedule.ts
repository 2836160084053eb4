import { usageFailure } from '../../base/failure/failure.ts'
import type { JsonValue } from '../../base/json/exact.ts'
import { toWireTime } from '../../base/time/instant.ts'
import { onlyDay, resolveRange, type TimeRange } from '../../base/time/window.ts'
import { collect } from '../../client/calls/list.ts'
import { getSchedule } from '../../contract/bookings/availability.ts'
import { MAX_INT32 } from '../../contract/shapes/scalars.ts'
import {
  scheduleList,
  scheduleRows,
  scheduleSummary,
  scheduleSummaryList,
} from '../../features/bookings/schedule/views.ts'
import { CALL_FLAGS, flag, MANY_FLAGS, requiredFlag } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { noteClockChanges } from '../../terminal/input/values/time-range.ts'
import type { Show } from '../../terminal/output/show.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsSchedule extends PartnerCommand {
  static override summary = 'Show which services and times are free for a party.'
  static override description =
    'Use the service and section IDs listed here to create a reservation. The table is a summary; CSV has a row for each time.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --date tomorrow --people 4',
    '<%= config.bin %> <%= command.id %> --date today --people 2 --json',
    '<%= config.bin %> <%= command.id %> --from "tomorrow 18:00" --to "tomorrow 21:00" --people 6 -o csv',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override flags = {
    date: flag('DATE', 'The day: 2026-12-24, today, tomorrow.'),
    from: flag('TIME', 'Start of the range; to the end of that day without --to.'),
    to: flag('TIME', 'End of the range.'),
    people: requiredFlag('N', 'Party size (pax).'),
    'booking-id': flag('ID', 'Find other times for this booking.'),
  }

  async run(): Promise<void> {
    const { flags, connection, service, show, host, whisper, warn } = await this.open(BookingsSchedule)
    const problems = new Problems()
    const people = problems.wholeNumber('--people', flags.people, 1, MAX_INT32)
    const now = host.now()
    const read = (timezone: string | null) => resolveScheduleRange(flags, { now, timezone })
    problems.check(() => read(null))
    problems.throwIfAny()
    const timezone = await connection.timezone('list')
    const { fromMs, toMs } = read(timezone)
    show.ofDay(onlyDay({ fromMs, toMs }, timezone))
    await whisper(`window: ${toWireTime(fromMs)} to ${toWireTime(toMs)}`)
    const given = { '--date': flags.date, '--from': flags.from, '--to': flags.to }
    await noteClockChanges(given, { now, timezone }, warn)
    const days = await service.records(getSchedule, {
      query: {
        BookingDateTimeStart: toWireTime(fromMs),
        NumOfPeople: people,
        BookingDateTimeEnd: toWireTime(toMs),
        BookingId: flags['booking-id'],
      },
    })
    if (days !== null) await showDays(show, await collect(days))
  }
}

/** Shows the schedule: as it came in JSON, with a row for each time in CSV, as a summary in a table. */
async function showDays(show: Show, days: readonly JsonValue[]): Promise<void> {
  if (show.isQueried) return show.allFound(days)
  if (show.format === 'json' || show.format === 'ndjson') return show.all(days, scheduleList)
  if (show.format !== 'table' || show.columns) return show.all(scheduleRows(days), scheduleList)
  const isShort = scheduleRows(days).some((row) => row['state'] !== 'free')
  const hides = isShort ? 'Not shown: times that are full or past (-o csv has them)' : undefined
  const view = { ...scheduleSummaryList, scope: { words: '', hides } }
  return show.all(scheduleSummary(days, await show.context()), view)
}

interface RangeFlags {
  readonly date?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The range that `--date`, or `--from` and `--to`, ask for. Fails: USAGE. */
function resolveScheduleRange(
  { date, from, to }: RangeFlags,
  clock: { now: number; timezone: string | null },
): TimeRange {
  if (date !== undefined && (from !== undefined || to !== undefined))
    throw usageFailure(['--date cannot be given together with --from or --to'], 'use --date for a whole day')
  if (date !== undefined)
    return resolveRange(
      { from: date },
      { fromFlag: '--date', toFlag: '--to', openEnd: 'day' },
      {
        ...clock,
        weekdays: 'coming',
      },
    )
  if (from === undefined) throw usageFailure(['--date or --from is required'], 'for example --date tomorrow')
  return resolveRange({ from, to }, { fromFlag: '--from', toFlag: '--to', openEnd: 'day' }, clock)
}
