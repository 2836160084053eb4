import { parseDuration } from '../../base/time/duration.ts'
import { toWireTime } from '../../base/time/instant.ts'
import { describeRange } from '../../base/time/range-words.ts'
import { type BookingWindow, getSingleDay, resolveWindow, splitWindow, type TimeRange } from '../../base/time/window.ts'
import type { Piece, Seam } from '../../client/calls/pieces.ts'
import { listBookings } from '../../contract/bookings/booking.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { uncheckedRange, warnAboutClockChanges } from '../../terminal/input/values/time-range.ts'
import type { Screen } from '../../terminal/render/screen.ts'
import type { ListView } from '../../terminal/render/view.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { type BookingFilters, describeFilters, FILTERS, findBookings } from './filters.ts'
import { bookingList } from './views/booking.ts'

type ListFlags = BookingFilters & {
  readonly [F in 'date' | 'from' | 'to' | 'updated-from' | 'updated-to' | 'window' | 'limit']?: string | undefined
} & { readonly [F in 'include-customer' | 'exclude-cancelled' | 'no-validate']?: boolean | undefined }

/**
 * Lists the bookings that match the flags. Reports all invalid flags before it requires a profile. Throws a USAGE
 * error that lists all problems. Also throws any error from `Service.records`.
 */
export async function listFromFlags(opened: Opened<ListFlags, object>): Promise<void> {
  const { flags, connection, service, show, host, debug, warn } = opened
  const problems = new Problems()
  const limit = problems.wholeNumber('--limit', flags.limit, 1, Number.MAX_SAFE_INTEGER)
  const { window: length } = flags
  const windowMs =
    length === undefined ? undefined : problems.check(() => parseDuration(length, '--window', { minMs: 1000 }))
  for (const name of FILTERS) if (flags[name]?.trim() === '') problems.add(`--${name} must not be empty`)
  const now = host.now()
  const { 'updated-from': updatedFrom, 'updated-to': updatedTo, date, from, to } = flags
  const read = (timezone: string | null) => resolveWindow({ date, from, to, updatedFrom, updatedTo }, { now, timezone })
  const isChecked = !flags['no-validate'] || [date, from, to, updatedFrom, updatedTo].every((one) => one === undefined)
  if (!isChecked && length !== undefined)
    problems.add('--window cannot be used together with --no-validate: only a range that was checked can be split')
  if (isChecked) problems.check(() => read(null))
  problems.throwIfAny()
  const timezone = await connection.timezone('list')
  const window = isChecked ? read(timezone) : null
  if (window?.kind === 'booking') show.ofDay(getSingleDay(window, timezone))
  if (window !== null) {
    await debug(`window: ${window.kind} from ${toWireTime(window.fromMs)} to ${toWireTime(window.toMs)}`)
    const given = { '--from': from, '--to': to, '--updated-from': updatedFrom, '--updated-to': updatedTo }
    await warnAboutClockChanges(given, { now, timezone }, warn)
  }
  const hasGuests = flags['include-customer'] || flags.guest !== undefined
  const filters = {
    IncludeCustomerDetails: hasGuests ? true : undefined,
    IncludeCancelledBookings: flags['exclude-cancelled'] ? false : undefined,
  }
  const ask = (ServiceName: string | undefined) => {
    const inputOf = (dates: object) => ({ query: { ...dates, ServiceName, ...filters } })
    if (window === null) {
      // With --no-validate, send both ranges if both are given, and send a malformed date as typed.
      const booked = uncheckedRange({ from: from ?? date, to: to ?? date }, { now, timezone })
      const updated = uncheckedRange({ from: updatedFrom, to: updatedTo }, { now, timezone })
      const dates = { ...dateParameters('booking', booked), ...dateParameters('updated', updated) }
      return service.records(listBookings, inputOf(dates))
    }
    const inputFor = ({ fromMs, toMs }: TimeRange) =>
      inputOf(dateParameters(window.kind, { from: toWireTime(fromMs), to: toWireTime(toMs) }))
    return windowMs === undefined
      ? service.records(listBookings, inputFor(window))
      : service.pieces(listBookings, splitIntoPieces(window, windowMs, inputFor), SEAMS[window.kind])
  }
  const { batches, whenEmpty } = await findBookings(service, ask, flags)
  const range =
    window === null ? '' : `${window.kind === 'updated' ? 'changed ' : ''}${describeRange(window, timezone)}`
  const isFiltered = FILTERS.some((name) => flags[name] !== undefined)
  const scope = { words: `${range}${describeFilters(flags)}`, isFiltered, limit, whenEmpty }
  await show.list(batches, { ...(hasGuests ? bookingList : withoutGuests(host.stderrScreen)), scope }, limit)
}

/**
 * Returns the list view without guests. At a terminal, the footer mentions --include-customer. The flag is also
 * mentioned if --columns names one of the guest's members.
 */
function withoutGuests({ columns }: Screen): ListView {
  const guests = columns === null ? null : 'guests:\u00a0--include-customer'
  return {
    ...bookingList,
    footnote: (context) => [bookingList.footnote?.(context), guests].filter(Boolean).join(' · ') || null,
    flagFor: (path) => (/^customer(?:\.|$)/.test(path) ? '--include-customer' : null),
  }
}

/**
 * The members that identify a booking. A booking in two adjacent parts of a range is listed only once. In a
 * range of change times, a booking that changed between the two requests is listed once per version.
 */
const SEAMS: Readonly<Record<BookingWindow['kind'], Seam>> = {
  booking: { time: 'bookingTime', identity: ['bookingId'] },
  updated: { time: 'lastModifiedDate', identity: ['bookingId', 'lastModifiedDate'] },
}

function* splitIntoPieces({ fromMs, toMs }: TimeRange, maxMs: number, inputFor: (range: TimeRange) => Piece['input']) {
  for (const range of splitWindow(fromMs, toMs, maxMs)) yield { input: inputFor(range), endMs: range.toMs }
}

/** Returns the query parameters for a date range. Source: "GET /Bookings". */
function dateParameters(kind: BookingWindow['kind'], { from, to }: { readonly from?: string; readonly to?: string }) {
  return kind === 'booking' ? { StartDate: from, EndDate: to } : { UpdatedFromDate: from, UpdatedToDate: to }
}
