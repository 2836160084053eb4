import { requireReserved } from '../../client/calls/success.ts'
import { createReservation } from '../../contract/bookings/reservations.ts'
import { makeBooking } from '../../features/bookings/reserving/create.ts'
import { RESERVATION_CREATE_FLAGS, type ReservationFlags } from '../../features/bookings/reserving/flags.ts'
import { BODY_CALL_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

/** The required flags. At a terminal, the command prompts for any that are missing. */
const REQUIRED = ['people', 'service', 'section', 'first-name', 'last-name', 'phone'] as const

export default class ReservationsCreate extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Create a reservation, checked against the live schedule.'
  static override description =
    'At a terminal, partner reservations create asks for missing values and offers free times from the schedule. For a walk-in, use bookings create.'
  static override usage =
    'reservations create --people N --service ID|NAME --section ID|NAME --time TIME --first-name NAME --last-name NAME --phone PHONE [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --people 4 --service dinner --section terrace --time "tomorrow 19:00" --first-name Ada --last-name Ng --phone +61400000000',
    `echo '{"customer":{"firstName":"Ada","lastName":"Ng","phone":"+61400000000"}}' | <%= config.bin %> <%= command.id %> --people 2 --service svc-dinner --section sec-bar --time "tomorrow 18:30" --data - --dry-run`,
  ]
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = RESERVATION_CREATE_FLAGS

  async run(): Promise<void> {
    const opened = await this.open(ReservationsCreate)
    const { flags, ask } = opened
    const accept = requireReserved
    if (!ask.canAskMissing || !isIncomplete(flags)) return makeBooking(createReservation, flags, opened, { accept })
    const { askReservation } = await import('../../features/bookings/reserving/guided.ts')
    const asked = await askReservation(flags, opened)
    await makeBooking(createReservation, asked, opened, { accept, isPlaced: isPlaceMissing(flags) })
  }
}

/** Returns whether the command has to prompt for a required value. With --data, it never prompts. */
function isIncomplete(flags: ReservationFlags & { data?: string | undefined }): boolean {
  const given = [...REQUIRED.map((name) => flags[name]), flags.time ?? flags['time-utc']]
  return flags.data === undefined && given.includes(undefined)
}

/** Returns whether the time, service or section is missing. If so, the user chooses all three from the schedule. */
function isPlaceMissing(flags: ReservationFlags): boolean {
  return [flags.service, flags.section, flags.time ?? flags['time-utc']].includes(undefined)
}
