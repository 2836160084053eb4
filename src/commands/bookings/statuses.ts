import { listBookingStatuses } from '../../contract/bookings/statuses.ts'
import { bookingStatusList } from '../../features/bookings/views/status.ts'
import { CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsStatuses extends PartnerCommand {
  static override summary = "List the venue's booking statuses and their codes."
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json --query "[].code"',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }

  async run(): Promise<void> {
    const { service, show } = await this.open(BookingsStatuses)
    await show.list(await service.records(listBookingStatuses, {}), bookingStatusList)
  }
}
