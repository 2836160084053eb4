import { LocalCommand } from '../../cli/runtime/local-command.ts'
import { describeOperation } from '../../money/operations/describe.ts'
import { operationList } from '../../views/operations.ts'

export default class OperationsList extends LocalCommand {
  static override summary = 'List the writes of money whose outcome is, or was, unknown.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']

  async run(): Promise<void> {
    await this.input(OperationsList)
    const store = await this.operations()
    await this.showAll(store.list().map(describeOperation), operationList)
  }
}
