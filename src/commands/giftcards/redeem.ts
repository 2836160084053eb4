import { redeemGiftCard } from '../../contract/giftcards.ts'
import { readCardBefore } from '../../features/giftcards/card-before.ts'
import { redemptionViews } from '../../features/giftcards/views/changes.ts'
import { CONFIRMATION_RULE, checkOnceKey, makeMoneyWrite, toWritten } from '../../features/shared/money-write.ts'
import { formatAmount } from '../../money/amount.ts'
import { normalizeCardNumber } from '../../money/card-reading.ts'
import { buildRedemption, REDEEM, readRedeemChange, redeemInput, redeemOnce } from '../../money/giftcards.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { buildBody } from '../../terminal/input/body.ts'
import { parseParameters } from '../../terminal/input/command-line.ts'
import { BODY_CALL_FLAGS, FORCE_FLAG, flag, LEDGER_FLAG, ONCE_FLAG, requiredFlag } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { parseAmount } from '../../terminal/input/values/amount.ts'
import { parseCardNumber } from '../../terminal/input/values/card-number.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class GiftcardsRedeem extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Redeem an amount from a gift card.'
  static override description =
    `The request is sent only once. If the response is lost, the balance before and after shows what happened. If the outcome is still unknown, the exit code is 9, and the same redemption is refused until partner operations resolve determines the outcome. With --once, repeat the same command instead: partner help money.

${CONFIRMATION_RULE}`
  static override examples = [
    '<%= config.bin %> <%= command.id %> GIFT2-00005025-AAAA --amount 10.25',
    '<%= config.bin %> <%= command.id %> GIFT2-00005025-AAAA --amount 10.25 --json --notes "table 12"',
    '<%= config.bin %> <%= command.id %> GIFT2-00005025-AAAA --amount 10.25 --once till1-0042',
  ]
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = {
    amount: requiredFlag('AMOUNT', 'Amount in currency units, such as 25, 25.1 or 0.50.'),
    email: flag('EMAIL', 'Email address that the card was issued to; the service checks it.'),
    notes: flag('TEXT', 'Notes to store with the redemption.'),
    ...ONCE_FLAG,
    ...LEDGER_FLAG,
    ...FORCE_FLAG,
  }

  async run(): Promise<void> {
    const opened = await this.open(GiftcardsRedeem)
    const { args, flags, service, show, ask } = opened
    const problems = new Problems()
    const isChecked = !flags['no-validate']
    const cardNumber = problems.check(() => parseCardNumber(args.card, isChecked)) ?? ''
    const checked = problems.check(() => parseAmount(flags.amount, '--amount', isChecked))
    const more = await buildBody(flags, { issuedToEmail: flags.email, notes: flags.notes }, problems)
    const extraQuery = parseParameters(flags, problems)
    await checkOnceKey(flags, problems)
    const amount = problems.valueOrThrow(checked)
    const order = { cardNumber, amount, more, extraQuery }
    if (service.isDryRun) return service.showPlans(redeemGiftCard, [redeemInput(order)])
    const target = normalizeCardNumber(cardNumber)
    await makeMoneyWrite(
      {
        order: { command: REDEEM, target, amount, details: { ...more, '--param': flags.param ?? [] } },
        check: () => service.refuseIfOpen(REDEEM, target, amount.cents),
        readCard: () => readCardBefore(target, opened),
        confirm: async (notice) => {
          if (ask.needsConsent) await ask.confirm(`Redeem ${formatAmount(amount)} from ${cardNumber}${notice}?`)
        },
        write: async (desk) => {
          const result = await redeemOnce(desk, order)
          // Only the output at a terminal shows the balance; all other formats print the service's response.
          const change = show.isPlain ? await readRedeemChange(desk, result.operation) : null
          return toWritten(result, {
            own: buildRedemption(order, result.balance),
            change,
            what: 'the card was redeemed',
          })
        },
        assume: ({ balance, change }) => ({ answer: null, own: buildRedemption(order, balance), change, status: null }),
        views: ({ change }) => redemptionViews(show.isPlain ? change : null),
      },
      opened,
    )
  }
}
