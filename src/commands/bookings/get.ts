import { requiredArgument } from '../../cli/input/arguments.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { getBooking } from '../../contract/bookings.ts'
import { bookingCard, bookingList } from '../../views/bookings/booking.ts'

export default class BookingsGet extends ApiCommand {
  static override summary = 'Show one booking.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> BK-1',
    '<%= config.bin %> <%= command.id %> BK-1 --json --columns bookingId,status.code',
  ]
  static override args = { id: requiredArgument('booking ID, as bookings list prints it') }

  async run(): Promise<void> {
    const { args } = await this.input(BookingsGet)
    const booking = await this.send(getBooking, { path: { id: args.id } })
    await this.showAnswer(booking, { card: bookingCard, list: bookingList })
  }
}
