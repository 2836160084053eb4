import { moveToTables } from '../../features/bookings/move.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { BODY_CALL_FLAGS, repeated, toggle } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsUpdateTables extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Move a booking to other tables.'
  static override description =
    "Specify tables by section and name, as bookings tables lists them; the name is enough if only one section has it. They replace all of the booking's current tables."
  static override usage = 'bookings update-tables ID --table SECTION/NAME [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> BK-1004 --table "Main Dining/T7" --table "Main Dining/T8" --allow-conflict',
    '<%= config.bin %> <%= command.id %> BK-1001 --table T1',
  ]
  static override args = { id: requiredArgument('booking ID, as bookings list prints it') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = {
    table: repeated({
      helpValue: 'SECTION/NAME',
      summary: 'A table, as SECTION/NAME or just NAME. May be repeated.',
    }),
    'allow-conflict': toggle('Allow tables that are already booked at that time.'),
  }

  async run(): Promise<void> {
    await moveToTables(await this.open(BookingsUpdateTables))
  }
}
