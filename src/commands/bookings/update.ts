import { RESERVATION_FLAGS } from '../../features/bookings/reserving/flags.ts'
import { updateFromFlags } from '../../features/bookings/reserving/update.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { BODY_CALL_FLAGS, flag } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsUpdate extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Change a booking; anything you omit stays the same.'
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
    status: flag('CODE', 'New status code, as listed by bookings statuses.'),
    duration: flag('MIN', 'Duration in minutes.'),
  }

  async run(): Promise<void> {
    const opened = await this.open(BookingsUpdate)
    await updateFromFlags(opened.args.id, opened.flags, opened)
  }
}
