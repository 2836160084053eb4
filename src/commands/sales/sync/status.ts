import { READ_COPY_FLAGS, STATUS_FLAGS, showStatus } from '../../../features/copies/status.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SalesSyncStatus extends PartnerCommand {
  static override summary =
    'Show how up to date a copy of sales is, what the last sync did, and which process is using the copy.'
  static override description =
    'The command makes no requests and locks nothing, so it can run during a sync. If there has been no sync yet, it says so and exits with code 0.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to sales.ndjson',
    '<%= config.bin %> <%= command.id %> --to sales.ndjson --json --query lagSeconds',
  ]
  static override baseFlags = READ_COPY_FLAGS
  static override flags = STATUS_FLAGS

  async run(): Promise<void> {
    await showStatus(await this.open(SalesSyncStatus), 'sales')
  }
}
