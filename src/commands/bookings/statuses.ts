import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { listBookingStatuses } from '../../contract/resources.ts'
import { bookingStatusList } from '../../views/bookings/status-list.ts'

export default class BookingsStatuses extends ApiCommand {
  static override summary = 'List the booking statuses of this venue; the code is what is sent.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run(): Promise<void> {
    await this.input(BookingsStatuses)
    await this.showList(this.records(listBookingStatuses, {}), bookingStatusList)
  }
}
