import { PartnerCommand } from '../../cli/runtime/command.ts'
import { describeProfiles } from '../../profiles/describe.ts'
import { profilesPath, readProfiles } from '../../profiles/read.ts'
import { profileList } from '../../views/profiles.ts'

export default class ProfilesList extends PartnerCommand {
  static override summary = 'List the profiles, with secrets masked.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run(): Promise<void> {
    const { show, host, warn } = await this.open(ProfilesList)
    const profiles = readProfiles(profilesPath(host.env))
    for (const warning of profiles.warnings) await warn(warning)
    await show.all(
      describeProfiles(profiles, host.env).map((profile) => ({ ...profile })),
      profileList,
    )
  }
}
