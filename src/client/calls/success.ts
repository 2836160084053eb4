import { Failure } from '../../base/failure/failure.ts'
import { isJsonObject, numberText } from '../../base/json/exact.ts'
import { readServiceWords } from '../../contract/shapes/problem.ts'
import type { Answer } from './answer.ts'
import { unreadableFailure } from './failures.ts'

/**
 * Throws BUSINESS_FAILURE (exit code 10), with the service's message, if a 2xx response or an item in it reports a
 * failure. Source: "POST /GiftCards/redeem", rule 1; "POST /Reservations".
 */
export function rejectFailure({ value, call }: Pick<Answer, 'value' | 'call'>): void {
  const failed = (Array.isArray(value) ? value : [value]).find((one) => isJsonObject(one) && one['isSuccess'] === false)
  if (failed === undefined) return
  const { message } = readServiceWords(failed)
  throw new Failure('BUSINESS_FAILURE', message === null ? 'the service reported a failure, but gave no reason' : '', {
    said: message === null ? [] : [message],
    hint: call.check ? `nothing was changed; to see why: ${call.check}` : 'nothing was changed',
    request: call.request,
    outcome: 'not-applied',
    details: { answer: value },
  })
}

/**
 * Requires a response to confirm a booking. Throws BUSINESS_FAILURE if it reports a failure, or OUTCOME_UNKNOWN if it
 * neither contains a booking ID nor reports success. Source: "POST /Reservations".
 */
export function requireReserved(answer: Answer): void {
  rejectFailure(answer)
  const id = isJsonObject(answer.value) ? answer.value['bookingId'] : null
  if ((typeof id === 'string' && id.trim() !== '') || numberText(id) !== null || saysSuccess(answer)) return
  throw unreadableFailure('the response has neither a bookingId nor isSuccess', answer, answer.call)
}

/** Requires a response to confirm success. Throws OUTCOME_UNKNOWN unless its `isSuccess` is true. */
export function requireSuccess(answer: Answer): void {
  if (saysSuccess(answer)) return
  throw unreadableFailure(
    'the response does not say whether the request succeeded (isSuccess is missing)',
    answer,
    answer.call,
  )
}

function saysSuccess({ value }: Answer): boolean {
  return isJsonObject(value) && value['isSuccess'] === true
}
