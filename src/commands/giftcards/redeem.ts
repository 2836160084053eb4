import { requiredArgument } from '../../cli/input/arguments.ts'
import { bodyFrom } from '../../cli/input/body.ts'
import { parseParameters } from '../../cli/input/command-line.ts'
import { BODY_CALL_FLAGS, FORCE_FLAG, flag, requiredFlag } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { amountFrom } from '../../cli/input/values/amount.ts'
import { cardNumberFrom } from '../../cli/input/values/card-number.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { getGiftCard, redeemGiftCard } from '../../contract/giftcards.ts'
import { knownRedemption, REDEEM, redeemInput, redeemOnce } from '../../money/giftcards.ts'
import { redemptionCard, redemptionList } from '../../views/giftcards/changes.ts'
import { giftCardCard, giftCardList } from '../../views/giftcards/gift-card.ts'

export default class GiftcardsRedeem extends PartnerCommand {
  static override summary = 'Take an amount off a gift card, once.'
  static override description =
    'It is sent once. When the answer is lost, the balance before and after tells what happened; when it cannot tell, the exit code is 9, the same redeem is refused from then on, and partner operations resolve finds out.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> ABCDE-12345678-WXYZ --amount 25.00',
    '<%= config.bin %> <%= command.id %> ABCDE-12345678-WXYZ --amount 25.00 --json --notes "table 12"',
  ]
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = {
    amount: requiredFlag('AMOUNT', 'How much, in currency units: 25, 25.1, 0.50.'),
    email: flag('EMAIL', 'Who the card was issued to; the service verifies it.'),
    notes: flag('TEXT', 'Kept with the redemption.'),
    ...FORCE_FLAG,
  }

  async run(): Promise<void> {
    const { args, flags, service, show, ask, say } = await this.open(GiftcardsRedeem)
    const problems = new Problems()
    const cardNumber = problems.check(() => cardNumberFrom(args.card)) ?? ''
    const checked = problems.check(() => amountFrom(flags.amount, '--amount'))
    const more = await bodyFrom(flags, { issuedToEmail: flags.email, notes: flags.notes }, problems)
    const extraQuery = parseParameters(flags, problems)
    const amount = problems.settled(checked)
    const order = { cardNumber, amount, more, extraQuery }
    if (service.isDryRun) return service.showPlans(redeemGiftCard, [redeemInput(order)])
    await service.refuseIfOpen(REDEEM, cardNumber, amount.cents)
    if (ask.isWanted) {
      const card = await service.look(getGiftCard, { path: { cardNumber } })
      await show.toPerson(card, { card: giftCardCard, list: giftCardList })
      await ask.confirm(`Take ${amount.text} off ${cardNumber}?`)
    }
    const result = await redeemOnce(await service.moneyDesk(), order)
    const views = { card: redemptionCard, list: redemptionList }
    if (result.answer) return show.answer(result.answer, views)
    await say(`${result.lost}, but the card was redeemed: ${result.how}`)
    await show.one(knownRedemption(order, result.balance), views)
  }
}
