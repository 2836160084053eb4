import { wordsOf } from '../contract/problem.ts'
import { Failure } from '../failure/failure.ts'
import type { Answer } from '../http/call.ts'
import { unreadable } from '../http/refused.ts'
import { isJsonObject } from '../json/exact.ts'

/**
 * Believes an answer that carries `isSuccess`.
 * Fails: BUSINESS_FAILURE (exit 10) with the service's message when it is false; OUTCOME_UNKNOWN when it is missing.
 * Source: "POST /GiftCards/redeem", rule 1; "POST /Reservations".
 */
export function checkSuccess(answer: Answer, otherwise: string): void {
  const { value, call } = answer
  const isSuccess = isJsonObject(value) ? value['isSuccess'] : undefined
  if (isSuccess === true) return
  if (isSuccess !== false)
    throw unreadable('the answer does not say whether it succeeded (no isSuccess in it)', answer, call)
  throw new Failure('BUSINESS_FAILURE', wordsOf(value).message ?? otherwise, {
    hint: call.check ? `nothing was changed; to see why: ${call.check}` : 'nothing was changed',
    request: call.request,
    outcome: 'not-applied',
    details: { answer: value },
  })
}
