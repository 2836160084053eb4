import { cancelGiftCard, getGiftCard } from '../../contract/giftcards.ts'
import { cancellationViews } from '../../features/giftcards/views/changes.ts'
import { giftCardCard, giftCardList } from '../../features/giftcards/views/gift-card.ts'
import { centsTextOrNull } from '../../money/amount.ts'
import { normalizeCardNumber } from '../../money/card-reading.ts'
import { OPEN_WRITE_NOTICE } from '../../money/desk.ts'
import { CANCEL, cancelInput, cancelOnce } from '../../money/giftcards.ts'
import { findCardProblems } from '../../money/shortfall.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { buildBody } from '../../terminal/input/body.ts'
import { parseParameters } from '../../terminal/input/command-line.ts'
import { BODY_CALL_FLAGS, FORCE_FLAG } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { parseCardNumber } from '../../terminal/input/values/card-number.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class GiftcardsCancel extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Cancel a gift card permanently.'
  static override description =
    'If the card is already cancelled, the exit code is still 0 and "changed" is false. A fully redeemed card cannot be cancelled.'
  static override examples = ['<%= config.bin %> <%= command.id %> GIFT3-00003333-AAAA --yes']
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = FORCE_FLAG

  async run(): Promise<void> {
    const { args, flags, service, show, ask, say, warn } = await this.open(GiftcardsCancel)
    const cardNumber = parseCardNumber(args.card, !flags['no-validate'])
    const problems = new Problems()
    const more = await buildBody(flags, {}, problems)
    const extraQuery = parseParameters(flags, problems)
    problems.throwIfAny()
    const order = { cardNumber, more, extraQuery }
    if (service.isDryRun) return service.showPlans(cancelGiftCard, [cancelInput(order)])
    const meant = normalizeCardNumber(cardNumber)
    const warning = await service.refuseIfOpen(CANCEL, meant, null)
    if (warning !== null) await warn(warning)
    if (ask.needsConsent) {
      const card = await service.read(getGiftCard, { path: { cardNumber: meant } })
      await show.showBeforeConfirmation(card, { card: giftCardCard, list: giftCardList })
      const doubt = findCardProblems(card.value, null)
      if (doubt !== null) await warn(doubt)
    }
    const question = `Cancel gift card ${cardNumber} permanently${warning === null ? '' : OPEN_WRITE_NOTICE}?`
    await ask.confirmByTyping(question, 'card number', cardNumber)
    const { changed, known, balance, status } = await cancelOnce(await service.moneyDesk(), order)
    if (known !== null) await say(`${known.lost}, but the card was cancelled: ${known.how}`)
    else if (!changed && !show.isPlain) await say(`${cardNumber} was already cancelled; nothing was changed`)
    const views = cancellationViews({ balance: centsTextOrNull(balance), status })
    await show.one({ cardNumber, status: 'Cancelled', changed }, views)
  }
}
