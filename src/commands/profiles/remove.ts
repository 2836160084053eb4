import { requiredArgument } from '../../cli/input/arguments.ts'
import { LocalCommand } from '../../cli/runtime/local-command.ts'
import { describeProfile } from '../../profiles/describe.ts'
import { profilesPath, readProfiles } from '../../profiles/read.ts'

export default class ProfilesRemove extends LocalCommand {
  static override summary = 'Remove a profile and the secrets that it stores.'
  static override examples = ['<%= config.bin %> <%= command.id %> old --yes']
  static override args = { name: requiredArgument('name of the profile') }

  async run(): Promise<void> {
    const { args } = await this.input(ProfilesRemove)
    const path = profilesPath(this.host.env)
    const { removeProfile } = await import('../../profiles/store.ts')
    if (args.name !== 'sandbox') describeProfile(args.name, readProfiles(path), this.host.env)
    await this.confirm(`Remove the profile ${args.name} and the secrets it stores?`)
    const { warnings, current } = await removeProfile(path, args.name)
    for (const warning of warnings) await this.say(`warning: ${warning}`)
    if (this.format !== 'table') await this.print(`${JSON.stringify({ removed: args.name, current })}\n`)
    else
      await this.say(
        `removed ${args.name}${current === null ? '; no profile is the current one now: partner profiles use NAME' : ''}`,
      )
  }
}
