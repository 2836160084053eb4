import { acceptDrift } from '../../features/support/drift/accept.ts'
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
    await acceptDrift(await this.open(DriftAccept))
  }
}
