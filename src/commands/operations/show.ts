import { requiredArgument } from '../../cli/input/arguments.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { describeOperation } from '../../money/operations/describe.ts'
import { operationCard, operationList } from '../../views/operations.ts'

export default class OperationsShow extends PartnerCommand {
  static override summary = 'Show one operation.'
  static override examples = [
    '<%= config.bin %> operations list --query "[].id" -o ndjson | xargs -r -n 1 <%= config.bin %> <%= command.id %>',
  ]
  static override args = { id: requiredArgument('operation ID, as operations list prints it') }

  async run(): Promise<void> {
    const { args, show, operations } = await this.open(OperationsShow)
    const store = await operations.open()
    await show.one(describeOperation(store.get(args.id)), { card: operationCard, list: operationList })
  }
}
