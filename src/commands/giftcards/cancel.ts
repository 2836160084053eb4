import { cancelGiftCard } from '../../contract/giftcards.ts'
import { readCardBefore } from '../../features/giftcards/card-before.ts'
import { cancellationViews } from '../../features/giftcards/views/changes.ts'
import { CONFIRMATION_RULE, checkOnceKey, makeMoneyWrite } from '../../features/shared/money-write.ts'
import { centsTextOrNull } from '../../money/amount.ts'
import { normalizeCardNumber } from '../../money/card-reading.ts'
import { CANCEL, cancelInput, cancelOnce } from '../../money/giftcards.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { buildBody } from '../../terminal/input/body.ts'
import { parseParameters } from '../../terminal/input/command-line.ts'
import { BODY_CALL_FLAGS, FORCE_FLAG, LEDGER_FLAG, ONCE_FLAG } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { parseCardNumber } from '../../terminal/input/values/card-number.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class GiftcardsCancel extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Cancel a gift card permanently.'
  static override description =
    `If the card is already cancelled, the exit code is still 0 and "changed" is false. A fully redeemed card cannot be cancelled.

${CONFIRMATION_RULE}`
  static override examples = ['<%= config.bin %> <%= command.id %> GIFT3-00003333-AAAA --yes']
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = { ...ONCE_FLAG, ...LEDGER_FLAG, ...FORCE_FLAG }

  async run(): Promise<void> {
    const opened = await this.open(GiftcardsCancel)
    const { args, flags, service, show, ask, say } = opened
    const cardNumber = parseCardNumber(args.card, !flags['no-validate'])
    const problems = new Problems()
    const more = await buildBody(flags, {}, problems)
    const extraQuery = parseParameters(flags, problems)
    await checkOnceKey(flags, problems)
    problems.throwIfAny()
    const order = { cardNumber, more, extraQuery }
    if (service.isDryRun) return service.showPlans(cancelGiftCard, [cancelInput(order)])
    const target = normalizeCardNumber(cardNumber)
    await makeMoneyWrite(
      {
        order: { command: CANCEL, target, amount: null, details: { ...more, '--param': flags.param ?? [] } },
        check: () => service.refuseIfOpen(CANCEL, target, null),
        readCard: () => readCardBefore(target, opened),
        confirm: (notice) =>
          ask.confirmByTyping(`Cancel gift card ${cardNumber} permanently${notice}?`, 'card number', cardNumber),
        write: async (desk) => {
          const { changed, known, balance, status, operation } = await cancelOnce(desk, order)
          if (known === null && !changed && !show.isPlain)
            await say(`${cardNumber} was already cancelled; nothing was changed`)
          const line = known && `${known.lost}, but the card was cancelled: ${known.how}`
          return {
            ...{ operation, answer: null, own: { cardNumber, status: 'Cancelled', changed } },
            ...{ change: { before: centsTextOrNull(balance), after: null }, status },
            known: known && line ? { how: known.how, line } : null,
          }
        },
        assume: ({ before }) => {
          const own = { cardNumber, status: 'Cancelled', changed: before !== 'Cancelled' }
          return { answer: null, own, change: null, status: before }
        },
        views: ({ change, status }) => cancellationViews({ balance: change?.before ?? null, status }),
      },
      opened,
    )
  }
}
