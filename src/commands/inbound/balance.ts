import { requiredArgument } from '../../cli/input/arguments.ts'
import { bodyFrom } from '../../cli/input/body.ts'
import { Problems } from '../../cli/input/problems.ts'
import { cardNumberFrom } from '../../cli/input/values/card-number.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { inboundBalance } from '../../contract/inbound.ts'
import { balanceCard, balanceList } from '../../views/giftcards/inbound-balance.ts'
import { LOCATION_FLAG, partnerNameOf, withLocation } from './_input.ts'

export default class InboundBalance extends ApiCommand {
  static override summary = 'Show the balance of a gift card by the signed partner endpoint.'
  static override examples = ['<%= config.bin %> <%= command.id %> ABCDE-12345678-WXYZ']
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override flags = LOCATION_FLAG

  async run(): Promise<void> {
    const { args, flags } = await this.input(InboundBalance)
    const problems = new Problems()
    const cardNumber = problems.check(() => cardNumberFrom(args.card)) ?? ''
    const body = await bodyFrom(flags, { cardNumber }, problems)
    problems.throwIfAny()
    const session = await this.signedSession()
    const whole = withLocation(body, flags['location-id'], session)
    const answer = await this.send(inboundBalance, { path: { partnerName: partnerNameOf(session) }, body: whole })
    await this.showAnswer(answer, { card: balanceCard, list: balanceList })
  }
}
