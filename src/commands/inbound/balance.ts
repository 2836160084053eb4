import { inboundBalance } from '../../contract/inbound.ts'
import { balanceCard, balanceList } from '../../features/giftcards/views/gift-card.ts'
import { LOCATION_FLAG, partnerNameOf, withLocation } from '../../features/inbound/input.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { buildBody } from '../../terminal/input/body.ts'
import { BODY_CALL_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { parseCardNumber } from '../../terminal/input/values/card-number.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class InboundBalance extends PartnerCommand {
  static override summary = 'Show the balance of a gift card through the signed partner endpoint.'
  static override examples = ['<%= config.bin %> <%= command.id %> GIFT2-00005025-AAAA']
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = LOCATION_FLAG

  async run(): Promise<void> {
    const { args, flags, connection, service, show } = await this.open(InboundBalance)
    const problems = new Problems()
    const cardNumber = problems.check(() => parseCardNumber(args.card, !flags['no-validate'])) ?? ''
    const body = await buildBody(flags, { cardNumber }, problems)
    problems.throwIfAny()
    const session = await connection.signedSession()
    const whole = withLocation(body, flags['location-id'], session)
    const answer = await service.send(inboundBalance, { path: { partnerName: partnerNameOf(session) }, body: whole })
    await show.answer(answer, { card: balanceCard, list: balanceList })
  }
}
