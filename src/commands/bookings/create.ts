import { buildBody } from '../../cli/input/body.ts'
import { BODY_CALL_FLAGS } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { validate } from '../../cli/input/validate.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { createBooking } from '../../contract/bookings/changes.ts'
import { reservationCard, reservationList } from '../../views/bookings/reservation.ts'
import {
  buildReservationMembers,
  checkTimeGiven,
  NEW_BOOKING_FLAGS,
  RESERVATION_FLAG_NAMES,
  RESERVATION_FLAGS,
  warnOfTwoTimes,
} from '../reservations/_flags.ts'

export default class BookingsCreate extends PartnerCommand {
  static override summary = 'Create a walk-in, without a check against the schedule.'
  static override description =
    'A walk-in needs only a party size and a time; without a guest, it is booked for a placeholder. For a reservation, which is checked, use reservations create.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --people 2 --time "2026-11-20 18:00"',
    '<%= config.bin %> <%= command.id %> --people 4 --time-utc 2026-11-20T08:00:00Z --table tbl-t4 --first-name Ada --last-name Ng --phone +61400000000',
    '<%= config.bin %> <%= command.id %> --data @walk-in.json --set notes="pram" --dry-run',
  ]
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = { ...RESERVATION_FLAGS, ...NEW_BOOKING_FLAGS }

  async run(): Promise<void> {
    const { flags, service, show, warn } = await this.open(BookingsCreate)
    const problems = new Problems()
    const typed = flags['no-validate'] ? new Problems() : problems
    const body = await buildBody(flags, buildReservationMembers(flags, typed), problems)
    await warnOfTwoTimes(flags, warn)
    if (!flags['no-validate']) {
      await validate(createBooking.body, body, RESERVATION_FLAG_NAMES, problems)
      checkTimeGiven(body, problems)
    }
    problems.throwIfAny('see partner bookings create --help; nothing was sent')
    const check = 'partner bookings list --updated-from 10m --include-customer'
    const answer = await service.send(createBooking, { body }, { check })
    await show.answer(answer, { card: reservationCard, list: reservationList }, { bookingId: null })
  }
}
