import { findTarget, TARGET_FLAGS } from '../../features/sandbox/target.ts'
import { clockViews } from '../../features/sandbox/views/clock.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SandboxClock extends PartnerCommand {
  static override summary = "Show the sandbox's clock. The subcommands set, advance and reset change it."
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> advance 2h',
    '<%= config.bin %> <%= command.id %> set 2026-12-24 --frozen',
    '<%= config.bin %> <%= command.id %> reset',
  ]
  static override flags = TARGET_FLAGS

  async run(): Promise<void> {
    const { flags, show, host } = await this.open(SandboxClock)
    const target = await findTarget(flags, host.env)
    const reading = await target.use('to-read', (control) => control.readClock())
    await show.one({ ...reading }, clockViews)
  }
}
