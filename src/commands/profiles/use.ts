import { requiredArgument } from '../../cli/input/arguments.ts'
import { LocalCommand } from '../../cli/runtime/local-command.ts'
import { profilesPath } from '../../profiles/read.ts'

export default class ProfilesUse extends LocalCommand {
  static override summary = 'Make a profile the current one: it is used where --profile is not given.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> production',
    '<%= config.bin %> <%= command.id %> sandbox',
  ]
  static override args = { name: requiredArgument('name of the profile') }

  async run(): Promise<void> {
    const { args } = await this.input(ProfilesUse)
    const { useProfile } = await import('../../profiles/store.ts')
    const { warnings } = await useProfile(profilesPath(this.host.env), args.name)
    for (const warning of warnings) await this.say(`warning: ${warning}`)
    if (this.format === 'table') await this.say(`${args.name} is the current profile`)
    else await this.print(`${JSON.stringify({ current: args.name })}\n`)
  }
}
