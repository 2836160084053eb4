import { Failure } from '../base/failure/failure.ts'
import { formatCommand } from '../base/failure/suggested.ts'
import { isJsonObject, type JsonObject } from '../base/json/exact.ts'
import { hasRepeatedMember } from '../base/json/repeated-member.ts'
import type { Answer } from '../client/calls/answer.ts'
import { call } from '../client/calls/call.ts'
import type { Caller } from '../client/calls/caller.ts'
import type { CallInput } from '../client/calls/prepare.ts'
import { send } from '../client/calls/send.ts'
import { rejectFailure } from '../client/calls/success.ts'
import { readBody } from '../client/response-body.ts'
import { inboundBalance, inboundRedeem } from '../contract/inbound.ts'
import { type BalanceChange, readBalanceChange } from './balance-change.ts'
import { type CardReading, extractReading, normalizeCardNumber } from './card-reading.ts'
import { createIntent, type MoneyDesk, readBalanceBefore, weighByBalance } from './desk.ts'
import type { RedeemOrder } from './giftcards.ts'
import type { Operation } from './operations/operation.ts'
import { requireInboundRedeemed } from './redeemed.ts'
import { checkWithShortfallHint } from './shortfall.ts'
import type { Evidence } from './verdict.ts'
import { type MoneyResult, writeOnce } from './write-once.ts'

export const INBOUND_REDEEM = 'inbound redeem'

export interface InboundRedeemOrder extends RedeemOrder {
  readonly partnerName: string
  readonly locationId: string
}

export function inboundRedeemInput(order: InboundRedeemOrder): CallInput<typeof inboundRedeem> {
  const { cardNumber, amount, partnerName, locationId, more, extraQuery = [] } = order
  const own = { cardNumber, amount: JSON.rawJSON(amount.text), locationId }
  return { path: { partnerName }, body: { ...own, ...more, ...own }, extraQuery }
}

/**
 * Redeems once through the signed endpoint; `desk.caller` signs the requests. If the balance response cannot be
 * interpreted (the specification does not document it), calls `onBlind`, then redeems without knowing the balance.
 * Throws BUSINESS_FAILURE if the service reports that nothing was redeemed, and the same errors as `writeOnce`.
 */
export async function inboundRedeemOnce(
  desk: MoneyDesk,
  order: InboundRedeemOrder,
  onBlind: () => Promise<void>,
): Promise<MoneyResult<Answer>> {
  const { caller } = desk
  const cardNumber = normalizeCardNumber(order.cardNumber)
  const reading = () => readSigned(caller, { ...order, cardNumber })
  let first: CardReading | null = null
  return writeOnce(desk, {
    intent: createIntent(desk, INBOUND_REDEEM, cardNumber, order.amount.cents),
    before: async (operation) => {
      try {
        return await readBalanceBefore(desk, operation, async () => {
          first = await reading()
          return first
        })
      } catch (error) {
        if (!(error instanceof UnknownBalanceFormat)) throw error
        await onBlind()
        return null
      }
    },
    send: (onSend) =>
      call(caller, inboundRedeem, inboundRedeemInput(order), {
        check: formatCommand`inbound balance ${cardNumber}`,
        onSend,
        accept: (answer) => checkWithShortfallHint(first, order.amount, () => requireInboundRedeemed(answer, order)),
      }),
    weigh: (operation) => weighSigned(desk, operation, reading),
  })
}

/**
 * Requests a card's balance and returns the response, or `null` if it cannot be interpreted. Throws if the request
 * fails.
 */
export async function readCardIfKnown(caller: Caller, order: InboundRedeemOrder): Promise<JsonObject | null> {
  try {
    return (await readSignedCard(caller, order)).card
  } catch (error) {
    if (error instanceof UnknownBalanceFormat) return null
    throw error
  }
}

/** Returns the balance before and after a signed redemption. Never throws. */
export function readInboundChange(
  desk: MoneyDesk,
  order: InboundRedeemOrder,
  operation: Operation,
): Promise<BalanceChange> {
  return readBalanceChange(desk, operation, (caller) => readSigned(caller, order))
}

/**
 * Determines from the card's balance whether an open signed redemption took effect. Throws NO_PROFILE if the location
 * ID is not set.
 */
export async function weighOpenInbound(desk: MoneyDesk, operation: Operation): Promise<Evidence> {
  const { partnerName = null, locationId = null } = desk.inbound ?? {}
  if (partnerName === null || locationId === null)
    throw new Failure('NO_PROFILE', "the card's balance cannot be read without a location ID", {
      hint: 'set PARTNER_LOCATION_ID, or add a location ID to the profile with --location-id: partner profiles set --help',
    })
  const about = { partnerName, locationId, cardNumber: operation.target }
  return weighSigned(desk, operation, () => readSigned(desk.caller, about))
}

/** Thrown if a balance response cannot be interpreted. */
class UnknownBalanceFormat extends Failure {}

async function weighSigned(desk: MoneyDesk, operation: Operation, read: () => Promise<CardReading>): Promise<Evidence> {
  try {
    return (await weighByBalance(desk, operation, read)).evidence
  } catch (error) {
    if (!(error instanceof UnknownBalanceFormat)) throw error
    return { state: 'unknown', how: error.message }
  }
}

type SignedCard = Pick<InboundRedeemOrder, 'partnerName' | 'cardNumber' | 'locationId'>

/** Reads a balance with a signed request. Throws the same errors as {@link readSignedCard}. */
async function readSigned(caller: Caller, about: SignedCard): Promise<CardReading> {
  return (await readSignedCard(caller, about)).reading
}

/**
 * Reads a card with a signed request. Throws UnknownBalanceFormat if the response cannot be interpreted. Also throws if
 * the request fails.
 */
async function readSignedCard(
  caller: Caller,
  { partnerName, cardNumber, locationId }: SignedCard,
): Promise<{ readonly card: JsonObject; readonly reading: CardReading }> {
  const input = { path: { partnerName }, body: { cardNumber, locationId } }
  const sent = await send(caller, inboundBalance, input, { ownConnection: true })
  // Reject an HTML page: it comes from a proxy or login server, which would also receive the redemption.
  const { text, value } = readBody(sent, true)
  rejectFailure({ value, call: sent.call })
  const card = isJsonObject(value) && !hasRepeatedMember(text) ? value : null
  const reading = card && extractReading(card)
  if (card !== null && reading !== null) return { card, reading }
  const { request } = sent.call
  throw new UnknownBalanceFormat('SERVICE_ERROR', 'the balance in the response cannot be interpreted', { request })
}
