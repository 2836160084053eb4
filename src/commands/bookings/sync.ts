import { bookingList } from '../../features/bookings/views/booking.ts'
import { SYNC_FLAGS, windowFlags } from '../../features/copies/flags.ts'
import { sync } from '../../features/copies/sync.ts'
import { RESOURCES } from '../../sync/resources.ts'
import { CALL_FLAGS, MANY_FLAGS, toggle } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsSync extends PartnerCommand {
  static override summary = 'Keep a local copy of all bookings, up to date with each run.'
  static override description =
    `Each run reads what changed since the last one, and goes on where that stood: a run that is stopped at any moment loses nothing and repeats nothing. TARGET ends in .ndjson (a log of versions), .csv (the same with the columns of bookings list -o csv) or .db (SQLite, a row for each booking), or is postgres://USER@HOST/DATABASE; - streams NDJSON and keeps its place in the data directory.

TIME is as in bookings list. Only one run at a time works on a target: a second one ends with exit 12, or waits with --standby.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to bookings.ndjson',
    '<%= config.bin %> <%= command.id %> --to bookings.csv --since -90d --include-customer',
    '<%= config.bin %> <%= command.id %> --to - --since -1d | wc -l',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override takesTurns = true
  static override flags = {
    ...SYNC_FLAGS,
    ...windowFlags(RESOURCES.bookings),
    'include-customer': toggle('Include the guest of each booking.'),
  }

  async run(): Promise<void> {
    const opened = await this.open(BookingsSync)
    const query = opened.flags['include-customer'] ? { IncludeCustomerDetails: true } : {}
    await sync(opened, { resource: RESOURCES.bookings, view: bookingList, query })
  }
}
