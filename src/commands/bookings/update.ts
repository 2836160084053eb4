import { requiredArgument } from '../../cli/input/arguments.ts'
import { bodyFrom } from '../../cli/input/body.ts'
import { Problems } from '../../cli/input/problems.ts'
import { validate } from '../../cli/input/validate.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { getBooking, updateBooking } from '../../contract/bookings.ts'
import { Failure, usageFailure } from '../../failure/failure.ts'
import type { JsonObject } from '../../json/exact.ts'
import { valueAt } from '../../json/paths.ts'
import { changedBookingCard } from '../../views/bookings/receipt.ts'
import { reservationList } from '../../views/bookings/reservation.ts'
import {
  RESERVATION_FLAG_NAMES,
  RESERVATION_FLAGS,
  reservationMembers,
  timeToSendAgain,
} from '../reservations/_flags.ts'

export default class BookingsUpdate extends ApiCommand {
  static override summary = 'Change a booking; what is not named stays.'
  static override description =
    "The service wants a time with every change: without one, the booking's present time is read and sent, also in a dry run."
  static override examples = [
    '<%= config.bin %> <%= command.id %> BK-1 --people 6',
    '<%= config.bin %> <%= command.id %> BK-1 --time "2026-12-24 19:30" --notes "high chair"',
    '<%= config.bin %> <%= command.id %> BK-1 --data @change.json --dry-run',
  ]
  static override args = { id: requiredArgument('booking ID, as bookings list prints it') }
  static override flags = RESERVATION_FLAGS

  async run(): Promise<void> {
    const { args, flags } = await this.input(BookingsUpdate)
    const problems = new Problems()
    const typed = this.skipsValidation ? new Problems() : problems
    const change = await bodyFrom(flags, reservationMembers(flags, typed), problems)
    if (Object.keys(change).every((member) => member === 'bookingId'))
      problems.add('nothing to change is given', 'for example --people 6; see partner bookings update --help')
    if (flags.time !== undefined && flags['time-utc'] !== undefined)
      await this.say('warning: --time-utc is sent; --time is ignored')
    const isTimed = change['time'] !== undefined || change['bookingTimeAsUtc'] !== undefined
    if (!this.skipsValidation) {
      const checked = { time: isTimed ? undefined : '2000-01-01 00:00', ...change, bookingId: args.id } as JsonObject
      await validate(updateBooking.body, checked, RESERVATION_FLAG_NAMES, problems)
    }
    problems.throwIfAny()
    const time = isTimed ? {} : await this.#presentTime(args.id)
    const body = { ...change, ...time, bookingId: args.id }
    const answer = await this.send(updateBooking, { body }, { check: `partner bookings get ${args.id}` })
    await this.showAnswer(answer, { card: changedBookingCard, list: reservationList })
  }

  async #presentTime(id: string): Promise<JsonObject> {
    const { value } = await this.look(getBooking, { path: { id } })
    const time = timeToSendAgain(valueAt(value, 'bookingTime'))
    if (time !== null) return time
    throw value === null
      ? new Failure('SERVICE_ERROR', 'the service did not say which time the booking has')
      : usageFailure(['the booking has no time that could be sent again'], 'give --time "yyyy-MM-dd HH:mm"')
  }
}
