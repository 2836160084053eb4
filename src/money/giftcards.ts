import { formatCommand } from '../base/failure/suggested.ts'
import type { JsonObject } from '../base/json/exact.ts'
import type { Answer } from '../client/calls/answer.ts'
import { call } from '../client/calls/call.ts'
import type { CallInput } from '../client/calls/prepare.ts'
import { cancelGiftCard, redeemGiftCard } from '../contract/giftcards.ts'
import type { Amount } from './amount.ts'
import { type BalanceChange, readBalanceChange } from './balance-change.ts'
import { type CardReading, extractReading, getStatus, normalizeCardNumber } from './card-reading.ts'
import { createIntent, type MoneyDesk, readBalanceBefore, readCard, requireReading, weighByBalance } from './desk.ts'
import type { Operation } from './operations/operation.ts'
import { requireCancelled, requireRedeemed } from './redeemed.ts'
import { checkWithShortfallHint } from './shortfall.ts'
import { type Evidence, weighCancel } from './verdict.ts'
import { type MoneyResult, writeOnce } from './write-once.ts'

export const REDEEM = 'giftcards redeem'
export const CANCEL = 'giftcards cancel'

export interface RedeemOrder {
  readonly cardNumber: string
  readonly amount: Amount
  /** Additional members of the request body. */
  readonly more?: JsonObject
  readonly extraQuery?: CallInput['extraQuery']
}

export type CancelOrder = Omit<RedeemOrder, 'amount'>

/** Builds the input of a redeem request. The amount is sent exactly as typed. */
export function redeemInput(order: RedeemOrder): CallInput<typeof redeemGiftCard> {
  const { cardNumber, amount, more, extraQuery = [] } = order
  const own = { cardNumber, amount: JSON.rawJSON(amount.text) }
  // The first `...own` puts its members first. The second keeps `more` from replacing their values.
  return { body: { ...own, ...more, ...own }, extraQuery }
}

export function cancelInput({ cardNumber, more, extraQuery = [] }: CancelOrder): CallInput<typeof cancelGiftCard> {
  const own = { cardNumber }
  return { body: { ...own, ...more, ...own }, extraQuery }
}

/**
 * Builds the response to a redemption whose actual response was lost.
 * @param balance the card's balance in cents; `null` if unknown.
 */
export function buildRedemption({ cardNumber, amount }: RedeemOrder, balance: bigint | null): JsonObject {
  return {
    cardNumber,
    amountRedeemed: JSON.rawJSON(amount.text),
    status: balance === 0n ? 'Redeemed' : 'Active',
    isSuccess: true,
    errorMessage: null,
  }
}

/**
 * Redeems an amount once. If the response was lost, `balance` is the card's current balance in cents; otherwise it is
 * `null`. Throws BUSINESS_FAILURE if nothing was redeemed, and the same errors as `writeOnce`.
 */
export async function redeemOnce(
  desk: MoneyDesk,
  order: RedeemOrder,
): Promise<MoneyResult<Answer> & { readonly balance: bigint | null }> {
  const { caller } = desk
  const cardNumber = normalizeCardNumber(order.cardNumber)
  let balance: bigint | null = null
  let first: CardReading | null = null
  const read = createReader(desk, cardNumber)
  const result = await writeOnce(desk, {
    intent: createIntent(desk, REDEEM, cardNumber, order.amount.cents),
    before: (operation) =>
      readBalanceBefore(desk, operation, async () => {
        first = await read()
        return first
      }),
    send: (onSend) =>
      call(caller, redeemGiftCard, redeemInput(order), {
        check: formatCommand`giftcards get ${cardNumber}`,
        onSend,
        accept: (answer) => checkWithShortfallHint(first, order.amount, () => requireRedeemed(answer, order)),
      }),
    weigh: async (operation) => {
      const weighed = await weighByBalance(desk, operation, read)
      balance = weighed.balance
      return weighed.evidence
    },
  })
  return { ...result, balance }
}

/** Determines from the card's balance whether an open redemption took effect. Throws if the card cannot be read. */
export async function weighOpenRedeem(desk: MoneyDesk, operation: Operation): Promise<Evidence> {
  return (await weighByBalance(desk, operation, createReader(desk, operation.target))).evidence
}

export interface Cancelled {
  readonly operation: Operation
  readonly changed: boolean
  readonly known: { readonly lost: string; readonly how: string } | null
  /** The balance before the cancellation, in cents, or `null` if the service did not report it. */
  readonly balance: bigint | null
  /** The status before the cancellation, or `null` if the service did not report it. */
  readonly status: string | null
}

/**
 * Cancels a gift card once. If there was no response, `known` explains how the outcome was determined; otherwise it is
 * `null`. Throws the same errors as `writeOnce`.
 */
export async function cancelOnce(desk: MoneyDesk, order: CancelOrder): Promise<Cancelled> {
  const { caller } = desk
  const cardNumber = normalizeCardNumber(order.cardNumber)
  let balance: bigint | null = null
  const result = await writeOnce(desk, {
    intent: createIntent(desk, CANCEL, cardNumber, null),
    before: async () => {
      const card = await readCard(caller, cardNumber)
      balance = extractReading(card)?.balance ?? null
      return getStatus(card)
    },
    send: (onSend) =>
      call(caller, cancelGiftCard, cancelInput(order), {
        check: formatCommand`giftcards get ${cardNumber}`,
        onSend,
        accept: (answer) => requireCancelled(answer, cardNumber),
      }),
    weigh: async ({ before }) => weighCancel(getStatus(await readCard(caller, cardNumber)), before),
  })
  const { operation } = result
  const about = { operation, balance, status: operation.before }
  if (result.answer === null) return { ...about, changed: about.status !== 'Cancelled', known: result }
  return { ...about, changed: result.answer.status !== 304, known: null }
}

/** Determines from the card's status whether an open cancellation took effect. Throws if the card cannot be read. */
export async function weighOpenCancel({ caller }: MoneyDesk, operation: Operation): Promise<Evidence> {
  return weighCancel(getStatus(await readCard(caller, operation.target)))
}

/** Returns the balance before and after a redemption. Never throws. */
export function readRedeemChange(desk: MoneyDesk, operation: Operation): Promise<BalanceChange> {
  return readBalanceChange(desk, operation, async (caller) => requireReading(await readCard(caller, operation.target)))
}

function createReader({ caller }: MoneyDesk, cardNumber: string) {
  return async () => requireReading(await readCard(caller, cardNumber))
}
