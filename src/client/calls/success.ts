import { readServiceWords } from '../../contract/shapes/problem.ts'
import { Failure } from '../../failure/failure.ts'
import { isJsonObject } from '../../json/exact.ts'
import type { Answer } from './answer.ts'
import { unreadableFailure } from './failures.ts'

/**
 * Rejects an answer whose status says success and whose body says failure.
 * Fails: BUSINESS_FAILURE (exit 10), with the service's message, when `isSuccess` is false.
 * Source: "POST /GiftCards/redeem", rule 1; "POST /Reservations".
 */
export function rejectFailure({ value, call }: Answer): void {
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

/** Requires an answer to say that it is a success. Fails: OUTCOME_UNKNOWN when its `isSuccess` is not true. */
export function requireSuccess(answer: Answer): void {
  if (isJsonObject(answer.value) && answer.value['isSuccess'] === true) return
  throw unreadableFailure('the answer does not say whether it succeeded (no isSuccess in it)', answer, answer.call)
}
