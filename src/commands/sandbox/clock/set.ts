import { parseSandboxTime } from '../../../features/sandbox/flags.ts'
import { findTarget, TARGET_FLAGS } from '../../../features/sandbox/target.ts'
import { clockViews } from '../../../features/sandbox/views/clock.ts'
import { requiredArgument } from '../../../terminal/input/arguments.ts'
import { toggle } from '../../../terminal/input/flags.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SandboxClockSet extends PartnerCommand {
  static override summary = "Set the sandbox's clock; it keeps running from there."
  static override description =
    "A time without a zone is in the venue's time zone (Australia/Sydney, unless a snapshot specifies a different one). The words now, today and tomorrow, and durations such as +2h, are relative to this machine's time. Everything due by the new time happens: webhooks are retried, cards expire, bookings start and end. All sandboxes with the same data share the clock until sandbox clock reset."
  static override examples = [
    '<%= config.bin %> <%= command.id %> 2026-12-24T08:00:00Z',
    '<%= config.bin %> <%= command.id %> "2026-12-24 19:00" --frozen',
    '<%= config.bin %> <%= command.id %> now --frozen',
  ]
  static override args = { time: requiredArgument('the time, such as 2026-12-24T08:00:00Z') }
  static override flags = { frozen: toggle('Freeze the clock at that time.'), ...TARGET_FLAGS }

  async run(): Promise<void> {
    const { args, flags, show, host } = await this.open(SandboxClockSet)
    const problems = new Problems()
    const at = parseSandboxTime(args.time, 'TIME', host.now(), problems)
    const target = await findTarget(flags, host.env, problems)
    const startAt = problems.valueOrThrow(at)
    const reading = await target.use('to-change', async (control) => {
      // Parses the time again, now in the venue's time zone, which may differ from the default zone.
      const [venue] = await control.listVenues()
      const there = parseSandboxTime(args.time, 'TIME', host.now(), problems, venue?.timezone)
      return control.setClock(there ?? startAt, flags.frozen === true)
    })
    await show.one({ ...reading }, clockViews)
  }
}
