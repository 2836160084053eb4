import type { Answer } from '../client/calls/answer.ts'
import { unreadableFailure } from '../client/calls/failures.ts'
import { rejectFailure, requireSuccess } from '../client/calls/success.ts'
import { isJsonObject, type JsonObject, numberText } from '../json/exact.ts'
import { type Amount, balanceCentsOf } from './amount.ts'
import { statusIn } from './card-reading.ts'

/** The order that an answer must fit. */
interface RedeemOrdered {
  readonly cardNumber: string
  readonly amount: Amount
}

/**
 * Takes the answer to a redeem for a success, or for a refusal, only when all of it says so: it may be that of another request,
 * which a broken proxy sent twice. Source: "POST /GiftCards/redeem", rule 1.
 * Fails: BUSINESS_FAILURE when the service says that it was not done; OUTCOME_UNKNOWN when the answer contradicts itself, does not say
 * how much was taken, or says that it was another amount or from another card.
 */
export function requireRedeemed(answer: Answer, { cardNumber, amount }: RedeemOrdered): void {
  const value = isJsonObject(answer.value) ? answer.value : {}
  const doubt = (why: string) => unreadableFailure(why, answer, answer.call)
  const taken = takenBy(value)
  const status = statusIn(value)
  requireSameCard(answer, cardNumber)
  if (value['isSuccess'] === false) {
    if (taken.cents !== 0n && taken.text !== null)
      throw doubt(`the answer says that it failed, and that ${taken.text} was redeemed`)
    if (status !== null && status !== 'Error')
      throw doubt(`the answer says that it failed, and gives the status ${status}`)
    rejectFailure(answer)
  }
  requireSuccess(answer)
  if (status === 'Error') throw doubt('the answer says success, and gives the status Error')
  if (taken.text === null) throw doubt('the answer does not say how much was redeemed')
  if (taken.cents !== amount.cents) throw doubt(`the answer says that ${taken.text} was redeemed, not ${amount.text}`)
}

/**
 * Takes the answer to a cancellation for a success unless it contradicts one: its shape is not shown, so that the status counts.
 * Fails: BUSINESS_FAILURE when the service says that it was not done; OUTCOME_UNKNOWN when the answer is of a card that is not cancelled.
 */
export function requireCancelled(answer: Answer, cardNumber: string): void {
  const value = isJsonObject(answer.value) ? answer.value : {}
  const status = statusIn(value)
  requireSameCard(answer, cardNumber)
  if (value['isSuccess'] === false && status !== 'Cancelled') rejectFailure(answer)
  if (value['isSuccess'] === false || (status !== null && status !== 'Cancelled'))
    throw unreadableFailure(`the answer does not say that the card is cancelled, but ${status}`, answer, answer.call)
}

function requireSameCard(answer: Answer, cardNumber: string): void {
  const named = isJsonObject(answer.value) ? answer.value['cardNumber'] : null
  if (typeof named === 'string' && named.trim() !== '' && named.trim().toUpperCase() !== cardNumber.toUpperCase())
    throw unreadableFailure('the answer is about another card', answer, answer.call)
}

function takenBy(value: JsonObject): { text: string | null; cents: bigint | null } {
  const text = numberText(value['amountRedeemed'])
  return { text, cents: text === null ? null : balanceCentsOf(text) }
}
