import { findTarget, TARGET_FLAGS } from '../../../features/sandbox/target.ts'
import { clockViews } from '../../../features/sandbox/views/clock.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SandboxClockReset extends PartnerCommand {
  static override summary = "Set the sandbox's clock back to this machine's time."
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = TARGET_FLAGS

  async run(): Promise<void> {
    const { flags, show, host } = await this.open(SandboxClockReset)
    const target = await findTarget(flags, host.env)
    const reading = await target.use('to-read', (control) => control.setClock(null, false))
    await show.one({ ...reading }, clockViews)
  }
}
