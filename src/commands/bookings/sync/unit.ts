import { showUnits, UNIT_FLAGS } from '../../../features/copies/units.ts'
import { PROFILE_FLAGS } from '../../../terminal/input/flags.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class BookingsSyncUnit extends PartnerCommand {
  static override summary =
    'Print a systemd service and timer, a crontab line, or a Windows task that runs a sync regularly.'
  static override description =
    'The output contains paths on this machine, the profile, and the flags of bookings sync that you use. Nothing is installed and no secret is printed: the sync reads the key from the profile.\n\nOn Windows, the output is a task for the Task Scheduler. Redirect it to a file; a comment at its start contains the schtasks command that installs it. With --json, the members service, timer, crontab and task are null unless --format or the operating system selects them.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to venue.db',
    '<%= config.bin %> <%= command.id %> --to venue.db --every 1h --json --query service.text -r > partner-bookings.service',
    '<%= config.bin %> <%= command.id %> --to venue.db --format schtasks > partner-bookings.xml',
  ]
  static override baseFlags = PROFILE_FLAGS
  static override flags = UNIT_FLAGS

  async run(): Promise<void> {
    await showUnits(await this.open(BookingsSyncUnit))
  }
}
