import { counted } from '../../base/counted.ts'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { suggest } from '../../base/failure/suggested.ts'
import { profilesPath } from '../../client/profiles/read.ts'
import type { Settings } from '../../client/profiles/settings.ts'
import { readShapeFile } from '../../client/shapes/shape-file.ts'
import { describeDialect, isPlain, NO_DIALECT } from '../../contract/answers/dialect.ts'
import { expectedAnswers } from '../../contract/shapes/expected.ts'
import { settingsOf, whoseOf } from '../../features/shared/copies.ts'
import { findCorrections } from '../../features/support/drift/corrections.ts'
import { correctionList } from '../../features/support/drift/views.ts'
import { PROFILE_FLAGS, toggle } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class DriftAccept extends PartnerCommand {
  static override summary = 'Follow the service where it differs from the contract.'
  static override description =
    `Takes the last run of drift with this profile, shows what can be followed, and keeps it with the profile: the member that holds the records of a list, the form of times, and lower case in card numbers. From then on all commands read the service so, and show its times in the documented form; drift calls it confirmed. What a person must decide, such as a member that is missing, stays contradicted.

profiles show tells what is kept. --clear takes it away, and so does another --base-url of profiles set.`
  static override examples = [
    '<%= config.bin %> profiles add live --base-url https://live.example.com && <%= config.bin %> bookings statuses --har live.har && <%= config.bin %> drift --har live.har --profile live && <%= config.bin %> <%= command.id %> --profile live',
    '<%= config.bin %> profiles add live --base-url https://live.example.com && <%= config.bin %> <%= command.id %> --profile live --clear',
  ]
  static override baseFlags = PROFILE_FLAGS
  static override flags = { clear: toggle('Take away what is kept: the service is read as the contract says.') }

  async run(): Promise<void> {
    const { flags, host, show, say, ask, warn } = await this.open(DriftAccept)
    const settings = settingsOf(host, flags)
    const { profile, service } = ownProfile(settings)
    const keep = async (shape: Settings['shape']) => {
      const { setProfile } = await import('../../client/profiles/store.ts')
      const { warnings } = await setProfile(profilesPath(host.env), profile, { shape })
      for (const warning of warnings) await warn(warning)
    }
    if (flags.clear) {
      if (settings.shape === null) return say(`nothing is kept with profile ${profile}`)
      await keep(null)
      return say(`profile ${profile} follows the contract again`)
    }
    const { lastRun } = readShapeFile(host.env, { profile, service })
    if (lastRun === null)
      throw usageFailure(
        [`drift has not been run with profile ${profile}`],
        `see what differs: ${suggest`drift --profile ${profile}`}`,
      )
    const followed = settings.shape ?? NO_DIALECT
    const { dialect, rows, left } = findCorrections(await expectedAnswers(), lastRun.shapes, followed)
    await show.all(
      rows.map((row) => ({ ...row })),
      correctionList,
    )
    if (left > 0)
      await say(`${counted(left, 'contradiction')} cannot be followed: ${suggest`drift --profile ${profile}`}`)
    if (describeDialect(followed) === describeDialect(dialect))
      return isPlain(dialect) ? undefined : say(`profile ${profile} follows that already`)
    if (isPlain(dialect)) {
      await ask.confirmHere(`Follow the contract again in profile ${profile}?`)
      await keep(null)
      return say(`profile ${profile} follows the contract again`)
    }
    await ask.confirmHere(`Follow the service so in profile ${profile}?`)
    await keep(dialect)
    await say(`kept with profile ${profile}, and followed by all commands from now on`)
    await say(`to take it away: ${suggest`drift accept --clear --profile ${profile}`}`)
  }
}

/** The profile to change, and its service. Fails: NO_PROFILE; USAGE if it cannot be changed, or another address is used. */
function ownProfile(settings: Settings): { readonly profile: string; readonly service: string } {
  const { profile, service } = whoseOf(settings)
  if (profile === null)
    throw new Failure('NO_PROFILE', 'no profile is named, and what is accepted is kept with one', {
      hint: 'name one: --profile NAME',
    })
  if (settings.kind === 'sandbox' || service === null)
    throw usageFailure([`profile ${profile} cannot be changed`], 'name a profile of your own: --profile NAME')
  if (settings.baseUrl?.from !== `profile ${profile}`)
    throw usageFailure(
      [`${settings.baseUrl?.from} leads elsewhere than profile ${profile}`],
      'leave it out, or change the profile: partner profiles set',
    )
  return { profile, service }
}
