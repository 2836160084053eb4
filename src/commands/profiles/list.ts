import { describeProfile, describeProfiles } from '../../client/profiles/describe.ts'
import { SANDBOX_PROFILE } from '../../client/profiles/profile.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { profileList } from '../../features/profiles/views.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class ProfilesList extends PartnerCommand {
  static override summary = 'List the profiles and the built-in sandbox, with secrets masked.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json --columns name,current,mode,apiKey',
  ]

  async run(): Promise<void> {
    const { show, host, say, warn } = await this.open(ProfilesList)
    const profiles = readProfiles(profilesPath(host.env))
    for (const warning of profiles.warnings) await warn(warning)
    const own = describeProfiles(profiles, host.env)
    const builtIn = host.sandbox ? [describeProfile(SANDBOX_PROFILE, profiles, host.env)] : []
    const records = [...own, ...builtIn].map((profile) => ({ ...profile }))
    await show.all(records, profileList)
    if (own.length === 0 && show.format === 'table')
      await say('you have not added any profiles yet; to add one: partner profiles add --help')
  }
}
