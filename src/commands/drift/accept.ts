import { acceptDrift } from '../../features/support/drift/accept.ts'
import { PROFILE_FLAGS, toggle } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class DriftAccept extends PartnerCommand {
  static override summary = 'Adapt to a service that differs from the contract.'
  static override description =
    `Lists the differences from the last run of drift with this profile to which commands can adapt, and stores them in the profile: the member that contains the records of a list, the format of times, and lower case in card numbers. From then on, all commands read responses accordingly and show times in the documented format; drift reports these differences as confirmed. Differences that need your decision, such as a missing member, remain contradicted.

profiles show prints the accepted differences. --clear removes them, and so does profiles set with another --base-url.`
  static override examples = [
    '<%= config.bin %> profiles add live --base-url https://live.example.com && <%= config.bin %> bookings statuses --har live.har && <%= config.bin %> drift --har live.har --profile live && <%= config.bin %> <%= command.id %> --profile live',
    '<%= config.bin %> profiles add live --base-url https://live.example.com && <%= config.bin %> <%= command.id %> --profile live --clear',
  ]
  static override baseFlags = PROFILE_FLAGS
  static override flags = {
    clear: toggle('Remove the accepted differences, so that responses are read as the contract describes.'),
  }

  async run(): Promise<void> {
    await acceptDrift(await this.open(DriftAccept))
  }
}
