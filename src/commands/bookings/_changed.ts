import type { Views } from '../../cli/output/printer.ts'
import type { RunParts } from '../../cli/runtime/run.ts'
import type { Answer } from '../../client/calls/answer.ts'
import { getBooking } from '../../contract/bookings/booking.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/exact.ts'
import { bookingList } from '../../views/bookings/booking.ts'
import { changedBookingCard } from '../../views/bookings/changed.ts'

/**
 * Shows a booking after a change that is done; nothing for null. In a table a person sees the booking as it is now, which is read
 * once for that when the service answered with less. Other formats have the service's own answer, without another request.
 * @param own our own result, for an answer that holds nothing.
 */
export async function showChanged(
  { service, show, warn }: Pick<RunParts, 'service' | 'show' | 'warn'>,
  answer: Answer | null,
  id: string,
  views: Views,
  own: JsonObject,
): Promise<void> {
  if (answer === null) return
  if (!show.isPlain) return show.answer(answer, views, own)
  const booking = bookingIn(answer.value) ?? bookingIn((await service.readBack(getBooking, { path: { id } }))?.value)
  if (booking) return show.one(booking, { card: changedBookingCard, list: bookingList })
  await warn(`the change is done, but the booking could not be read; to see it: partner bookings get ${id}`)
  await show.answer(answer, views, own)
}

/** A value that is a whole booking, without what a person does not look at after a change; null when it is none. */
function bookingIn(value: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(value) || value['bookingTime'] === undefined || value['people'] === undefined) return null
  const shown = [
    'bookingId',
    'bookingTime',
    'duration',
    'people',
    'status',
    'tables',
    'customer',
    'serviceName',
    'notes',
  ]
  return Object.fromEntries(shown.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])))
}
