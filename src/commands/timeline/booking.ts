import { timelineOfBooking } from '../../features/timeline/of/booking.ts'
import { SALES_RANGE_FLAGS, showTimeline, TIMELINE_FLAGS } from '../../features/timeline/show-timeline.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { LOOK_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { checkId } from '../../terminal/input/values/ids.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class TimelineBooking extends PartnerCommand {
  static override summary = 'Show everything that is known about a booking, in chronological order.'
  static override description =
    `The timeline lists the booking as the service has it, its sales, the writes made on this machine, the deliveries in journals, and its versions in copies, with the changes between them. Anything unusual is flagged. The command only reads.

Sales are searched from the day before the booking to two days after it, unless you use --from and --to.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> BK-1005',
    'touch hooks.ndjson && <%= config.bin %> bookings sync --to bookings.ndjson && <%= config.bin %> <%= command.id %> BK-1001 --journal hooks.ndjson --copy bookings.ndjson',
  ]
  static override args = { id: requiredArgument('booking ID, as bookings list prints it') }
  static override baseFlags = { ...MANY_FLAGS, ...LOOK_FLAGS }
  static override flags = { ...TIMELINE_FLAGS, ...SALES_RANGE_FLAGS }

  async run(): Promise<void> {
    const opened = await this.open(TimelineBooking)
    const { id } = opened.args
    const problems = new Problems()
    problems.check(() => checkId(id, 'ID'))
    await showTimeline(opened, problems, (sources) => timelineOfBooking(id, sources))
  }
}
