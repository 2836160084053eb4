import { amountFrom } from '../../cli/amount.ts'
import { ApiCommand } from '../../cli/api-command.ts'
import { requiredArgument } from '../../cli/arguments.ts'
import { bodyFrom } from '../../cli/body.ts'
import { cardNumberFrom } from '../../cli/card-number.ts'
import { FORCE_FLAG, requiredFlag } from '../../cli/flags.ts'
import { LOCATION_FLAG, partnerNameOf, withLocation } from '../../cli/inbound-input.ts'
import { Problems } from '../../cli/problems.ts'
import { inboundRedeem } from '../../contract/inbound.ts'
import { INBOUND_REDEEM, inboundRedeemOnce } from '../../money/inbound.ts'
import { redemptionCard, redemptionList } from '../../views/giftcard-changes.ts'

export default class InboundRedeem extends ApiCommand {
  static override summary = 'Take an amount off a gift card by the signed partner endpoint, once.'
  static override description =
    "It carries no API key: the profile's signing secret signs it, and its partner name is part of the path."
  static override examples = ['<%= config.bin %> <%= command.id %> ABCDE-12345678-WXYZ --amount 25.00']
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override flags = {
    amount: requiredFlag('AMOUNT', 'How much, in currency units: 25, 25.1, 0.50.'),
    ...LOCATION_FLAG,
    ...FORCE_FLAG,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.input(InboundRedeem)
    const problems = new Problems()
    const cardNumber = problems.check(() => cardNumberFrom(args.card)) ?? ''
    const amount = problems.check(() => amountFrom(flags.amount, '--amount'))
    const typed = { cardNumber, amount: amount && JSON.rawJSON(amount.text) }
    const body = await bodyFrom(flags, typed, problems)
    problems.throwIfAny()
    const session = await this.signedSession()
    const whole = withLocation(body, flags['location-id'], session)
    const input = this.completed(inboundRedeem, { path: { partnerName: partnerNameOf(session) }, body: whole })
    if (this.isDryRun) return void (await this.send(inboundRedeem, input))
    await this.refuseIfOpen(INBOUND_REDEEM, cardNumber, flags.amount)
    if (this.asksFirst) await this.confirm(`Take ${flags.amount} off ${cardNumber}?`)
    const order = { cardNumber, amount: flags.amount, locationId: whole.locationId, input }
    const result = await inboundRedeemOnce(await this.moneyDesk(), order)
    const views = { card: redemptionCard, list: redemptionList }
    if (result.answer) return this.showAnswer(result.answer, views)
    await this.say(`the answer was lost, but the card was redeemed: ${result.how}`)
    await this.showOne({ cardNumber, amountRedeemed: JSON.rawJSON(flags.amount), isSuccess: true }, views)
  }
}
