import { requiredArgument } from '../../cli/input/arguments.ts'
import { bodyFrom } from '../../cli/input/body.ts'
import { FORCE_FLAG } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { cardNumberFrom } from '../../cli/input/values/card-number.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { cancelGiftCard } from '../../contract/giftcards.ts'
import { CANCEL, cancelInput, cancelOnce } from '../../money/giftcards.ts'
import { cancellationCard, cancellationList } from '../../views/giftcards/changes.ts'

export default class GiftcardsCancel extends ApiCommand {
  static override summary = 'Cancel a gift card for good.'
  static override description =
    'A card that was cancelled before is no failure: the exit code is 0, and "changed" is false. A fully redeemed card cannot be cancelled.'
  static override examples = ['<%= config.bin %> <%= command.id %> ABCDE-12345678-WXYZ --yes']
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override flags = FORCE_FLAG

  async run(): Promise<void> {
    const { args, flags } = await this.input(GiftcardsCancel)
    const cardNumber = cardNumberFrom(args.card)
    const problems = new Problems()
    const more = await bodyFrom(flags, {}, problems)
    const extraQuery = this.extraQuery(problems)
    problems.throwIfAny()
    const order = { cardNumber, more, extraQuery }
    // What --param adds is added by the dry run itself.
    if (this.isDryRun) return void (await this.send(cancelGiftCard, { ...cancelInput(order), extraQuery: [] }))
    await this.refuseIfOpen(CANCEL, cardNumber, null)
    await this.confirm(`Cancel gift card ${cardNumber} for good?`)
    const { changed, known } = await cancelOnce(await this.moneyDesk(), order)
    if (known !== null) await this.say(`${known.lost}, but the card was cancelled: ${known.how}`)
    else if (!changed) await this.say(`${cardNumber} was cancelled already; nothing was changed`)
    await this.showOne({ cardNumber, status: 'Cancelled', changed }, { card: cancellationCard, list: cancellationList })
  }
}
