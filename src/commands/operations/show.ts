import { showOperation, zoneFor } from '../../features/operations/views.ts'
import { operationWithKey } from '../../money/once/shown.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { LEDGER_FLAG } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class OperationsShow extends PartnerCommand {
  static override summary = 'Show one money write whose outcome is or was unknown.'
  static override examples = [
    '<%= config.bin %> operations list --query "[].id" -o ndjson | xargs -r -n 1 <%= config.bin %> <%= command.id %>',
  ]
  static override flags = LEDGER_FLAG
  static override args = { id: requiredArgument('operation ID, as printed by operations list') }

  async run(): Promise<void> {
    const { args, show, say, connection, operations } = await this.open(OperationsShow)
    const store = await operations.open()
    await (await operations.ledger())?.refreshOperation(args.id)
    const operation = operationWithKey(store, args.id)?.operation ?? store.get(args.id)
    connection.zone = await zoneFor(connection, [operation.profile])
    await showOperation({ show, say, operations }, operation)
  }
}
