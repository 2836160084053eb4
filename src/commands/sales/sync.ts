import { CALL_FLAGS, MANY_FLAGS } from '../../cli/input/flags.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { RESOURCES } from '../../sync/resources.ts'
import { saleList } from '../../views/sales.ts'
import { sync } from '../_sync.ts'
import { SYNC_FLAGS, windowFlags } from '../_sync-flags.ts'

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
    const opened = await this.open(SalesSync)
    await sync(opened, { resource: RESOURCES.sales, view: saleList, command: 'sales sync' })
  }
}
