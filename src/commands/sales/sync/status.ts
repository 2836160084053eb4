import { LOOK_AT_COPY_FLAGS, STATUS_FLAGS, showStatus } from '../../../features/copies/status.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SalesSyncStatus extends PartnerCommand {
  static override summary = 'Show how far a copy of sales goes, what its last run did, and who holds it.'
  static override description =
    'It calls no service and holds nothing, so it may run beside a sync. Before the first sync it says so, with exit 0.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to sales.ndjson',
    '<%= config.bin %> <%= command.id %> --to sales.ndjson --json --query lagSeconds',
  ]
  static override baseFlags = LOOK_AT_COPY_FLAGS
  static override flags = STATUS_FLAGS

  async run(): Promise<void> {
    await showStatus(await this.open(SalesSyncStatus), 'sales')
  }
}
