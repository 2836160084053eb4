import { PartnerCommand } from '../../cli/runtime/command.ts'
import { describeOperation } from '../../money/operations/describe.ts'
import { operationList } from '../../views/operations.ts'

export default class OperationsList extends PartnerCommand {
  static override summary = 'List the money writes whose outcome is or was unknown.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']

  async run(): Promise<void> {
    const { show, operations } = await this.open(OperationsList)
    const store = await operations.open()
    await show.all(store.list().map(describeOperation), operationList)
  }
}
