import { readServiceWords } from '../../contract/shapes/problem.ts'
import { Failure } from '../../failure/failure.ts'
import { isJsonObject } from '../../json/exact.ts'
import type { Answer } from './answer.ts'
import { unreadableFailure } from './failures.ts'

/**
 * Finds the refusal in an answer whose status says success. Source: "POST /GiftCards/redeem", rule 1; "POST /Reservations".
 * Fails: BUSINESS_FAILURE (exit 10) with the service's message when `isSuccess` is false.
 */
export function rejectFailure(answer: Answer): void {
  const { value, call } = answer
  if (!isJsonObject(value) || value['isSuccess'] !== false) return
  const { message } = readServiceWords(value)
  throw new Failure('BUSINESS_FAILURE', message === null ? 'the service says that it was not done, and not why' : '', {
    said: message === null ? [] : [message],
    hint: call.check ? `nothing was changed; to see why: ${call.check}` : 'nothing was changed',
    request: call.request,
    outcome: 'not-applied',
    details: { answer: value },
  })
}

/** Takes an answer for a success only when it says so. Fails: OUTCOME_UNKNOWN when there is no `isSuccess` in it. */
export function requireSuccess(answer: Answer): void {
  if (isJsonObject(answer.value) && answer.value['isSuccess'] === true) return
  throw unreadableFailure('the answer does not say whether it succeeded (no isSuccess in it)', answer, answer.call)
}
