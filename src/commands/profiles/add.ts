import { addFromFlags } from '../../features/profiles/add.ts'
import { PROFILE_FLAGS } from '../../features/profiles/flags.ts'
import { optionalArgument } from '../../terminal/input/arguments.ts'
import { toggle } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class ProfilesAdd extends PartnerCommand {
  static override summary = 'Add a profile: the address of a service and its API key.'
  static override description =
    'At a terminal, the command prompts for missing settings and tests the key with one read-only request; the profile is stored regardless of the result. Never pass a key as an argument: without a terminal, pipe the key in with --api-key-stdin, or store the key elsewhere and give a reference: env:VAR, file:PATH or command:CMD. The first profile becomes the current one.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> production --environment production --base-url https://api.example.com --timezone Australia/Sydney --api-key env:LIVE_KEY',
    'openssl rand -hex 16 | <%= config.bin %> <%= command.id %> dev --base-url https://dev.example.com --api-key-stdin',
    '<%= config.bin %> <%= command.id %> cron --base-url https://api.example.com --mode read-only --api-key file:/run/secrets/partner-key',
  ]
  static override args = { name: optionalArgument('name of the profile; required without a terminal') }
  static override flags = { ...PROFILE_FLAGS, 'no-check': toggle('Do not test the key, even at a terminal.') }

  async run(): Promise<void> {
    const opened = await this.open(ProfilesAdd)
    await addFromFlags(opened.args.name, opened.flags, this.argv, opened)
  }
}
