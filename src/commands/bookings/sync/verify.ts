import { showDifferences, VERIFY_FLAGS } from '../../../features/copies/verify.ts'
import { CALL_FLAGS, MANY_FLAGS } from '../../../terminal/input/flags.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class BookingsSyncVerify extends PartnerCommand {
  static override summary = 'Compare a copy of bookings with the service, booking by booking.'
  static override description =
    `Reads all bookings from the service and lists each one that the copy lacks (missing), that it has in an older version or with different content (stale), or that only the copy has (extra). Changes after the last sync are not due yet. The command exits with code 11 if anything differs. It writes nothing, so a sync can run meanwhile. With --repair, it locks the copy, writes the differences into it, and exits with code 0.

A .csv file contains only some columns of each booking, and - stores nothing, so these cannot be compared.`
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
