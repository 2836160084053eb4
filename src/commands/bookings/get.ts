import { getBooking } from '../../contract/bookings/booking.ts'
import { bookingCard, bookingList } from '../../features/bookings/views/booking.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsGet extends PartnerCommand {
  static override summary = 'Show one booking.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> BK-1001',
    '<%= config.bin %> <%= command.id %> BK-1001 --json --columns bookingId,status.code',
  ]
  static override args = { id: requiredArgument('booking ID, as bookings list prints it') }
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }

  async run(): Promise<void> {
    const { args, service, show } = await this.open(BookingsGet)
    const booking = await service.send(getBooking, { path: { id: args.id } })
    await show.answer(booking, { card: bookingCard, list: bookingList })
  }
}
