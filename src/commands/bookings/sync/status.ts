import { LOOK_AT_COPY_FLAGS, STATUS_FLAGS, showStatus } from '../../../features/copies/status.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class BookingsSyncStatus extends PartnerCommand {
  static override summary = 'Show how far a copy of bookings goes, what its last run did, and who holds it.'
  static override description =
    'It calls no service and holds nothing, so it may run beside a sync. Before the first sync it says so, with exit 0. --prom writes the same as a file for Prometheus; docs/cron.md has a rule for each alert.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to bookings.ndjson',
    '<%= config.bin %> <%= command.id %> --to bookings.ndjson --json --query lagSeconds',
    '<%= config.bin %> <%= command.id %> --to bookings.ndjson --prom partner-bookings.prom',
  ]
  static override baseFlags = LOOK_AT_COPY_FLAGS
  static override flags = STATUS_FLAGS

  async run(): Promise<void> {
    await showStatus(await this.open(BookingsSyncStatus), 'bookings')
  }
}
