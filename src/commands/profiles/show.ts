import { Failure } from '../../base/failure/failure.ts'
import { describeProfile } from '../../client/profiles/describe.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { TRY_SANDBOX_HINT } from '../../client/profiles/settings.ts'
import { profileCard, profileList } from '../../features/profiles/views.ts'
import { optionalArgument } from '../../terminal/input/arguments.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class ProfilesShow extends PartnerCommand {
  static override summary = 'Show one profile, with secrets masked.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> sandbox',
    '<%= config.bin %> <%= command.id %> --json sandbox',
  ]
  static override args = { name: optionalArgument('name of the profile (default: the current one)') }

  async run(): Promise<void> {
    const { args, show, host, warn } = await this.open(ProfilesShow)
    const profiles = readProfiles(profilesPath(host.env))
    for (const warning of profiles.warnings) await warn(warning)
    const name = args.name ?? profiles.current
    if (name === null)
      throw new Failure('NO_PROFILE', 'no current profile is set', {
        hint: profiles.byName.size > 0 ? 'choose one: partner profiles list' : TRY_SANDBOX_HINT,
      })
    await show.one({ ...describeProfile(name, profiles, host.env) }, { card: profileCard, list: profileList })
  }
}
