import { listFromFlags } from '../../features/bookings/list.ts'
import { CHECKED_CALL_FLAGS, flag, MANY_FLAGS, toggle } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsList extends PartnerCommand {
  static override summary = "List bookings by booking time or by last change; without dates, today's bookings."
  static override description =
    `Use --date, or --from and --to, or --updated-from and --updated-to, but do not mix booking times and changes: the service answers a mixture with an empty list and no error. --guest, --status and --table filter the service's response: the command reads all bookings in the range, and --limit counts those that match.

TIME is 2026-11-20T18:00:00Z, 2026-11-20, "2026-11-20 18:00" (in the profile's timezone, otherwise UTC), "tomorrow 18:00", 18:00, now, today, yesterday, tomorrow, -90m, -24h, -7d, or 24h for 24 hours ago.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --date tomorrow --service dinner --status confirmed',
    '<%= config.bin %> <%= command.id %> --from -30d --to +30d --guest "+61 491 570 156"',
    '<%= config.bin %> <%= command.id %> --updated-from 24h -o ndjson > changed.ndjson',
    '<%= config.bin %> <%= command.id %> --from -30d --to today -o csv --include-customer > bookings.csv',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CHECKED_CALL_FLAGS }
  static override flags = {
    date: flag('DAY', 'List bookings for DAY, such as 2026-12-24 (default: today).'),
    from: flag('TIME', 'List bookings at TIME or later (without --to, only until the end of that day).'),
    to: flag('TIME', 'List bookings at TIME or earlier.'),
    'updated-from': flag('TIME', 'List bookings changed at or after TIME, up to --updated-to (default: now).'),
    'updated-to': flag('TIME', 'List bookings changed at or before TIME.'),
    guest: flag('TEXT', 'List only bookings whose guest has TEXT in the name, email or phone number.'),
    status: flag('CODE', 'List only bookings with this status, as listed by bookings statuses.'),
    table: flag('NAME', 'List only bookings at this table: T5, or SECTION/T5.'),
    service: flag('NAME', 'List only bookings for the service with this name.'),
    'include-customer': toggle("Include each booking's guest."),
    'exclude-cancelled': toggle('Omit cancelled bookings.'),
    window: flag('DUR', 'Split a long range into requests of this length, such as 1d.'),
    limit: flag('N', 'Stop after N records.'),
  }

  async run(): Promise<void> {
    await listFromFlags(await this.open(BookingsList))
  }
}
