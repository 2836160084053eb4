import { optionalArgument } from '../../cli/input/arguments.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { listBookingStatuses } from '../../contract/bookings/statuses.ts'
import { usageFailure } from '../../failure/failure.ts'
import { profileCheckCard, profileCheckList } from '../../views/profile-check.ts'

export default class ProfilesCheck extends ApiCommand {
  static override summary = 'Check that the service is there, takes the key, and has a venue for it.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> production --json',
  ]
  static override args = { name: optionalArgument('name of the profile; else the one in use') }

  async run(): Promise<void> {
    const { args, flags } = await this.input(ProfilesCheck)
    if (args.name !== undefined && flags.profile !== undefined && args.name !== flags.profile)
      throw usageFailure([`two profiles are named: ${args.name} and --profile ${flags.profile}`], 'name one')
    if (args.name !== undefined) this.useProfile(args.name)
    const started = performance.now()
    const answer = await this.send(listBookingStatuses, {})
    const { caller } = await this.session()
    await this.showOne(
      {
        profile: caller.profile,
        baseUrl: caller.baseUrl.href.replace(/\/$/, ''),
        ok: true,
        statuses: Array.isArray(answer.value) ? answer.value.length : 0,
        elapsedMs: Math.round(performance.now() - started),
      },
      { card: profileCheckCard, list: profileCheckList },
    )
  }
}
