import { requiredArgument } from '../../cli/input/arguments.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { suggest } from '../../failure/suggested.ts'
import { describeProfile } from '../../profiles/describe.ts'
import { checkNewName } from '../../profiles/names.ts'
import { profilesPath, readProfiles } from '../../profiles/read.ts'
import { profileCard, profileList } from '../../views/profiles.ts'
import { PROFILE_FLAGS, readProfileChange } from './_flags.ts'

export default class ProfilesAdd extends PartnerCommand {
  static override summary = 'Add a profile: the address of a service and its key.'
  static override description =
    'Keys are never given as arguments. At a terminal, you are asked for the key. Otherwise, pipe it in with --api-key-stdin, or keep it elsewhere and give a reference: env:VAR, file:PATH or command:CMD. The first profile becomes the current one.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> production --environment production --base-url https://api.example.com --timezone Australia/Sydney --api-key env:LIVE_KEY',
    'openssl rand -hex 16 | <%= config.bin %> <%= command.id %> dev --base-url https://dev.example.com --api-key-stdin',
    '<%= config.bin %> <%= command.id %> cron --base-url https://api.example.com --mode read-only --api-key file:/run/secrets/partner-key',
  ]
  static override args = { name: requiredArgument('name of the profile') }
  static override flags = PROFILE_FLAGS

  async run(): Promise<void> {
    const { args, flags, show, host, say, warn } = await this.open(ProfilesAdd)
    checkNewName(args.name)
    const ask = host.canAsk
      ? async () => (await import('../../cli/input/prompts.ts')).askSecret(host, `API key of ${args.name}`)
      : null
    const change = await readProfileChange(flags, true, ask)
    const path = profilesPath(host.env)
    const { addProfile } = await import('../../profiles/store.ts')
    const { warnings, current } = await addProfile(path, args.name, change)
    for (const warning of warnings) await warn(warning)
    await show.one(
      { ...describeProfile(args.name, readProfiles(path), host.env) },
      { card: profileCard, list: profileList },
    )
    const next = change.apiKey
      ? suggest`profiles check ${args.name}`
      : 'give it a key with --api-key: partner profiles set --help'
    await say(`added ${args.name}${current === args.name ? ' as the current profile' : ''}; next: ${next}`)
  }
}
