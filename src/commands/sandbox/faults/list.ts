import { findTarget, TARGET_FLAGS } from '../../../features/sandbox/target.ts'
import { faultViews } from '../../../features/sandbox/views/faults.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SandboxFaultsList extends PartnerCommand {
  static override summary = "List the sandbox's faults and how many requests each has affected."
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']
  static override flags = TARGET_FLAGS

  async run(): Promise<void> {
    const { flags, show, host } = await this.open(SandboxFaultsList)
    const target = await findTarget(flags, host.env)
    const faults = await target.use('to-read', (control) => control.listFaults())
    const records = faults.map((fault) => ({ ...fault }))
    await show.all(records, faultViews.list)
  }
}
