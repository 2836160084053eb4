import { usageFailure } from '../../base/failure/failure.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { listBookingStatuses } from '../../contract/bookings/statuses.ts'
import { profileCheckCard, profileCheckList } from '../../features/profiles/views.ts'
import { optionalArgument } from '../../terminal/input/arguments.ts'
import { CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class ProfilesCheck extends PartnerCommand {
  static override summary = 'Check that the service responds, accepts the key, and links the key to a venue.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> sandbox --json',
  ]
  static override args = {
    name: optionalArgument('name of the profile (default: the profile in use)'),
  }
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }

  async run(): Promise<void> {
    const { args, flags, connection, service, show } = await this.open(ProfilesCheck)
    if (args.name !== undefined && flags.profiles !== undefined)
      throw usageFailure(['NAME and --profiles cannot be used together'], 'omit one of them')
    if (args.name !== undefined && flags.profile !== undefined && args.name !== flags.profile)
      throw usageFailure(
        [`NAME and --profile select different profiles: ${args.name} and ${flags.profile}`],
        'use only one of them',
      )
    if (args.name !== undefined) connection.useProfile(args.name)
    const started = monotonicMs()
    const answer = await service.send(listBookingStatuses, {})
    if (answer === null) return
    const { caller } = await connection.session()
    await show.one(
      {
        profile: caller.profile,
        baseUrl: caller.baseUrl.href.replace(/\/$/, ''),
        ok: true,
        statuses: Array.isArray(answer.value) ? answer.value.length : 0,
        elapsedMs: Math.round(monotonicMs() - started),
      },
      { card: profileCheckCard, list: profileCheckList },
    )
  }
}
