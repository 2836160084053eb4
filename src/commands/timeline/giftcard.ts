import { timelineOfCard } from '../../features/timeline/of/gift-card.ts'
import { showTimeline, TIMELINE_FLAGS } from '../../features/timeline/shown.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { LOOK_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { parseCardNumber } from '../../terminal/input/values/card-number.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class TimelineGiftcard extends PartnerCommand {
  static override summary = 'Show all that is known of a gift card, in order of time.'
  static override description =
    'The card as the service has it, what this machine redeemed and cancelled, the deliveries in journals, and what the snapshots in a database found. What is odd is pointed out. It only reads. The service keeps no history of a card: what another till took is known only from journals and snapshots.'
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
