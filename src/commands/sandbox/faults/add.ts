import { FAULT_FLAGS, parseFault } from '../../../features/sandbox/fault-flags.ts'
import { findTarget, TARGET_FLAGS } from '../../../features/sandbox/target.ts'
import { faultViews } from '../../../features/sandbox/views/faults.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SandboxFaultsAdd extends PartnerCommand {
  static override summary = 'Make an endpoint of the sandbox misbehave.'
  static override description =
    'The fault immediately affects running sandboxes and commands with --profile sandbox, until it is cleared or used up. By default, a fault that replaces the response takes effect before the change is applied. With --phase after, the change is applied first, so the response is lost although the money has moved.'
  static override usage = 'sandbox faults add --endpoint "METHOD PATH" KIND [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --endpoint "GET /Bookings" --status 503 --next 2',
    '<%= config.bin %> <%= command.id %> --endpoint "POST /GiftCards/redeem" --reset --phase after',
    '<%= config.bin %> <%= command.id %> --endpoint "*" --latency 2s --share 10 --seed 4',
  ]
  static override flags = { ...FAULT_FLAGS, ...TARGET_FLAGS }

  async run(): Promise<void> {
    const { flags, show, host, say } = await this.open(SandboxFaultsAdd)
    const problems = new Problems()
    const typed = parseFault(flags, problems)
    if (flags.endpoint !== undefined) {
      const { findFaultProblems } = await import('../../../sandbox/faults/check.ts')
      const effect = typed?.effect ?? { kind: 'hang' }
      for (const problem of findFaultProblems({ endpoint: flags.endpoint, effect })) problems.add(problem)
    }
    const target = await findTarget(flags, host.env, problems)
    const specification = problems.valueOrThrow(typed)
    const fault = await target.use('to-change', (control) => control.addFault(specification))
    await show.one({ ...fault }, faultViews)
    if (show.format === 'table') await say(`added to ${target.name}; remove it with: partner sandbox faults clear`)
  }
}
