import { SYNC_FLAGS, windowFlags } from '../../features/copies/flags.ts'
import { sync } from '../../features/copies/sync.ts'
import { saleList } from '../../features/sales/views.ts'
import { RESOURCES } from '../../sync/resources.ts'
import { CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SalesSync extends PartnerCommand {
  static override summary = 'Copy all sales that have a booking to a file or database.'
  static override description =
    "Works like bookings sync, but uses each sale's closing time. A till may post a sale late, so each run rereads the 24 hours before the last run, or the period set with --overlap."
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to sales.ndjson',
    '<%= config.bin %> <%= command.id %> --to sales.csv --since -30d --overlap 2d',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override takesTurns = true
  static override flags = { ...SYNC_FLAGS, ...windowFlags(RESOURCES.sales) }

  async run(): Promise<void> {
    await sync(await this.open(SalesSync), { resource: RESOURCES.sales, view: saleList })
  }
}
