import { usageFailure } from '../../../base/failure/failure.ts'
import type { JsonObject, JsonValue } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import { getBooking } from '../../../contract/bookings/booking.ts'
import { updateBooking } from '../../../contract/bookings/changes.ts'
import { validate } from '../../../terminal/input/validate.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import { changeBooking } from '../changed.ts'
import { changedReservationCard, reservationList } from '../views/receipt.ts'
import { RESERVATION_FLAG_NAMES } from './flags.ts'
import { type RequestFlags, readMembers, sendRequest } from './request.ts'
import { instantOf, timeForUpdate, withTime } from './time.ts'

/**
 * Applies the changes in the flags to a booking and prints the booking. Throws a USAGE error that lists all
 * problems. Also throws any error from `changeBooking`.
 */
export async function updateFromFlags(bookingId: string, flags: RequestFlags, parts: RunParts): Promise<void> {
  const read = await readMembers(flags, parts, undefined, async (change, problems) => {
    if (Object.keys(change).every((member) => member === 'bookingId'))
      problems.add(
        'no change was given',
        'use at least one flag, such as --people 6; to see all flags: partner bookings update --help',
      )
    if (flags['no-validate']) return
    const checked: JsonObject = { ...(isTimed(change) ? {} : { time: '2000-01-01 00:00' }), ...change, bookingId }
    await validate(updateBooking.body, checked, RESERVATION_FLAG_NAMES, problems)
  })
  const { given, time, timezone, isChecked } = read
  const isPlaced = flags.service !== undefined || flags.section !== undefined
  const needsPeople = isPlaced && given['numOfPeople'] === undefined && isChecked
  const current =
    isTimed(given) && !needsPeople ? null : (await parts.service.read(getBooking, { path: { id: bookingId } })).value
  const unchangedTime = isTimed(given) ? {} : currentTime(current, isChecked)
  const asked = { ...withTime(given, time.members), ...unchangedTime, bookingId }
  const people = given['numOfPeople'] ?? valueAt(current, 'people')
  const occasion = { at: instantOf(asked, timezone), people, timezone }
  const views = { card: changedReservationCard, list: reservationList }
  await sendRequest(parts, flags, { asked, occasion, isChecked }, (body) =>
    changeBooking(parts, updateBooking, { body }, { id: bookingId, views, timezone }),
  )
}

function isTimed({ time, bookingTimeAsUtc }: JsonObject): boolean {
  return time !== undefined || bookingTimeAsUtc !== undefined
}

/**
 * Returns the booking's current time in the form that an update sends. If the booking has no valid time, throws USAGE
 * if `isRequired`, and otherwise returns an empty object.
 */
function currentTime(booking: JsonValue, isRequired: boolean): JsonObject {
  const time = timeForUpdate(valueAt(booking, 'bookingTime'))
  if (time !== null) return time
  if (!isRequired) return {}
  throw usageFailure(['the booking has no valid time to send with the update'], 'use --time "yyyy-MM-dd HH:mm"')
}
