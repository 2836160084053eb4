import { updateStatus } from '../../contract/bookings/changes.ts'
import { listBookingStatuses } from '../../contract/bookings/statuses.ts'
import { changeBooking } from '../../features/bookings/changed.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { buildBody, REMOVED } from '../../terminal/input/body.ts'
import { BODY_CALL_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { checkStatusCode } from '../../terminal/input/values/status-code.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsUpdateStatus extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Change the status of a booking.'
  static override description =
    "CODE is checked against the venue's codes, which bookings statuses lists; a dry run reads them too. Upper and lower case do not matter."
  static override examples = ['<%= config.bin %> <%= command.id %> BK-1001 SEATED']
  static override args = {
    id: requiredArgument('booking ID, as bookings list prints it'),
    code: requiredArgument('status code, as listed by bookings statuses'),
  }
  static override baseFlags = BODY_CALL_FLAGS

  async run(): Promise<void> {
    const opened = await this.open(BookingsUpdateStatus)
    const { args, flags, service } = opened
    const problems = new Problems()
    if (args.code.trim() === '' && !flags['no-validate'])
      problems.add('CODE must not be empty', 'see partner bookings statuses')
    const body = await buildBody(flags, { status: args.code, bookingId: REMOVED }, problems)
    problems.throwIfAny()
    const input = { path: { bookingId: args.id }, body }
    // Reject a malformed ID before sending any request.
    service.complete(updateStatus, input)
    let status = args.code
    if (!flags['no-validate']) status = checkStatusCode(status, await service.readAll(listBookingStatuses, {}))
    await changeBooking(opened, updateStatus, { ...input, body: { ...body, status } }, { id: args.id })
  }
}
