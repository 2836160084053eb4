import { SYNC_FLAGS, windowFlags } from '../../features/copies/flags.ts'
import { sync } from '../../features/copies/sync.ts'
import { saleList } from '../../features/sales/views.ts'
import { RESOURCES } from '../../sync/resources.ts'
import { CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SalesSync extends PartnerCommand {
  static override summary = 'Keep a local copy of all sales that are linked to bookings.'
  static override description =
    'It works as bookings sync does, by the time at which each sale was closed. Tills may post a sale late: each run reads the 24 hours before the last one again, or as much as --overlap says.'
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
