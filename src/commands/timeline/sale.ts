import { timelineOfSale } from '../../features/timeline/of/sale.ts'
import { SALES_RANGE_FLAGS, showTimeline, TIMELINE_FLAGS } from '../../features/timeline/show-timeline.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { LOOK_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class TimelineSale extends PartnerCommand {
  static override summary = 'Show everything that is known about a sale and its booking, in chronological order.'
  static override description =
    `The timeline lists the sale as the service has it, its booking, the writes made on this machine, the deliveries in journals, and the records of both in copies. Anything unusual is flagged. The command only reads.

The service cannot return a single sale, so its list is searched from a day before to a day after the sale's time, if this machine or a copy knows it, otherwise over the last 7 days. To search a different period, use --from and --to.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> S-1001',
    '<%= config.bin %> <%= command.id %> S-1001 --from -30d --json',
  ]
  static override args = { id: requiredArgument('sale ID, as assigned by the till') }
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
