import { requiredArgument } from '../../cli/input/arguments.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { describeOperation } from '../../money/operations/describe.ts'
import { operationCard, operationList } from '../../views/operations.ts'
import { zoneFor } from './_zone.ts'

export default class OperationsShow extends PartnerCommand {
  static override summary = 'Show one operation.'
  static override examples = ['<%= config.bin %> <%= command.id %> op_3f0b2c9d1e']
  static override args = { id: requiredArgument('operation ID, as operations list prints it') }

  async run(): Promise<void> {
    const { args, show, connection, operations } = await this.open(OperationsShow)
    const store = await operations.open()
    const operation = store.get(args.id)
    connection.zone = await zoneFor(connection, [operation])
    await show.one(describeOperation(operation), { card: operationCard, list: operationList })
  }
}
