import { requiredArgument } from '../../cli/input/arguments.ts'
import { buildBody } from '../../cli/input/body.ts'
import { BODY_CALL_FLAGS } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { validate } from '../../cli/input/validate.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import type { Service } from '../../cli/runtime/service.ts'
import { getBooking } from '../../contract/bookings/booking.ts'
import { updateBooking } from '../../contract/bookings/changes.ts'
import { Failure, usageFailure } from '../../failure/failure.ts'
import type { JsonObject } from '../../json/exact.ts'
import { valueAt } from '../../json/paths.ts'
import { changedReservationCard } from '../../views/bookings/receipt.ts'
import { reservationList } from '../../views/bookings/reservation.ts'
import {
  buildReservationMembers,
  RESERVATION_FLAG_NAMES,
  RESERVATION_FLAGS,
  timeToSendAgain,
  warnOfTwoTimes,
} from '../reservations/_flags.ts'
import { showChanged } from './_changed.ts'

export default class BookingsUpdate extends PartnerCommand {
  static override summary = 'Change a booking; what you leave out stays as it is.'
  static override description =
    "The service expects a time with every change. Without --time or --time-utc, the booking's current time is read and sent again; a dry run reads it too."
  static override examples = [
    '<%= config.bin %> <%= command.id %> BK-1 --people 6',
    '<%= config.bin %> <%= command.id %> BK-1 --time "2026-12-24 19:30" --notes "high chair"',
    '<%= config.bin %> <%= command.id %> BK-1 --data @change.json --dry-run',
  ]
  static override args = { id: requiredArgument('booking ID, as bookings list prints it') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = RESERVATION_FLAGS

  async run(): Promise<void> {
    const { args, flags, service, show, warn } = await this.open(BookingsUpdate)
    const problems = new Problems()
    const typed = flags['no-validate'] ? new Problems() : problems
    const change = await buildBody(flags, buildReservationMembers(flags, typed), problems)
    if (Object.keys(change).every((member) => member === 'bookingId'))
      problems.add('no change is given', 'see partner bookings update --help; for example --people 6')
    await warnOfTwoTimes(flags, warn)
    const isTimed = change['time'] !== undefined || change['bookingTimeAsUtc'] !== undefined
    if (!flags['no-validate']) {
      const checked = { time: isTimed ? undefined : '2000-01-01 00:00', ...change, bookingId: args.id } as JsonObject
      await validate(updateBooking.body, checked, RESERVATION_FLAG_NAMES, problems)
    }
    problems.throwIfAny()
    const time = isTimed ? {} : await readCurrentTime(service, args.id)
    const body = { ...change, ...time, bookingId: args.id }
    const answer = await service.send(updateBooking, { body }, { check: `partner bookings get ${args.id}` })
    await showChanged({ service, show, warn }, answer, args.id, { card: changedReservationCard, list: reservationList })
  }
}

async function readCurrentTime(service: Service, id: string): Promise<JsonObject> {
  const { value } = await service.look(getBooking, { path: { id } })
  const time = timeToSendAgain(valueAt(value, 'bookingTime'))
  if (time !== null) return time
  throw value === null
    ? new Failure('SERVICE_ERROR', 'the service did not say what time the booking is for')
    : usageFailure(['the booking has no time that can be sent again'], 'give --time "yyyy-MM-dd HH:mm"')
}
