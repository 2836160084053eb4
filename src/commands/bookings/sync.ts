import { bookingList } from '../../features/bookings/views/booking.ts'
import { SYNC_FLAGS, WAKE_FLAG, windowFlags } from '../../features/copies/flags.ts'
import { sync } from '../../features/copies/sync.ts'
import { RESOURCES } from '../../sync/resources.ts'
import { CALL_FLAGS, MANY_FLAGS, toggle } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsSync extends PartnerCommand {
  static override summary = 'Copy all bookings to a file or database, and update the copy with each run.'
  static override description =
    `Each run reads the changes since the last run and continues where it stopped: a run can be stopped at any moment without losing or repeating anything. TARGET ends in .ndjson (a log of versions), .csv (the same, with the columns of bookings list -o csv) or .db (SQLite, one row per booking), or is postgres://USER@HOST/DATABASE; - streams NDJSON and stores its position in the data directory.

With --every and --wake, a run also starts as soon as an event about a booking arrives. Events may be lost: the runs at the interval find every change.

TIME has the same format as in bookings list. Only one run at a time can use a target: a second one exits with code 12, or waits with --standby.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to bookings.ndjson',
    '<%= config.bin %> <%= command.id %> --to bookings.csv --since -90d --include-customer',
    '<%= config.bin %> <%= command.id %> --to - --since -1d | wc -l',
    '<%= config.bin %> <%= command.id %> --to bookings.ndjson --every 5m --wake hooks.ndjson',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override takesTurns = true
  static override flags = {
    ...SYNC_FLAGS,
    ...windowFlags(RESOURCES.bookings),
    ...WAKE_FLAG,
    'include-customer': toggle("Include each booking's guest."),
  }

  async run(): Promise<void> {
    const opened = await this.open(BookingsSync)
    const query = opened.flags['include-customer'] ? { IncludeCustomerDetails: true } : {}
    await sync(opened, { resource: RESOURCES.bookings, view: bookingList, query })
  }
}
