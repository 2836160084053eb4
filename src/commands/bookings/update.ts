import { usageFailure } from '../../base/failure/failure.ts'
import type { JsonObject, JsonValue } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { getBooking } from '../../contract/bookings/booking.ts'
import { updateBooking } from '../../contract/bookings/changes.ts'
import { changeBooking } from '../../features/bookings/changed.ts'
import { otherTables, withRealHints } from '../../features/bookings/reserving/answer.ts'
import {
  buildReservationMembers,
  RESERVATION_FLAG_NAMES,
  RESERVATION_FLAGS,
} from '../../features/bookings/reserving/flags.ts'
import { instantOf, readTimeFlags, timeToSendAgain, withTime } from '../../features/bookings/reserving/time.ts'
import { reservationList } from '../../features/bookings/reserving/views.ts'
import { changedReservationCard } from '../../features/bookings/views/receipt.ts'
import { lookUp } from '../../features/shared/look-up.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { buildBody } from '../../terminal/input/body.ts'
import { BODY_CALL_FLAGS, flag } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { validate } from '../../terminal/input/validate.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsUpdate extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Change a booking; what you leave out stays as it is.'
  static override description =
    "The service expects a time with every change. Without --time or --time-utc, the booking's current time is read and sent again; a dry run reads it too."
  static override examples = [
    '<%= config.bin %> <%= command.id %> BK-1001 --people 4',
    '<%= config.bin %> <%= command.id %> BK-1001 --time "tomorrow 19:30" --notes "high chair"',
    `<%= config.bin %> <%= command.id %> BK-1004 --data '{"notes":"birthday"}' --dry-run`,
  ]
  static override args = { id: requiredArgument('booking ID, as bookings list prints it') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = {
    ...RESERVATION_FLAGS,
    status: flag('CODE', 'New status code, as bookings statuses lists it.'),
    duration: flag('MIN', 'Duration in minutes.'),
  }

  async run(): Promise<void> {
    const opened = await this.open(BookingsUpdate)
    const { args, flags, connection, service, host, warn } = opened
    const problems = new Problems()
    const isChecked = !flags['no-validate']
    const typed = isChecked ? problems : new Problems()
    const now = host.now()
    // Without the zone first, so that mistakes are reported before a profile is needed.
    const { members } = readTimeFlags(flags, { now, timezone: null }, typed)
    const change = await buildBody(flags, { ...buildReservationMembers(flags, typed), ...members }, problems)
    if (Object.keys(change).every((member) => member === 'bookingId'))
      problems.add('no change is given', 'see partner bookings update --help; for example --people 6')
    const isTimed = change['time'] !== undefined || change['bookingTimeAsUtc'] !== undefined
    if (isChecked) {
      const checked = { time: isTimed ? undefined : '2000-01-01 00:00', ...change, bookingId: args.id } as JsonObject
      await validate(updateBooking.body, checked, RESERVATION_FLAG_NAMES, problems)
    }
    problems.throwIfAny()
    const timezone = await connection.timezone()
    const time = readTimeFlags(flags, { now, timezone }, typed)
    if (isChecked) problems.throwIfAny()
    for (const note of time.notes) await warn(note)
    const isPlaced = flags.service !== undefined || flags.section !== undefined
    const needsPeople = isPlaced && change['numOfPeople'] === undefined && isChecked
    const current = isTimed && !needsPeople ? null : (await service.look(getBooking, { path: { id: args.id } })).value
    const asked = {
      ...withTime(change, time),
      ...(isTimed ? {} : currentTime(current, isChecked)),
      bookingId: args.id,
    }
    const people = change['numOfPeople'] ?? valueAt(current, 'people')
    const occasion = { at: instantOf(asked, timezone), people, timezone }
    const { body, tables } = isChecked ? await lookUp(opened, flags, asked, occasion) : { body: asked, tables: null }
    const views = { card: changedReservationCard, list: reservationList }
    const about = { id: args.id, views, timezone }
    const answer = await withRealHints(occasion, () => changeBooking(opened, updateBooking, { body }, about))
    const others = answer && otherTables(answer.value, tables ?? [])
    if (others) await warn(others)
  }
}

/**
 * The time of a booking, to be sent again. Fails: USAGE when it has none.
 * @param isRequired false: without a time there is none to send.
 */
function currentTime(booking: JsonValue, isRequired: boolean): JsonObject {
  const time = timeToSendAgain(valueAt(booking, 'bookingTime'))
  if (time !== null) return time
  if (!isRequired) return {}
  throw usageFailure(['the booking has no time that can be sent again'], 'give --time "yyyy-MM-dd HH:mm"')
}
