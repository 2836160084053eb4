import { rejectFailure } from '../../client/calls/success.ts'
import { createBooking } from '../../contract/bookings/changes.ts'
import { makeBooking } from '../../features/bookings/reserving/create.ts'
import { NEW_BOOKING_FLAGS, RESERVATION_FLAGS } from '../../features/bookings/reserving/flags.ts'
import { BODY_CALL_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsCreate extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Create a walk-in, without checking it against the schedule.'
  static override description =
    'A walk-in needs only a party size and a time; without a guest, it is booked for a placeholder guest. For a reservation, which is checked against the schedule, use reservations create.'
  static override usage = 'bookings create --people N --time TIME [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --people 2 --time 19:30',
    '<%= config.bin %> <%= command.id %> --people 4 --time "tomorrow 19:00" --table T4 --first-name Ada --last-name Ng --phone +61400000000',
    `<%= config.bin %> <%= command.id %> --data '{"numOfPeople":2,"staffName":"Ada"}' --time now --set notes=pram --dry-run`,
  ]
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = { ...RESERVATION_FLAGS, ...NEW_BOOKING_FLAGS }

  async run(): Promise<void> {
    const opened = await this.open(BookingsCreate)
    await makeBooking(createBooking, opened.flags, opened, { accept: rejectFailure })
  }
}
