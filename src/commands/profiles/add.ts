import { requiredArgument } from '../../cli/arguments.ts'
import { LocalCommand } from '../../cli/local-command.ts'
import { PROFILE_FLAGS, typedChange } from '../../cli/profile-flags.ts'
import { describeProfile } from '../../profiles/describe.ts'
import { checkNewName } from '../../profiles/names.ts'
import { profilesPath, readProfiles } from '../../profiles/read.ts'
import { profileCard, profileList } from '../../views/profiles.ts'

export default class ProfilesAdd extends LocalCommand {
  static override summary = 'Add a profile: an address of the service with its key.'
  static override description =
    'A key is never an argument. At a terminal it is asked for; else use --api-key-stdin, or keep it elsewhere and give a reference: env:VAR, file:PATH, command:CMD. The first profile becomes the current one.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> production --environment production --base-url https://api.example.com --timezone Australia/Sydney',
    'pass show partner/key | <%= config.bin %> <%= command.id %> dev --base-url https://dev.example.com --api-key-stdin',
    '<%= config.bin %> <%= command.id %> cron --base-url https://api.example.com --api-key file:/run/secrets/partner-key',
  ]
  static override args = { name: requiredArgument('name of the profile') }
  static override flags = PROFILE_FLAGS

  async run(): Promise<void> {
    const { args, flags } = await this.input(ProfilesAdd)
    checkNewName(args.name)
    const ask = this.host.canAsk
      ? async () => (await import('../../cli/prompts.ts')).askSecret(this.host, `API key of ${args.name}`)
      : null
    const change = await typedChange(flags, true, ask)
    const path = profilesPath(this.host.env)
    const { addProfile } = await import('../../profiles/store.ts')
    const { warnings, current } = await addProfile(path, args.name, change)
    for (const warning of warnings) await this.say(`warning: ${warning}`)
    await this.showOne(
      { ...describeProfile(args.name, readProfiles(path), this.host.env) },
      { card: profileCard, list: profileList },
    )
    const next = change.apiKey
      ? `partner profiles check ${args.name}`
      : `partner profiles set ${args.name} --api-key env:VAR`
    await this.say(`added ${args.name}${current === args.name ? ', and it is the current one' : ''}; next: ${next}`)
  }
}
