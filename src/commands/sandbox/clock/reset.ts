import { PartnerCommand } from '../../../cli/runtime/command.ts'
import { clockCard, clockList } from '../../../views/sandbox/clock.ts'
import { TARGET_FLAGS, targetOf } from '../_target.ts'

export default class SandboxClockReset extends PartnerCommand {
  static override summary = "Give the sandbox this machine's time back."
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = TARGET_FLAGS

  async run(): Promise<void> {
    const { flags, show, host } = await this.open(SandboxClockReset)
    const target = await targetOf(flags, host.env)
    const control = await target.open('to-read')
    try {
      await show.one({ ...(await control.setClock(null, false)) }, { card: clockCard, list: clockList })
    } finally {
      await control.close()
    }
  }
}
