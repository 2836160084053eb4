import { SYNC_FLAGS, windowFlags } from '../../features/copies/flags.ts'
import { sync } from '../../features/copies/sync.ts'
import { customerList } from '../../features/customers/customer.ts'
import { RESOURCES } from '../../sync/resources.ts'
import { CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class CustomersSync extends PartnerCommand {
  static override summary = 'Copy all customers to a file or database, and update the copy with each run.'
  static override description = "Works like bookings sync, but uses each customer's change date."
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to customers.ndjson',
    '<%= config.bin %> <%= command.id %> --to customers.csv --since -30d',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override takesTurns = true
  static override flags = { ...SYNC_FLAGS, ...windowFlags(RESOURCES.customers) }

  async run(): Promise<void> {
    await sync(await this.open(CustomersSync), { resource: RESOURCES.customers, view: customerList })
  }
}
