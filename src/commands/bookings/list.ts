import { CALL_FLAGS, flag, toggle } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { listBookings } from '../../contract/bookings/booking.ts'
import { parseDuration } from '../../time/duration.ts'
import { toWireTime } from '../../time/instant.ts'
import { type BookingWindow, onlyDay, resolveWindow, splitWindow } from '../../time/window.ts'
import { bookingList } from '../../views/bookings/booking.ts'

export default class BookingsList extends PartnerCommand {
  static override summary = 'List bookings by booking time or by last change.'
  static override description =
    `Use --from and --to, or --updated-from and --updated-to, but not both: the service answers a mixture with an empty list and no error.

TIME is 2026-11-20T18:00:00Z, 2026-11-20, "2026-11-20 18:00" (in the profile's timezone, else UTC), now, today, yesterday, tomorrow, -90m, -24h, -7d, or 24h for 24 hours ago.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from today --profile sandbox',
    '<%= config.bin %> <%= command.id %> --updated-from 24h -o ndjson > changed.ndjson',
    '<%= config.bin %> <%= command.id %> --from 2026-11-01 --to 2026-11-30 -o csv --include-customer',
  ]
  static override baseFlags = CALL_FLAGS
  static override flags = {
    'updated-from': flag('TIME', 'Changed at or after TIME; until now without --updated-to.'),
    'updated-to': flag('TIME', 'Changed at or before TIME.'),
    from: flag('TIME', 'Booked for TIME or later; to the end of that day without --to.'),
    to: flag('TIME', 'Booked for TIME or earlier.'),
    service: flag('NAME', 'Only bookings of this service, by its name.'),
    'include-customer': toggle('Include the guest of each booking.'),
    'exclude-cancelled': toggle('Leave out cancelled bookings.'),
    window: flag('DUR', 'Split a long range into requests of this length, such as 1d.'),
    limit: flag('N', 'Stop after N records.'),
  }

  async run(): Promise<void> {
    const { flags, connection, service, show, host, whisper } = await this.open(BookingsList)
    const problems = new Problems()
    const limit = problems.wholeNumber('--limit', flags.limit, 1, Number.MAX_SAFE_INTEGER)
    const windowMs =
      flags.window === undefined
        ? undefined
        : problems.check(() => parseDuration(flags.window ?? '', '--window', { minMs: 1000 }))
    const typed = { from: flags.from, to: flags.to, updatedFrom: flags['updated-from'], updatedTo: flags['updated-to'] }
    const read = (timezone: string | null) => resolveWindow(typed, { now: host.now(), timezone })
    // Without the zone first, so that mistakes are reported before a profile is needed.
    problems.check(() => read(null))
    problems.throwIfAny()
    const timezone = await connection.timezone('list')
    const window = read(timezone)
    if (window.kind === 'booking') show.ofDay(onlyDay(window, timezone))
    await whisper(`window: ${window.kind} from ${toWireTime(window.fromMs)} to ${toWireTime(window.toMs)}`)
    const filters = {
      ServiceName: flags.service,
      IncludeCustomerDetails: flags['include-customer'] ? true : undefined,
      IncludeCancelledBookings: flags['exclude-cancelled'] ? false : undefined,
    }
    const pieces = windowMs === undefined ? [window] : splitWindow(window.fromMs, window.toMs, windowMs)
    const inputs = [...pieces].map((piece) => ({ query: { ...datesOf(window.kind, piece), ...filters } }))
    await show.list(await service.records(listBookings, ...inputs), bookingList, limit)
  }
}

/** The parameters that ask for a piece of time. Source: "GET /Bookings". */
function datesOf(kind: BookingWindow['kind'], { fromMs, toMs }: Pick<BookingWindow, 'fromMs' | 'toMs'>) {
  const [from, to] = [toWireTime(fromMs), toWireTime(toMs)]
  return kind === 'booking' ? { StartDate: from, EndDate: to } : { UpdatedFromDate: from, UpdatedToDate: to }
}
