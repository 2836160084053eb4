import { requiredArgument } from '../../cli/input/arguments.ts'
import { LocalCommand } from '../../cli/runtime/local-command.ts'
import { describeOperation } from '../../money/operations/describe.ts'
import { operationCard, operationList } from '../../views/operations.ts'

export default class OperationsShow extends LocalCommand {
  static override summary = 'Show one operation.'
  static override examples = ['<%= config.bin %> <%= command.id %> op_3f0b2c9d1e']
  static override args = { id: requiredArgument('operation ID') }

  async run(): Promise<void> {
    const { args } = await this.input(OperationsShow)
    const store = await this.operations()
    await this.showOne(describeOperation(store.get(args.id)), { card: operationCard, list: operationList })
  }
}
