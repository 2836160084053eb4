import { Failure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
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
  /** The venue's time zone; `null` if it is unknown or if the change contains no time. */
  readonly timezone?: string | null
}

/**
 * Changes a booking and prints the result: the booking in a table, the response in other formats. If the response does
 * not contain the booking, reads it. If the response is lost, reads the booking to check whether the change was
 * applied. Returns the response, or `null` in a dry run or if the response was lost. Throws any error from
 * `Service.send`.
 */
export async function changeBooking<E extends Endpoint>(
  { service, show, say, warn, host }: Pick<RunParts, 'service' | 'show' | 'say' | 'warn' | 'host'>,
  endpoint: E,
  input: CallInput<E> & { readonly body: JsonObject },
  { id, views = RECEIPT, timezone = null }: Change,
): Promise<Answer | null> {
  const own = { bookingId: id }
  const see = formatCommand`bookings get ${id}`
  let answer: Answer | null
  try {
    answer = await service.send(endpoint, input, { check: see })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'OUTCOME_UNKNOWN' || host.signal.aborted) throw error
    const { checkLostChange } = await import('./check-lost-change.ts')
    const { booking, asked } = await checkLostChange(service, error, { id, body: input.body, timezone })
    await say(`the response was lost, but the booking is as requested: ${asked}`)
    const whole = show.isPlain ? pickShownMembers(booking) : null
    await (whole ? show.one(whole, CHANGED) : show.one(own, views))
    return null
  }
  const showsBooking = answer !== null && show.isPlain
  const readBack = async () => (await service.readBack(getBooking, { path: { id } }))?.value
  const booking = showsBooking ? (pickShownMembers(answer?.value) ?? pickShownMembers(await readBack())) : null
  if (showsBooking && booking === null)
    await warn(`the booking was changed, but could not be read back; to see it: ${see}`)
  await (booking ? show.one(booking, CHANGED) : show.answer(answer, views, own))
  return answer
}

const SHOWN_MEMBERS = pathsIn('bookingId bookingTime duration people status tables customer serviceName notes')

/** Returns the members of a changed booking that matter to users, or `null` if the value is not a complete booking. */
function pickShownMembers(value: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(value) || value['bookingTime'] === undefined || value['people'] === undefined) return null
  return Object.fromEntries(SHOWN_MEMBERS.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])))
}
