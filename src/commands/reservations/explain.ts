import { explainReservation } from '../../features/bookings/explain/run.ts'
import { RESERVATION_CREATE_FLAGS } from '../../features/bookings/reserving/flags.ts'
import { BODY_CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class ReservationsExplain extends PartnerCommand {
  static override summary = 'Say why a reservation would be refused, and what would do instead.'
  static override description =
    `It takes what reservations create takes, also the body of another program with --data. Only the party size and a time are required: without a service, section or guest, it checks the rest, and lists the missing flags as not checked. It sends nothing but reads: of the schedule, and of tables and statuses where these matter. It names each reason, not the first alone, and the nearest times that would do.

It ends with 0 when the service would accept it, with 5 when it would refuse it, and with 2 for what cannot be a request. Names of services, sections and tables may stand in flags, as they are looked up; in a body they are a reason.

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
