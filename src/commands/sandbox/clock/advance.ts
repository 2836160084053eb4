import { parseDuration } from '../../../base/time/duration.ts'
import { findTarget, TARGET_FLAGS } from '../../../features/sandbox/target.ts'
import { clockViews } from '../../../features/sandbox/views/clock.ts'
import { requiredArgument } from '../../../terminal/input/arguments.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SandboxClockAdvance extends PartnerCommand {
  static override summary = "Move the sandbox's clock forward."
  static override description =
    'Everything due by the new time happens: webhooks are retried, cards expire, bookings start and end. A frozen clock stays frozen.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 2h',
    '<%= config.bin %> <%= command.id %> 90d --data ./venue',
  ]
  static override args = { duration: requiredArgument('how far to move the clock, such as 500ms, 30s, 10m, 2h or 7d') }
  static override flags = TARGET_FLAGS

  async run(): Promise<void> {
    const { args, flags, show, host } = await this.open(SandboxClockAdvance)
    const problems = new Problems()
    const checked = problems.check(() => parseDuration(args.duration, 'DURATION', { minMs: 1 }))
    const target = await findTarget(flags, host.env, problems)
    const byMs = problems.valueOrThrow(checked)
    const reading = await target.use('to-change', (control) => control.advanceClock(byMs))
    await show.one({ ...reading }, clockViews)
  }
}
