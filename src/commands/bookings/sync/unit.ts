import { showUnits, UNIT_FLAGS } from '../../../features/copies/units.ts'
import { PROFILE_FLAGS } from '../../../terminal/input/flags.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class BookingsSyncUnit extends PartnerCommand {
  static override summary = 'Print what runs a sync again and again: a systemd service and timer, and a crontab line.'
  static override description =
    'They are filled in with the paths of this machine, the profile, and the flags that are given here for bookings sync. Nothing is installed, and no secret is printed: the key is read from the profile.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to venue.db',
    '<%= config.bin %> <%= command.id %> --to venue.db --every 1h --json --query service.text -r > partner-bookings.service',
  ]
  static override baseFlags = PROFILE_FLAGS
  static override flags = UNIT_FLAGS

  async run(): Promise<void> {
    await showUnits(await this.open(BookingsSyncUnit))
  }
}
