import { isJsonObject, type JsonObject, numberText } from '../base/json/exact.ts'
import type { Answer } from '../client/calls/answer.ts'
import { unreadableFailure } from '../client/calls/failures.ts'
import { rejectFailure, requireSuccess } from '../client/calls/success.ts'
import { toAsciiUpperCase } from '../contract/shapes/scalars.ts'
import { type Amount, parseBalanceCents } from './amount.ts'
import { extractReading, getStatus } from './card-reading.ts'

interface ExpectedRedeem {
  readonly cardNumber: string
  readonly amount: Amount
}

/**
 * Accepts a redeem response only if all its members indicate success, because a broken proxy might have swapped
 * responses. Throws BUSINESS_FAILURE if all members indicate that nothing was redeemed. Throws OUTCOME_UNKNOWN if the
 * response contradicts itself, lacks the redeemed amount, or is about a different amount or card. Source: "POST
 * /GiftCards/redeem", rule 1.
 */
export function requireRedeemed(answer: Answer, { cardNumber, amount }: ExpectedRedeem): void {
  const value = isJsonObject(answer.value) ? answer.value : {}
  const doubt = (why: string) => unreadableFailure(why, answer, answer.call)
  const taken = readRedeemedAmount(value)
  const status = getStatus(value)
  requireSameCard(answer, cardNumber)
  if (value['isSuccess'] === false) {
    if (taken.cents !== 0n && taken.text !== null)
      throw doubt(`the response reports a failure, but also says that ${taken.text} was redeemed`)
    if (status !== null && status !== 'Error')
      throw doubt(`the response reports a failure, but has the status ${status}`)
    rejectFailure(answer)
  }
  requireSuccess(answer)
  if (status === 'Error') throw doubt('the response reports success, but has the status Error')
  if (taken.text === null) throw doubt('the response does not say how much was redeemed')
  const isSame = amount.cents === null ? Number(taken.text) === Number(amount.text) : taken.cents === amount.cents
  if (!isSame) throw doubt(`the response says that ${taken.text} was redeemed, not ${amount.text}`)
}

/**
 * Checks a response from the signed endpoint as {@link requireRedeemed} does. The response is undocumented and might
 * lack `isSuccess`.
 */
export function requireInboundRedeemed(answer: Answer, order: ExpectedRedeem): void {
  const { value } = answer
  const judged = isJsonObject(value) && (value['isSuccess'] ?? null) === null ? inferSuccess(value) : value
  requireRedeemed({ ...answer, value: judged }, order)
}

/** Adds `isSuccess` if the other members of a response imply its value. Otherwise, returns the response unchanged. */
function inferSuccess(value: JsonObject): JsonObject {
  const complains = typeof value['errorMessage'] === 'string' && value['errorMessage'].trim() !== ''
  const { text, cents } = readRedeemedAmount(value)
  const takesNothing = (text === null || cents === 0n) && extractReading(value) === null
  if (complains) return takesNothing ? { ...value, isSuccess: false } : value
  return text === null ? value : { ...value, isSuccess: true }
}

/**
 * Accepts a response to a cancellation unless its body contradicts success. The specification does not document the
 * body, so missing members are accepted. Throws BUSINESS_FAILURE if the service reports that it did not cancel the
 * card, or OUTCOME_UNKNOWN if the response contradicts itself or is about a different card.
 */
export function requireCancelled(answer: Answer, cardNumber: string): void {
  const value = isJsonObject(answer.value) ? answer.value : {}
  const status = getStatus(value)
  requireSameCard(answer, cardNumber)
  if (value['isSuccess'] === false && status !== 'Cancelled') rejectFailure(answer)
  if (value['isSuccess'] === false)
    throw unreadableFailure('the response reports both a failure and a cancelled card', answer, answer.call)
  if (status !== null && status !== 'Cancelled')
    throw unreadableFailure(`the response says that the card is ${status}, not cancelled`, answer, answer.call)
}

function requireSameCard(answer: Answer, cardNumber: string): void {
  const named = isJsonObject(answer.value) ? answer.value['cardNumber'] : null
  if (
    typeof named === 'string' &&
    named.trim() !== '' &&
    toAsciiUpperCase(named.trim()) !== toAsciiUpperCase(cardNumber.trim())
  )
    throw unreadableFailure('the response is for a different card', answer, answer.call)
}

function readRedeemedAmount(value: JsonObject): { text: string | null; cents: bigint | null } {
  const text = numberText(value['amountRedeemed'])
  return { text, cents: text === null ? null : parseBalanceCents(text) }
}
