import { timelineOfCard } from '../../features/timeline/of/gift-card.ts'
import { showTimeline, TIMELINE_FLAGS } from '../../features/timeline/show-timeline.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { LOOK_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { parseCardNumber } from '../../terminal/input/values/card-number.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class TimelineGiftcard extends PartnerCommand {
  static override summary = 'Show everything that is known about a gift card, in chronological order.'
  static override description =
    "The timeline lists the service's record of the card, the redemptions and cancellations made on this machine, the deliveries in journals, and the changes between snapshots in a database. Anything unusual is flagged. The command only reads. The service keeps no history of a card, so redemptions at other tills appear only if a journal or a snapshot shows them."
  static override examples = [
    '<%= config.bin %> <%= command.id %> GIFT1-00000100-AAAA',
    '<%= config.bin %> giftcards sync --to cards.db && <%= config.bin %> <%= command.id %> GIFT1-00000100-AAAA --copy cards.db',
  ]
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override baseFlags = { ...MANY_FLAGS, ...LOOK_FLAGS }
  static override flags = TIMELINE_FLAGS

  async run(): Promise<void> {
    const opened = await this.open(TimelineGiftcard)
    const problems = new Problems()
    const number = problems.check(() => parseCardNumber(opened.args.card, true)) ?? ''
    await showTimeline(opened, problems, (sources) => timelineOfCard(number, sources))
  }
}
