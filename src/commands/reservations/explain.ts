import { explainReservation } from '../../features/bookings/explain/run.ts'
import { RESERVATION_CREATE_FLAGS } from '../../features/bookings/reserving/flags.ts'
import { BODY_CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class ReservationsExplain extends PartnerCommand {
  static override summary = 'Explain why the service would reject a reservation and suggest possible times.'
  static override description =
    `The command accepts the flags of reservations create and, with --data, the request body of another program. Only the party size and a time are required. Without a service, section or guest, it checks the rest, and lists the missing flags as not checked. It only reads the schedule and, if they matter, the tables and statuses. It lists all reasons and the nearest possible times.

The exit code is 0 if the service would accept the reservation, 5 if it would reject it, and 2 if the request is invalid. Flags accept names of services, sections and tables, which are looked up. In a body, a name instead of an ID is a reason to reject the reservation.

Its alias is bookings explain.`
  static override usage = 'reservations explain --people N --time TIME [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --people 4 --time "tomorrow 19:00"',
    '<%= config.bin %> <%= command.id %> --people 4 --service dinner --section terrace --time "tomorrow 19:00" --first-name Ada --last-name Ng --phone +61400000000',
    `echo '{"customer":{"firstName":"Ada","lastName":"Ng","phone":"+61400000000"}}' | <%= config.bin %> <%= command.id %> --people 2 --service svc-dinner --section sec-main --time "tomorrow 21:15" --data - --json`,
  ]
  static override baseFlags = { ...MANY_FLAGS, ...BODY_CALL_FLAGS }
  static override flags = RESERVATION_CREATE_FLAGS

  async run(): Promise<void> {
    await explainReservation(await this.open(ReservationsExplain))
  }
}
