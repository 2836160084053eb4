import { timelineOfSale } from '../../features/timeline/of/sale.ts'
import { SALES_RANGE_FLAGS, showTimeline, TIMELINE_FLAGS } from '../../features/timeline/shown.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { LOOK_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class TimelineSale extends PartnerCommand {
  static override summary = 'Show all that is known of a sale and its booking, in order of time.'
  static override description =
    `The sale as the service lists it, the booking that it is linked to, what this machine sent, the deliveries in journals, and what copies have of both. What is odd is pointed out. It only reads.

There is no way to ask for one sale, so the list is searched: a day around the time that this machine or a copy knows, else the last 7 days, unless --from and --to say otherwise.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> S-1001',
    '<%= config.bin %> <%= command.id %> S-1001 --from -30d --json',
  ]
  static override args = { id: requiredArgument('sale ID, as the till gave it') }
  static override baseFlags = { ...MANY_FLAGS, ...LOOK_FLAGS }
  static override flags = { ...TIMELINE_FLAGS, ...SALES_RANGE_FLAGS }

  async run(): Promise<void> {
    const opened = await this.open(TimelineSale)
    const { id } = opened.args
    const problems = new Problems()
    if (id.trim() === '') problems.add('ID must not be empty', 'see partner sales list')
    await showTimeline(opened, problems, (sources) => timelineOfSale(id, sources))
  }
}
