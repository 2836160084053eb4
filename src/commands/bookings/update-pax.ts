import { updatePax } from '../../contract/bookings/changes.ts'
import { MAX_INT32 } from '../../contract/shapes/scalars.ts'
import { changeBooking } from '../../features/bookings/changed.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { buildBody, REMOVED } from '../../terminal/input/body.ts'
import { BODY_CALL_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { parseNumber } from '../../terminal/input/values/number.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class BookingsUpdatePax extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Change the party size of a booking.'
  static override examples = ['<%= config.bin %> <%= command.id %> BK-1001 4']
  static override args = {
    id: requiredArgument('booking ID, as bookings list prints it'),
    people: requiredArgument('party size (pax), 1 to 2147483647'),
  }
  static override baseFlags = BODY_CALL_FLAGS

  async run(): Promise<void> {
    const opened = await this.open(BookingsUpdatePax)
    const { args, flags } = opened
    const problems = new Problems()
    const pax = flags['no-validate']
      ? parseNumber(args.people)
      : problems.wholeNumber('PEOPLE', args.people, 1, MAX_INT32)
    const body = await buildBody(flags, { pax, bookingId: REMOVED }, problems)
    problems.throwIfAny('see partner bookings update-pax --help; nothing was sent')
    await changeBooking(opened, updatePax, { path: { bookingId: args.id }, body }, { id: args.id })
  }
}
