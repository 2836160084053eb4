import { describeProfile } from '../../client/profiles/describe.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { profileChangeCard, removedProfileList } from '../../features/profiles/views.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class ProfilesRemove extends PartnerCommand {
  static override summary = 'Remove a profile and the secrets it stores.'
  static override examples = [
    '<%= config.bin %> profiles add old --base-url https://old.example.com && <%= config.bin %> <%= command.id %> old --yes',
  ]
  static override args = { name: requiredArgument('name of the profile') }

  async run(): Promise<void> {
    const { args, show, ask, host, say, warn } = await this.open(ProfilesRemove)
    const path = profilesPath(host.env)
    const { removeProfile } = await import('../../client/profiles/store.ts')
    if (args.name !== 'sandbox') describeProfile(args.name, readProfiles(path), host.env)
    await ask.confirm(`Remove the profile ${args.name} and the secrets it stores?`)
    const { warnings, current } = await removeProfile(path, args.name)
    for (const warning of warnings) await warn(warning)
    if (!show.isPlain)
      return show.one({ removed: args.name, current }, { card: profileChangeCard, list: removedProfileList })
    const next = current === null ? '; no current profile is set now; to choose one: partner profiles list' : ''
    await say(`removed ${args.name}${next}`)
  }
}
