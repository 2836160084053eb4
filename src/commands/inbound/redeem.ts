import { requiredArgument } from '../../cli/input/arguments.ts'
import { bodyFrom } from '../../cli/input/body.ts'
import { parseParameters } from '../../cli/input/command-line.ts'
import { BODY_CALL_FLAGS, FORCE_FLAG, requiredFlag } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { amountFrom } from '../../cli/input/values/amount.ts'
import { cardNumberFrom } from '../../cli/input/values/card-number.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { inboundRedeem } from '../../contract/inbound.ts'
import { INBOUND_REDEEM, inboundRedeemInput, inboundRedeemOnce } from '../../money/inbound.ts'
import { redemptionCard, redemptionList } from '../../views/giftcards/changes.ts'
import { LOCATION_FLAG, partnerNameOf, withLocation } from './_input.ts'

export default class InboundRedeem extends PartnerCommand {
  static override summary = 'Take an amount off a gift card by the signed partner endpoint, once.'
  static override description =
    "It carries no API key: the profile's signing secret signs it, and its partner name is part of the path."
  static override examples = ['<%= config.bin %> <%= command.id %> ABCDE-12345678-WXYZ --amount 25.00']
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = {
    amount: requiredFlag('AMOUNT', 'How much, in currency units: 25, 25.1, 0.50.'),
    ...LOCATION_FLAG,
    ...FORCE_FLAG,
  }

  async run(): Promise<void> {
    const { args, flags, connection, service, show, ask, say } = await this.open(InboundRedeem)
    const problems = new Problems()
    const cardNumber = problems.check(() => cardNumberFrom(args.card)) ?? ''
    const checked = problems.check(() => amountFrom(flags.amount, '--amount'))
    const more = await bodyFrom(flags, {}, problems)
    const extraQuery = parseParameters(flags, problems)
    const amount = problems.settled(checked)
    const session = await connection.signedSession()
    const { locationId, ...rest } = withLocation(more, flags['location-id'], session)
    const partnerName = partnerNameOf(session)
    const order = { cardNumber, amount, locationId, partnerName, more: rest, extraQuery }
    if (service.isDryRun) return service.showPlans(inboundRedeem, [inboundRedeemInput(order)])
    await service.refuseIfOpen(INBOUND_REDEEM, cardNumber, amount.cents)
    if (ask.isWanted) await ask.confirm(`Take ${amount.text} off ${cardNumber}?`)
    const result = await inboundRedeemOnce(await service.moneyDesk(), order)
    const views = { card: redemptionCard, list: redemptionList }
    if (result.answer) return show.answer(result.answer, views)
    await say(`${result.lost}, but the card was redeemed: ${result.how}`)
    await show.one({ cardNumber, amountRedeemed: JSON.rawJSON(amount.text), isSuccess: true }, views)
  }
}
