import { bodyFrom } from '../../cli/input/body.ts'
import { Problems } from '../../cli/input/problems.ts'
import { validate } from '../../cli/input/validate.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { createBooking } from '../../contract/bookings.ts'
import { reservationCard, reservationList } from '../../views/bookings/reservation.ts'
import {
  checkTimeGiven,
  EXTERNAL_ID_FLAG,
  RESERVATION_FLAG_NAMES,
  RESERVATION_FLAGS,
  reservationMembers,
} from '../reservations/_flags.ts'

export default class BookingsCreate extends ApiCommand {
  static override summary =
    'Create a walk-in: the guests sit down at once, and nothing is checked against the schedule.'
  static override description =
    'Only the party size and a time are needed; without a guest it is booked for a placeholder. A reservation, which is checked, is made with reservations create.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --people 2 --time "2026-11-20 18:00"',
    '<%= config.bin %> <%= command.id %> --people 4 --time-utc 2026-11-20T08:00:00Z --table tbl-t4 --first-name Ada --last-name Ng --phone +61400000000',
    '<%= config.bin %> <%= command.id %> --data @walk-in.json --set notes="pram" --dry-run',
  ]
  static override flags = { ...RESERVATION_FLAGS, ...EXTERNAL_ID_FLAG }

  async run(): Promise<void> {
    const { flags } = await this.input(BookingsCreate)
    const problems = new Problems()
    const typed = this.skipsValidation ? new Problems() : problems
    const body = await bodyFrom(flags, reservationMembers(flags, typed), problems)
    if (flags.time !== undefined && flags['time-utc'] !== undefined)
      await this.say('warning: --time-utc is sent; --time is ignored')
    if (!this.skipsValidation) {
      await validate(createBooking.body, body, RESERVATION_FLAG_NAMES, problems)
      checkTimeGiven(body, problems)
    }
    problems.throwIfAny('see partner bookings create --help; nothing was sent')
    const check = 'partner bookings list --updated-from 10m --include-customer'
    const answer = await this.send(createBooking, { body }, { check })
    await this.showAnswer(answer, { card: reservationCard, list: reservationList })
  }
}
