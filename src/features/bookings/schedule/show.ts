import { usageFailure } from '../../../base/failure/failure.ts'
import { type Clock, toWireTime } from '../../../base/time/instant.ts'
import { getSingleDay, resolveRange, type TimeRange } from '../../../base/time/window.ts'
import { collect } from '../../../client/calls/list.ts'
import { getSchedule } from '../../../contract/bookings/availability.ts'
import { MAX_INT32 } from '../../../contract/shapes/scalars.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { warnAboutClockChanges } from '../../../terminal/input/values/time-range.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import { scheduleList, scheduleRows, scheduleSummary, scheduleSummaryList } from './views.ts'

type ScheduleFlags = { readonly [F in 'date' | 'from' | 'to' | 'people' | 'booking-id']?: string | undefined }

/**
 * Prints a schedule: unchanged as JSON, one row per time as CSV, or summarized as a table. Throws USAGE if a flag is
 * invalid. Rethrows errors from `Service.records`.
 */
export async function showSchedule(opened: Opened<ScheduleFlags, object>): Promise<void> {
  const { flags, connection, service, show, host, debug, warn } = opened
  const problems = new Problems()
  const people = problems.wholeNumber('--people', flags.people, 1, MAX_INT32)
  const now = host.now()
  problems.check(() => resolveScheduleRange(flags, { now, timezone: null }))
  problems.throwIfAny()
  const timezone = await connection.timezone('list')
  const range = resolveScheduleRange(flags, { now, timezone })
  show.ofDay(getSingleDay(range, timezone))
  const [from, to] = [toWireTime(range.fromMs), toWireTime(range.toMs)]
  await debug(`window: ${from} to ${to}`)
  const given = { '--date': flags.date, '--from': flags.from, '--to': flags.to }
  await warnAboutClockChanges(given, { now, timezone }, warn)
  const query = {
    ...{ BookingDateTimeStart: from, NumOfPeople: people, BookingDateTimeEnd: to },
    BookingId: flags['booking-id'],
  }
  const found = await service.records(getSchedule, { query })
  if (found === null) return
  const days = await collect(found)
  if (show.isQueried) return show.genericRecords(days)
  if (show.format === 'json' || show.format === 'ndjson') return show.all(days, scheduleList)
  const rows = scheduleRows(days)
  if (show.format !== 'table' || show.columns) return show.all(rows, scheduleList)
  const isShort = rows.some((row) => row['state'] !== 'free')
  const hides = isShort ? 'Not shown: times that are full or past (-o csv includes them)' : undefined
  await show.all(scheduleSummary(days, await show.context()), { ...scheduleSummaryList, scope: { words: '', hides } })
}

function resolveScheduleRange({ date, from, to }: ScheduleFlags, clock: Clock): TimeRange {
  const rule = { fromFlag: '--from', toFlag: '--to', openEnd: 'day' } as const
  if (date !== undefined && (from !== undefined || to !== undefined))
    throw usageFailure(['--date cannot be used together with --from or --to'], 'use --date for a whole day')
  if (date !== undefined)
    return resolveRange({ from: date }, { ...rule, fromFlag: '--date' }, { ...clock, weekdays: 'coming' })
  if (from === undefined) throw usageFailure(['--date or --from is required'], 'for example --date tomorrow')
  return resolveRange({ from, to }, rule, clock)
}
