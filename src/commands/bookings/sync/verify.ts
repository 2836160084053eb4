import { showDifferences, VERIFY_FLAGS } from '../../../features/copies/verify.ts'
import { CALL_FLAGS, MANY_FLAGS } from '../../../terminal/input/flags.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class BookingsSyncVerify extends PartnerCommand {
  static override summary = 'Compare a copy of bookings with the service, booking by booking.'
  static override description =
    `It reads all that the service has and names each booking that the copy lacks (missing), has in an older version or with other content (stale), or has and the service does not (extra). What changed after the last sync is not due yet. It ends with exit 11 when something differs, and writes nothing: a sync may run meanwhile. With --repair it holds the copy, writes the difference, and ends with 0.

A copy in .csv has columns and not the whole bookings, and - has nothing: these cannot be compared.`
  static override examples = [
    '<%= config.bin %> bookings sync --to venue.db && <%= config.bin %> <%= command.id %> --to venue.db',
    '<%= config.bin %> bookings sync --to venue.db && <%= config.bin %> <%= command.id %> --to venue.db --from today --to-date +7d --repair',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override flags = VERIFY_FLAGS

  async run(): Promise<void> {
    await showDifferences(await this.open(BookingsSyncVerify))
  }
}
