import type { Answer } from '../client/calls/answer.ts'
import { call } from '../client/calls/call.ts'
import type { Caller } from '../client/calls/caller.ts'
import type { CallInput } from '../client/calls/prepare.ts'
import { rejectFailure } from '../client/calls/success.ts'
import { inboundBalance, inboundRedeem } from '../contract/inbound.ts'
import { Failure } from '../failure/failure.ts'
import { type BalanceChange, changeByRedeem } from './balance-change.ts'
import { cardIn, intentAt, type MoneyDesk, noteBalance, requireReading, targetOf, weighByBalance } from './desk.ts'
import type { RedeemOrder } from './giftcards.ts'
import type { Operation } from './operations/operation.ts'
import { requireRedeemed } from './redeemed.ts'
import type { Evidence } from './verdict.ts'
import { type MoneyResult, writeOnce } from './write-once.ts'

export const INBOUND_REDEEM = 'inbound redeem'

/** How much to take off which card, at which of the partner's locations. */
export interface InboundRedeemOrder extends RedeemOrder {
  readonly partnerName: string
  readonly locationId: string
}

/** The request for a redeem by the signed endpoint. */
export function inboundRedeemInput(order: InboundRedeemOrder): CallInput<typeof inboundRedeem> {
  const { cardNumber, amount, partnerName, locationId, more, extraQuery = [] } = order
  const own = { cardNumber, amount: JSON.rawJSON(amount.text), locationId }
  return { path: { partnerName }, body: { ...own, ...more, ...own }, extraQuery }
}

/**
 * Takes an amount off a card by the signed endpoint, once. The balances before and after come from a signed endpoint too.
 * `desk.caller` signs. Fails: as `writeOnce`; BUSINESS_FAILURE when the service says that it took nothing.
 */
export async function inboundRedeemOnce(desk: MoneyDesk, order: InboundRedeemOrder): Promise<MoneyResult<Answer>> {
  const { caller } = desk
  const reading = () => readSigned(caller, order)
  return writeOnce(desk, {
    intent: intentAt(desk, INBOUND_REDEEM, targetOf(order.cardNumber), order.amount.cents),
    before: (operation) => noteBalance(desk, operation, reading),
    send: (onSend) =>
      call(caller, inboundRedeem, inboundRedeemInput(order), {
        check: `partner inbound balance ${order.cardNumber}`,
        onSend,
        accept: (answer) => requireRedeemed(answer, order),
      }),
    weigh: async (operation) => (await weighByBalance(desk, operation, reading)).evidence,
  })
}

/** What a redeem that was done left on its card. Never fails. */
export function changeOfInbound(
  desk: MoneyDesk,
  order: InboundRedeemOrder,
  operation: Operation,
): Promise<BalanceChange> {
  return changeByRedeem(desk, operation, (caller) => readSigned(caller, order))
}

/** Reads what the balance now says about an open redeem by the signed endpoint. Fails: NO_PROFILE without a location ID. */
export async function weighOpenInbound(desk: MoneyDesk, operation: Operation): Promise<Evidence> {
  const { partnerName = null, locationId = null } = desk.inbound ?? {}
  if (partnerName === null || locationId === null)
    throw new Failure('NO_PROFILE', 'the balance of the card cannot be read without a location ID', {
      hint: 'set PARTNER_LOCATION_ID, or the location of the profile with partner profiles set --location-id',
    })
  const about = { partnerName, locationId, cardNumber: operation.target }
  return (await weighByBalance(desk, operation, () => readSigned(desk.caller, about))).evidence
}

async function readSigned(
  caller: Caller,
  { partnerName, cardNumber, locationId }: Pick<InboundRedeemOrder, 'partnerName' | 'cardNumber' | 'locationId'>,
) {
  const answer = await call(
    caller,
    inboundBalance,
    { path: { partnerName }, body: { cardNumber, locationId } },
    { ownConnection: true },
  )
  rejectFailure(answer)
  return requireReading(cardIn(answer))
}
