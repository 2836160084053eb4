import { decideOnOrder } from '../../features/operations/approve.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { toggle } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class OperationsApprove extends PartnerCommand {
  static override summary = 'Approve or decline a money write that an AI agent has prepared.'
  static override description =
    'The command shows the order, asks for confirmation, and records your decision. It sends nothing: the agent sends the order with its next commit, within 15 minutes of preparing it. If stdin or stderr is not a terminal, --yes is required.'
  static override examples = ['<%= config.bin %> <%= command.id %> mcp_5uPqyT0n1wZ8c2VbX4kLdA']
  static override args = { handle: requiredArgument('handle of the order, as the agent shows it') }
  static override flags = { decline: toggle('Decline the order, so that it is never sent.') }

  async run(): Promise<void> {
    const opened = await this.open(OperationsApprove)
    await decideOnOrder(opened.args.handle, opened.flags.decline ? 'decline' : 'approve', opened)
  }
}
