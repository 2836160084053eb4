import { showUnits, UNIT_FLAGS } from '../../../features/copies/units.ts'
import { PROFILE_FLAGS } from '../../../terminal/input/flags.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class BookingsSyncUnit extends PartnerCommand {
  static override summary = 'Print a systemd service and timer, and a crontab line, that run a sync regularly.'
  static override description =
    'The units and the crontab line contain paths on this machine, the profile, and the given flags of bookings sync. Nothing is installed and no secret is printed: the sync reads the key from the profile.'
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
