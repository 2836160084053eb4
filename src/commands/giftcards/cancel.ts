import { ApiCommand } from '../../cli/api-command.ts'
import { requiredArgument } from '../../cli/arguments.ts'
import { bodyFrom } from '../../cli/body.ts'
import { cardNumberFrom } from '../../cli/card-number.ts'
import { FORCE_FLAG } from '../../cli/flags.ts'
import { Problems } from '../../cli/problems.ts'
import { cancelGiftCard } from '../../contract/giftcards.ts'
import { CANCEL, cancelOnce } from '../../money/giftcards.ts'
import { cancellationCard, cancellationList } from '../../views/giftcard-changes.ts'

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
    const body = await bodyFrom(flags, { cardNumber }, problems)
    problems.throwIfAny()
    const input = this.completed(cancelGiftCard, { body })
    if (!this.isDryRun) await this.refuseIfOpen(CANCEL, cardNumber, null)
    await this.confirm(`Cancel gift card ${cardNumber} for good?`)
    if (this.isDryRun) {
      await this.send(cancelGiftCard, input)
      return
    }
    const { changed, how } = await cancelOnce(await this.moneyDesk(), cardNumber, input)
    if (how !== null) await this.say(`the answer was lost, but it was done: ${how}`)
    else if (!changed) await this.say(`${cardNumber} was cancelled already; nothing was changed`)
    await this.showOne({ cardNumber, status: 'Cancelled', changed }, { card: cancellationCard, list: cancellationList })
  }
}
