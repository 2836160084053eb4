import { getGiftCard } from '../../contract/giftcards.ts'
import { giftCardCard, giftCardList } from '../../features/giftcards/views/gift-card.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { CHECKED_CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { parseCardNumber } from '../../terminal/input/values/card-number.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class GiftcardsGet extends PartnerCommand {
  static override summary = 'Show one gift card and its balance.'
  static override examples = ['<%= config.bin %> <%= command.id %> GIFT2-00005025-AAAA']
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override baseFlags = { ...MANY_FLAGS, ...CHECKED_CALL_FLAGS }

  async run(): Promise<void> {
    const { args, flags, service, show } = await this.open(GiftcardsGet)
    const cardNumber = parseCardNumber(args.card, !flags['no-validate'])
    const card = await service.send(getGiftCard, { path: { cardNumber } })
    await show.answer(card, { card: giftCardCard, list: giftCardList })
  }
}
