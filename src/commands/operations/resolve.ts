import { resolveOperation, withWaitSpelled } from '../../features/operations/resolve.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { flag, LOOK_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class OperationsResolve extends PartnerCommand {
  static override summary = 'Find out what became of a money write whose answer was lost, such as op_3f0b2c9d1e.'
  static override description =
    `It only reads: it compares the balance or status before the write with the current one. If both are the same, the write was not done; this is certain only a minute after it was sent, as the service may still be working on it until then.

If it cannot tell, because something else changed the balance too, check the card and the till, and record what you found: --as applied, or --as not-applied.`
  static override examples = [
    `<%= config.bin %> operations list --query "[?state=='open'].id" -o ndjson | xargs -r -n 1 <%= config.bin %> <%= command.id %>`,
  ]
  static override args = { id: requiredArgument('operation ID, as operations list prints it') }
  static override baseFlags = LOOK_FLAGS
  static override flags = {
    as: flag('applied|not-applied', 'Record what you found out yourself, without reading anything.'),
    wait: flag('[DUR]', 'Ask again until it can tell, for at most DUR (default: 10m).'),
  }

  async run(): Promise<void> {
    this.argv = withWaitSpelled(this.argv)
    const opened = await this.open(OperationsResolve)
    await resolveOperation(opened.args.id, opened.flags, opened)
  }
}
