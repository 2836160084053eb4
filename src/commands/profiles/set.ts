import { usageFailure } from '../../base/failure/failure.ts'
import { profilesPath } from '../../client/profiles/read.ts'
import { PROFILE_FLAGS, readProfileChange } from '../../features/profiles/flags.ts'
import { showProfile } from '../../features/profiles/views.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { repeated } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class ProfilesSet extends PartnerCommand {
  static override summary = 'Change the settings of a profile; settings that you omit stay the same.'
  static override description =
    'An empty value clears a setting: --timezone "". --tag adds a tag to the existing ones, and --untag removes one. Give a new key as in profiles add, preferably through a pipe: --api-key-stdin.'
  static override examples = [
    '<%= config.bin %> profiles add dev --base-url https://dev.example.com && <%= config.bin %> <%= command.id %> dev --timezone Australia/Sydney --mode read-only --tag north',
  ]
  static override args = { name: requiredArgument('name of the profile') }
  static override flags = {
    ...PROFILE_FLAGS,
    untag: repeated({ helpValue: 'NAME', summary: 'A tag to remove. May be repeated.' }),
  }

  async run(): Promise<void> {
    const opened = await this.open(ProfilesSet)
    const { args, flags, host, warn } = opened
    const change = await readProfileChange(flags, host)
    if (Object.keys(change).length === 0) throw usageFailure(['no change was given'], 'see partner profiles set --help')
    const { setProfile } = await import('../../client/profiles/store.ts')
    const { warnings } = await setProfile(profilesPath(host.env), args.name, change)
    for (const warning of warnings) await warn(warning)
    await showProfile(args.name, opened)
  }
}
