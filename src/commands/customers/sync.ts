import { CALL_FLAGS, MANY_FLAGS } from '../../cli/input/flags.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { RESOURCES } from '../../sync/resources.ts'
import { customerList } from '../../views/customers/customer.ts'
import { sync } from '../_sync.ts'
import { SYNC_FLAGS, windowFlags } from '../_sync-flags.ts'

export default class CustomersSync extends PartnerCommand {
  static override summary = 'Keep a local copy of all customers, up to date with each run.'
  static override description = 'It works as bookings sync does, by the date of change of each customer.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to customers.ndjson',
    '<%= config.bin %> <%= command.id %> --to customers.csv --since -30d',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override takesTurns = true
  static override flags = { ...SYNC_FLAGS, ...windowFlags(RESOURCES.customers) }

  async run(): Promise<void> {
    const opened = await this.open(CustomersSync)
    await sync(opened, { resource: RESOURCES.customers, view: customerList, command: 'customers sync' })
  }
}
