import { LocalCommand } from '../../../cli/runtime/local-command.ts'
import { clockCard, clockList } from '../../../views/sandbox/clock.ts'
import { TARGET_FLAGS, targetOf } from '../_target.ts'

export default class SandboxClockReset extends LocalCommand {
  static override summary = "Give the sandbox this machine's time back."
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = TARGET_FLAGS

  async run(): Promise<void> {
    const { flags } = await this.input(SandboxClockReset)
    const target = await targetOf(flags, this.host.env)
    const control = await target.open('to-read')
    try {
      await this.showOne({ ...(await control.setClock(null, false)) }, { card: clockCard, list: clockList })
    } finally {
      await control.close()
    }
  }
}
