import type { WireRecord } from '../../base/json/list/wire-record.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { type Clock, toWireTime } from '../../base/time/instant.ts'
import { describeRange } from '../../base/time/range-words.ts'
import {
  type BookingWindow,
  onlyDay,
  resolveWindow,
  splitWindow,
  type TimeRange,
  type WindowFlags,
} from '../../base/time/window.ts'
import type { Piece, Seam } from '../../client/calls/pieces.ts'
import { listBookings } from '../../contract/bookings/booking.ts'
import {
  type BookingFilters,
  checkFilterStatus,
  didYouMean,
  filterTest,
  serviceTest,
} from '../../features/bookings/filters.ts'
import { bookingList } from '../../features/bookings/views/booking.ts'
import { keepRecords, orElse } from '../../terminal/input/filters/kept-records.ts'
import { CHECKED_CALL_FLAGS, flag, MANY_FLAGS, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { noteClockChanges, uncheckedRange } from '../../terminal/input/values/time-range.ts'
import type { Screen } from '../../terminal/render/screen.ts'
import type { ListView } from '../../terminal/render/view.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { Service } from '../../terminal/runtime/service.ts'

export default class BookingsList extends PartnerCommand {
  static override summary = 'List bookings by booking time or by last change; without dates, those of today.'
  static override description =
    `Use --date, or --from and --to, or --updated-from and --updated-to, but not both kinds: the service answers a mixture with an empty list and no error. --guest, --status and --table are filters of this command: it reads all that the service sends, and --limit counts what is left.

TIME is 2026-11-20T18:00:00Z, 2026-11-20, "2026-11-20 18:00" (in the profile's timezone, else UTC), "tomorrow 18:00", 18:00, now, today, yesterday, tomorrow, -90m, -24h, -7d, or 24h for 24 hours ago.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --date tomorrow --service dinner --status confirmed',
    '<%= config.bin %> <%= command.id %> --from -30d --to +30d --guest "+61 491 570 156"',
    '<%= config.bin %> <%= command.id %> --updated-from 24h -o ndjson > changed.ndjson',
    '<%= config.bin %> <%= command.id %> --from -30d --to today -o csv --include-customer > bookings.csv',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CHECKED_CALL_FLAGS }
  static override flags = {
    date: flag('DAY', 'Booked for that day, such as 2026-12-24 (default: today).'),
    from: flag('TIME', 'Booked for TIME or later; to the end of that day without --to.'),
    to: flag('TIME', 'Booked for TIME or earlier.'),
    'updated-from': flag('TIME', 'Changed at or after TIME; until now without --updated-to.'),
    'updated-to': flag('TIME', 'Changed at or before TIME.'),
    guest: flag('TEXT', 'Only of guests with TEXT in their name, email or phone number.'),
    status: flag('CODE', 'Only with this status, as bookings statuses lists it.'),
    table: flag('NAME', 'Only at this table: T5, or SECTION/T5.'),
    service: flag('NAME', 'Only of this service, by its name.'),
    'include-customer': toggle('Include the guest of each booking.'),
    'exclude-cancelled': toggle('Leave out cancelled bookings.'),
    window: flag('DUR', 'Split a long range into requests of this length, such as 1d.'),
    limit: flag('N', 'Stop after N records.'),
  }

  async run(): Promise<void> {
    const { flags, connection, service, show, host, whisper, warn } = await this.open(BookingsList)
    const problems = new Problems()
    const limit = problems.wholeNumber('--limit', flags.limit, 1, Number.MAX_SAFE_INTEGER)
    const { window: length } = flags
    const windowMs =
      length === undefined ? undefined : problems.check(() => parseDuration(length, '--window', { minMs: 1000 }))
    for (const name of ['guest', 'status', 'table', 'service'] as const)
      if (flags[name]?.trim() === '') problems.add(`--${name} must not be empty`)
    const now = host.now()
    const { 'updated-from': updatedFrom, 'updated-to': updatedTo, date, from, to } = flags
    const read = (timezone: string | null) =>
      resolveWindow({ date, from, to, updatedFrom, updatedTo }, { now, timezone })
    const isChecked =
      !flags['no-validate'] || [date, from, to, updatedFrom, updatedTo].every((one) => one === undefined)
    if (!isChecked && length !== undefined) problems.add('--window splits a checked range: it excludes --no-validate')
    // Without the zone first, so that mistakes are reported before a profile is needed.
    if (isChecked) problems.check(() => read(null))
    problems.throwIfAny()
    const timezone = await connection.timezone('list')
    const window = isChecked ? read(timezone) : null
    if (window?.kind === 'booking') show.ofDay(onlyDay(window, timezone))
    const given = { '--from': from, '--to': to, '--updated-from': updatedFrom, '--updated-to': updatedTo }
    if (window !== null) {
      await whisper(`window: ${window.kind} from ${toWireTime(window.fromMs)} to ${toWireTime(window.toMs)}`)
      await noteClockChanges(given, { now, timezone }, warn)
    }
    const filters = {
      IncludeCustomerDetails: flags['include-customer'] || flags.guest !== undefined ? true : undefined,
      IncludeCancelledBookings: flags['exclude-cancelled'] ? false : undefined,
    }
    const ask = (ServiceName: string | undefined) => {
      if (window === null) {
        const dates = uncheckedDates({ date, from, to, updatedFrom, updatedTo }, { now, timezone })
        return service.records(listBookings, { query: { ...dates, ServiceName, ...filters } })
      }
      const inputFor = (range: TimeRange) => ({ query: { ...datesOf(window.kind, range), ServiceName, ...filters } })
      return windowMs === undefined
        ? service.records(listBookings, inputFor(window))
        : service.pieces(listBookings, piecesOf(window, windowMs, inputFor), SEAMS[window.kind])
    }
    const { batches, whenEmpty } = await found(service, ask, flags)
    const range =
      window === null ? '' : `${window.kind === 'updated' ? 'changed ' : ''}${describeRange(window, timezone)}`
    const isFiltered = (flags.guest ?? flags.status ?? flags.table ?? flags.service) !== undefined
    const scope = { words: `${range}${filterWords(flags)}`, isFiltered, limit, whenEmpty }
    const hasGuests = filters.IncludeCustomerDetails !== undefined
    await show.list(batches, { ...(hasGuests ? bookingList : withoutGuests(host.stderrScreen)), scope }, limit)
  }
}

/** Tells how to see who is coming: at a terminal in the footer, elsewhere where a column of the guest is named. */
function withoutGuests({ columns }: Screen): ListView {
  const guests = columns === null ? null : 'guests:\u00a0--include-customer'
  return {
    ...bookingList,
    footnote: (context) => [bookingList.footnote?.(context), guests].filter(Boolean).join(' · ') || null,
    flagFor: (path) => (/^customer(?:\.|$)/.test(path) ? '--include-customer' : null),
  }
}

/** Asks for the bookings of the range, of a service or of all. */
type Asking = (service: string | undefined) => Promise<AsyncGenerator<readonly WireRecord[]> | null>

type Filters = BookingFilters & { readonly service?: string | undefined }

/** The bookings of the range that pass the filters; and what to offer when there are none. */
async function found(service: Service, ask: Asking, filters: Filters) {
  const { guest, status, table } = filters
  const sent = await ask(filters.service)
  if (sent === null) return { batches: null }
  // The service may know its names in one spelling only.
  const ofService = filters.service === undefined ? null : serviceTest(filters.service)
  const inAnyCase = async () =>
    keepRecords((await ask(undefined)) ?? sent, (booking) => ofService?.passes(booking) ?? true)
  const named = ofService ? orElse(sent, inAnyCase) : sent
  const nearService = () => didYouMean(filters.service ?? '', ofService?.seen ?? new Set())
  if ((guest ?? status ?? table) === undefined) return { batches: named, whenEmpty: nearService }
  const test = filterTest(filters)
  const batches = orElse(keepRecords(named, test.passes), async () => {
    if (status !== undefined && !test.sawStatus()) await checkFilterStatus(service, status)
    return []
  })
  return { batches, whenEmpty: () => nearService() || didYouMean(table ?? '', test.seen) }
}

/** What tells bookings apart that lie where two pieces meet. One that was changed in between is another version of itself. */
const SEAMS: Readonly<Record<BookingWindow['kind'], Seam>> = {
  booking: { time: 'bookingTime', identity: ['bookingId'] },
  updated: { time: 'lastModifiedDate', identity: ['bookingId', 'lastModifiedDate'] },
}

function* piecesOf(
  { fromMs, toMs }: TimeRange,
  maxMs: number,
  inputFor: (range: TimeRange) => Piece['input'],
): Generator<Piece<typeof listBookings>> {
  for (const range of splitWindow(fromMs, toMs, maxMs)) yield { input: inputFor(range), endMs: range.toMs }
}

/** ` with guest "ada", status "SEATED"` */
function filterWords(flags: Filters): string {
  const names = (['guest', 'status', 'table', 'service'] as const).filter((name) => flags[name] !== undefined)
  return names.length === 0
    ? ''
    : ` with ${names.map((name) => `${name} ${JSON.stringify(shortened(flags[name] ?? ''))}`).join(', ')}`
}

const LONGEST_FILTER = 60

function shortened(text: string): string {
  return text.length > LONGEST_FILTER ? `${text.slice(0, LONGEST_FILTER)}…` : text
}

/** The parameters that `--no-validate` sends: both kinds of dates, as typed where they cannot be read. */
function uncheckedDates({ date, from, to, updatedFrom, updatedTo }: WindowFlags, clock: Clock) {
  const booked = uncheckedRange({ from: from ?? date, to: to ?? date }, clock)
  const updated = uncheckedRange({ from: updatedFrom, to: updatedTo }, clock)
  return { StartDate: booked.from, EndDate: booked.to, UpdatedFromDate: updated.from, UpdatedToDate: updated.to }
}

/** The parameters that ask for a piece of time. Source: "GET /Bookings". */
function datesOf(kind: BookingWindow['kind'], { fromMs, toMs }: TimeRange) {
  const [from, to] = [toWireTime(fromMs), toWireTime(toMs)]
  return kind === 'booking' ? { StartDate: from, EndDate: to } : { UpdatedFromDate: from, UpdatedToDate: to }
}
