import { requiredArgument } from '../../cli/input/arguments.ts'
import { cardNumberFrom } from '../../cli/input/values/card-number.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { getGiftCard } from '../../contract/giftcards.ts'
import { giftCardCard, giftCardList } from '../../views/giftcards/gift-card.ts'

export default class GiftcardsGet extends ApiCommand {
  static override summary = 'Show one gift card, its balance first.'
  static override examples = ['<%= config.bin %> <%= command.id %> ABCDE-12345678-WXYZ']
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }

  async run(): Promise<void> {
    const { args } = await this.input(GiftcardsGet)
    const card = await this.send(getGiftCard, { path: { cardNumber: cardNumberFrom(args.card) } })
    await this.showAnswer(card, { card: giftCardCard, list: giftCardList })
  }
}
