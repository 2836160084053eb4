import { Failure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import { listCustomers } from '../../contract/customers.ts'
import { customerCard, customerList } from '../../features/customers/customer.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { checkId } from '../../terminal/input/values/ids.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class CustomersGet extends PartnerCommand {
  static override summary = 'Show one customer.'
  static override examples = ['<%= config.bin %> <%= command.id %> C-1001']
  static override args = { id: requiredArgument('customer ID, as customers list prints it') }
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }

  async run(): Promise<void> {
    const { args, connection, service, show } = await this.open(CustomersGet)
    checkId(args.id, 'ID')
    const records = await service.records(listCustomers, { query: { CustomerId: args.id } })
    if (records === null) return
    for await (const batch of records) {
      const found = batch.find(({ value }) => idOf(value) === args.id.toLowerCase())
      if (found) return show.answer({ text: found.text }, { card: customerCard, list: customerList })
    }
    const { caller } = await connection.session()
    throw new Failure('NOT_FOUND', `there is no customer ${args.id}`, {
      hint: 'check the ID, and that this profile is for the right venue and environment: partner customers list',
      request: { method: 'GET', path: '/Customers', profile: caller.profile, status: 200, attempts: 1 },
    })
  }
}

/**
 * Returns a customer's ID in lower case. It is compared with the requested ID, because some services ignore the ID
 * filter and return other customers too.
 */
function idOf(customer: JsonValue): string | null {
  return isJsonObject(customer) ? String(customer['id'] ?? '').toLowerCase() : null
}
