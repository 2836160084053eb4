import { LocalCommand } from '../../cli/runtime/local-command.ts'
import { describeProfiles } from '../../profiles/describe.ts'
import { profilesPath, readProfiles } from '../../profiles/read.ts'
import { profileList } from '../../views/profiles.ts'

export default class ProfilesList extends LocalCommand {
  static override summary = 'List the profiles; secrets are masked.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run(): Promise<void> {
    await this.input(ProfilesList)
    const profiles = readProfiles(profilesPath(this.host.env))
    for (const warning of profiles.warnings) await this.say(`warning: ${warning}`)
    await this.showAll(
      describeProfiles(profiles, this.host.env).map((profile) => ({ ...profile })),
      profileList,
    )
  }
}
