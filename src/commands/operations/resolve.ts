import { addDefaultWait, resolveOperation } from '../../features/operations/resolve.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { flag, LEDGER_FLAG, LOOK_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class OperationsResolve extends PartnerCommand {
  static override summary = 'Determine whether a money write whose response was lost took effect.'
  static override description =
    `The command only reads: it compares the balance or status before the write with the current one. If they are the same, the write was not done. This is certain only one minute after the write was sent, because the service may still be working on it until then.

If the outcome cannot be determined, because something else changed the balance too, check the card and the till, and record what you found: --as applied, or --as not-applied.`
  static override examples = [
    `<%= config.bin %> operations list --query "[?state=='open'].id" -o ndjson | xargs -r -n 1 <%= config.bin %> <%= command.id %>`,
  ]
  static override args = { id: requiredArgument('operation ID, as printed by operations list') }
  static override baseFlags = LOOK_FLAGS
  static override flags = {
    as: flag('applied|not-applied', 'Record an outcome that you determined yourself, without making any requests.'),
    wait: flag('[DUR]', 'Check repeatedly until the outcome is known, for at most DUR (default: 10m).'),
    ...LEDGER_FLAG,
  }

  async run(): Promise<void> {
    this.argv = addDefaultWait(this.argv)
    const opened = await this.open(OperationsResolve)
    await resolveOperation(opened.args.id, opened.flags, opened)
  }
}
