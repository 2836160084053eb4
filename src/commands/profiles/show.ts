import { optionalArgument } from '../../cli/input/arguments.ts'
import { LocalCommand } from '../../cli/runtime/local-command.ts'
import { Failure } from '../../failure/failure.ts'
import { describeProfile } from '../../profiles/describe.ts'
import { profilesPath, readProfiles } from '../../profiles/read.ts'
import { profileCard, profileList } from '../../views/profiles.ts'

export default class ProfilesShow extends LocalCommand {
  static override summary = 'Show one profile; secrets are masked.'
  static override examples = ['<%= config.bin %> <%= command.id %> production']
  static override args = { name: optionalArgument('name of the profile; else the current one') }

  async run(): Promise<void> {
    const { args } = await this.input(ProfilesShow)
    const profiles = readProfiles(profilesPath(this.host.env))
    for (const warning of profiles.warnings) await this.say(`warning: ${warning}`)
    const name = args.name ?? profiles.current
    if (name === null)
      throw new Failure('NO_PROFILE', 'there is no current profile to show', {
        hint: 'try --profile sandbox on any command, or set up your own: partner profiles add NAME',
      })
    await this.showOne({ ...describeProfile(name, profiles, this.host.env) }, { card: profileCard, list: profileList })
  }
}
