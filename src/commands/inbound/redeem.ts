import { requiredArgument } from '../../cli/input/arguments.ts'
import { bodyFrom } from '../../cli/input/body.ts'
import { FORCE_FLAG, requiredFlag } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { amountFrom } from '../../cli/input/values/amount.ts'
import { cardNumberFrom } from '../../cli/input/values/card-number.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { inboundRedeem } from '../../contract/inbound.ts'
import { INBOUND_REDEEM, inboundRedeemInput, inboundRedeemOnce } from '../../money/inbound.ts'
import { redemptionCard, redemptionList } from '../../views/giftcards/changes.ts'
import { LOCATION_FLAG, partnerNameOf, withLocation } from './_input.ts'

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
    const checked = problems.check(() => amountFrom(flags.amount, '--amount'))
    const more = await bodyFrom(flags, {}, problems)
    const extraQuery = this.extraQuery(problems)
    const amount = problems.settled(checked)
    const session = await this.signedSession()
    const { locationId, ...rest } = withLocation(more, flags['location-id'], session)
    const partnerName = partnerNameOf(session)
    const order = { cardNumber, amount, locationId, partnerName, more: rest, extraQuery }
    // What --param adds is added by the dry run itself.
    if (this.isDryRun) return void (await this.send(inboundRedeem, { ...inboundRedeemInput(order), extraQuery: [] }))
    await this.refuseIfOpen(INBOUND_REDEEM, cardNumber, amount.cents)
    if (this.asksFirst) await this.confirm(`Take ${amount.text} off ${cardNumber}?`)
    const result = await inboundRedeemOnce(await this.moneyDesk(), order)
    const views = { card: redemptionCard, list: redemptionList }
    if (result.answer) return this.showAnswer(result.answer, views)
    await this.say(`${result.lost}, but the card was redeemed: ${result.how}`)
    await this.showOne({ cardNumber, amountRedeemed: JSON.rawJSON(amount.text), isSuccess: true }, views)
  }
}
