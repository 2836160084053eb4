import { showSchedule } from '../../features/bookings/schedule/show.ts'
import { CALL_FLAGS, flag, MANY_FLAGS, requiredFlag } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsSchedule extends PartnerCommand {
  static override summary = 'Show which services and times are free for a party.'
  static override description =
    'Use the listed service and section IDs to create a reservation. The table is a summary; CSV has one row per time.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --date tomorrow --people 4',
    '<%= config.bin %> <%= command.id %> --date today --people 2 --json',
    '<%= config.bin %> <%= command.id %> --from "tomorrow 18:00" --to "tomorrow 21:00" --people 6 -o csv',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override flags = {
    date: flag('DATE', 'The day, such as 2026-12-24, today or tomorrow.'),
    from: flag('TIME', 'Start of the range.'),
    to: flag('TIME', 'End of the range (default: the end of the day on which it starts).'),
    people: requiredFlag('N', 'Party size (pax).'),
    'booking-id': flag('ID', 'Find other times for this booking.'),
  }

  async run(): Promise<void> {
    await showSchedule(await this.open(BookingsSchedule))
  }
}
