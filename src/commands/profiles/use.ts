import { profilesPath } from '../../client/profiles/read.ts'
import { currentProfileList, profileChangeCard } from '../../features/profiles/views.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class ProfilesUse extends PartnerCommand {
  static override summary = 'Set the current profile, which is the default for --profile.'
  static override examples = ['<%= config.bin %> <%= command.id %> sandbox']
  static override args = { name: requiredArgument('name of the profile') }

  async run(): Promise<void> {
    const { args, show, host, say, warn } = await this.open(ProfilesUse)
    const { useProfile } = await import('../../client/profiles/store.ts')
    const { warnings } = await useProfile(profilesPath(host.env), args.name)
    for (const warning of warnings) await warn(warning)
    if (show.isPlain) await say(`${args.name} is the current profile`)
    else await show.one({ current: args.name }, { card: profileChangeCard, list: currentProfileList })
  }
}
