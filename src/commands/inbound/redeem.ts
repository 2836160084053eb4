import { inboundRedeem } from '../../contract/inbound.ts'
import { redemptionViews } from '../../features/giftcards/views/changes.ts'
import { LOCATION_FLAG, partnerNameOf, withLocation } from '../../features/inbound/input.ts'
import { CONFIRMATION_RULE, checkOnceKey, makeMoneyWrite, toWritten } from '../../features/shared/money-write.ts'
import { formatAmount } from '../../money/amount.ts'
import { normalizeCardNumber } from '../../money/card-reading.ts'
import {
  INBOUND_REDEEM,
  inboundRedeemInput,
  inboundRedeemOnce,
  readCardIfKnown,
  readInboundChange,
} from '../../money/inbound.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { buildBody } from '../../terminal/input/body.ts'
import { parseParameters } from '../../terminal/input/command-line.ts'
import { BODY_CALL_FLAGS, FORCE_FLAG, LEDGER_FLAG, ONCE_FLAG, requiredFlag } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { parseAmount } from '../../terminal/input/values/amount.ts'
import { parseCardNumber } from '../../terminal/input/values/card-number.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

const BLIND =
  'the balance of the card cannot be interpreted, so if the response is lost, partner cannot tell whether the amount was redeemed'

export default class InboundRedeem extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Redeem an amount from a gift card through the signed partner endpoint.'
  static override description =
    `The request carries no API key. It is signed with the profile's signing secret, and its path contains the profile's partner name.

${CONFIRMATION_RULE}`
  static override examples = ['<%= config.bin %> <%= command.id %> GIFT2-00005025-AAAA --amount 10.25']
  static override args = { card: requiredArgument('card number, XXXXX-XXXXXXXX-XXXX') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = {
    amount: requiredFlag('AMOUNT', 'Amount in currency units, such as 25, 25.1 or 0.50.'),
    ...LOCATION_FLAG,
    ...ONCE_FLAG,
    ...LEDGER_FLAG,
    ...FORCE_FLAG,
  }

  async run(): Promise<void> {
    const opened = await this.open(InboundRedeem)
    const { args, flags, connection, service, show, ask, warn } = opened
    const problems = new Problems()
    const isChecked = !flags['no-validate']
    const cardNumber = problems.check(() => parseCardNumber(args.card, isChecked)) ?? ''
    const checked = problems.check(() => parseAmount(flags.amount, '--amount', isChecked))
    const more = await buildBody(flags, {}, problems)
    const extraQuery = parseParameters(flags, problems)
    await checkOnceKey(flags, problems)
    const amount = problems.valueOrThrow(checked)
    const session = await connection.signedSession()
    const { locationId, ...rest } = withLocation(more, flags['location-id'], session)
    const partnerName = partnerNameOf(session)
    const order = { cardNumber, amount, locationId, partnerName, more: rest, extraQuery }
    const own = { cardNumber, amountRedeemed: JSON.rawJSON(amount.text), isSuccess: true }
    if (service.isDryRun) return service.showPlans(inboundRedeem, [inboundRedeemInput(order)])
    const target = normalizeCardNumber(cardNumber)
    await makeMoneyWrite(
      {
        order: {
          command: INBOUND_REDEEM,
          target,
          amount,
          details: { ...rest, locationId, '--param': flags.param ?? [] },
        },
        check: () => service.refuseIfOpen(INBOUND_REDEEM, target, amount.cents),
        readCard: async () => ({ value: await readCardIfKnown(session.caller, order) }),
        confirm: async (notice) => {
          if (ask.needsConsent) await ask.confirm(`Redeem ${formatAmount(amount)} from ${cardNumber}${notice}?`)
        },
        write: async (desk) => {
          const result = await inboundRedeemOnce(desk, order, () => warn(BLIND))
          const { operation } = result
          const change = show.isPlain ? await readInboundChange(desk, order, operation) : null
          return toWritten(result, { own, change, what: 'the card was redeemed' })
        },
        assume: ({ change }) => ({ answer: null, own, change, status: null }),
        views: ({ change }) => redemptionViews(show.isPlain ? change : null),
      },
      opened,
    )
  }
}
