import { Failure } from '../../base/failure/failure.ts'
import { suggest } from '../../base/failure/suggested.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import type { Answer } from '../../client/calls/answer.ts'
import type { CallInput } from '../../client/calls/prepare.ts'
import { getBooking } from '../../contract/bookings/booking.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Views } from '../../terminal/output/many/venue.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { pathsIn } from '../shared/views/paths.ts'
import { bookingList } from './views/booking.ts'
import { changedBookingCard, receiptCard, receiptList } from './views/receipt.ts'

const RECEIPT: Views = { card: receiptCard, list: receiptList }
const CHANGED: Views = { card: changedBookingCard, list: bookingList }

interface Change {
  readonly id: string
  readonly views?: Views
  /** The zone of the venue; null if it is not known or the change has no time. */
  readonly timezone?: string | null
}

/**
 * Changes a booking and shows it: a table shows the booking as it is now, if need be after a read; other formats the answer.
 * If the answer is lost, reads whether the booking is as asked. Null in a dry run, and without an answer. Fails: as `Service.send`.
 */
export async function changeBooking<E extends Endpoint>(
  { service, show, say, warn, host }: Pick<RunParts, 'service' | 'show' | 'say' | 'warn' | 'host'>,
  endpoint: E,
  input: CallInput<E> & { readonly body: JsonObject },
  { id, views = RECEIPT, timezone = null }: Change,
): Promise<Answer | null> {
  const own = { bookingId: id }
  const see = suggest`bookings get ${id}`
  let answer: Answer | null
  try {
    answer = await service.send(endpoint, input, { check: see })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'OUTCOME_UNKNOWN' || host.signal.aborted) throw error
    const { settle } = await import('./as-asked.ts')
    const { booking, asked } = await settle(service, error, { id, body: input.body, timezone })
    await say(`the answer was lost, but the booking is as asked: ${asked}`)
    const whole = show.isPlain ? bookingIn(booking) : null
    await (whole ? show.one(whole, CHANGED) : show.one(own, views))
    return null
  }
  const isForPerson = answer !== null && show.isPlain
  const readBack = async () => (await service.readBack(getBooking, { path: { id } }))?.value
  const booking = isForPerson ? (bookingIn(answer?.value) ?? bookingIn(await readBack())) : null
  if (isForPerson && booking === null)
    await warn(`the change is done, but the booking could not be read; to see it: ${see}`)
  await (booking ? show.one(booking, CHANGED) : show.answer(answer, views, own))
  return answer
}

const SHOWN = pathsIn('bookingId bookingTime duration people status tables customer serviceName notes')

/** The members that matter to a person after a change; null if the value is not a whole booking. */
function bookingIn(value: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(value) || value['bookingTime'] === undefined || value['people'] === undefined) return null
  return Object.fromEntries(SHOWN.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])))
}
