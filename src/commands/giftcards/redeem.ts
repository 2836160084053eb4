import { amountFrom } from '../../cli/amount.ts'
import { ApiCommand } from '../../cli/api-command.ts'
import { requiredArgument } from '../../cli/arguments.ts'
import { bodyFrom } from '../../cli/body.ts'
import { cardNumberFrom } from '../../cli/card-number.ts'
import { flag, requiredFlag } from '../../cli/flags.ts'
import { Problems } from '../../cli/problems.ts'
import { checkSuccess } from '../../cli/success.ts'
import { getGiftCard, redeemGiftCard } from '../../contract/giftcards.ts'
import { redemptionCard, redemptionList } from '../../views/giftcard-changes.ts'
import { giftCardCard, giftCardList } from '../../views/giftcards.ts'

export default class GiftcardsRedeem extends ApiCommand {
  static override summary = 'Take an amount off a gift card, once.'
  static override description =
    'It is never sent twice by itself: when the answer is lost, the exit code is 9 and the message names the command that shows what happened.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> ABCDE-12345678-WXYZ --amount 25.00',
    '<%= config.bin %> <%= command.id %> ABCDE-12345678-WXYZ --amount 25.00 --json --notes "table 12"',
  ]
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override flags = {
    amount: requiredFlag('AMOUNT', 'How much, in currency units: 25, 25.1, 0.50.'),
    email: flag('EMAIL', 'Who the card was issued to; the service verifies it.'),
    notes: flag('TEXT', 'Kept with the redemption.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.input(GiftcardsRedeem)
    const problems = new Problems()
    const cardNumber = problems.check(() => cardNumberFrom(args.card)) ?? ''
    const amount = problems.check(() => amountFrom(flags.amount, '--amount'))
    const sent = amount && {
      cardNumber,
      amount: JSON.rawJSON(amount.text),
      issuedToEmail: flags.email,
      notes: flags.notes,
    }
    const body = await bodyFrom(flags, sent ?? {}, problems)
    problems.throwIfAny()
    if (this.asksFirst) {
      const card = await this.look(getGiftCard, { path: { cardNumber } })
      await this.showToPerson(card, { card: giftCardCard, list: giftCardList })
      await this.confirm(`Take ${amount?.text} off ${cardNumber}?`)
    }
    const answer = await this.send(redeemGiftCard, { body }, { check: `partner giftcards get ${cardNumber}` })
    checkSuccess(answer, 'the card was not redeemed')
    await this.showAnswer(answer, { card: redemptionCard, list: redemptionList })
  }
}
