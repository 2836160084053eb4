import { DEFAULT_STATUS } from '../../contract/bookings/statuses.ts'
import type { NewBooking } from '../records/booking.ts'
import { findStatus, STATUSES, type Status } from '../venue/venue.ts'
import { randomFrom } from './random.ts'

/**
 * The members from which a booking's pseudo-random number is computed. They change only if a user changes the booking.
 * `starts` is in milliseconds since 1970.
 */
type LuckInputs = Pick<NewBooking, 'id' | 'duration' | 'people' | 'customerId'> & { readonly starts: number }

const FIXED_LUCK: Readonly<Record<string, number>> = {
  'BK-1001': 0.75,
  'BK-1002': 0.03,
  'BK-1003': 0.15,
  'BK-1004': 0.9,
  'BK-1005': 0.8,
}

/**
 * Returns a pseudo-random number for a booking, from 0 (inclusive) to 1 (exclusive). The same booking always gets the
 * same number, which determines its status and table.
 */
export function luckOf({ id, starts, duration, people, customerId }: LuckInputs): number {
  const known = id === undefined ? undefined : FIXED_LUCK[id]
  if (known !== undefined) return known
  let hash = 0x811c9dc5
  for (const letter of `${starts} ${duration} ${people} ${customerId}`)
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
  return randomFrom(hash)()
}

/**
 * Returns a booking's status at the time `now`. If several statuses are possible, the booking's pseudo-random number
 * `luck` decides. Instants are in milliseconds since 1970.
 */
export function chooseStatus(luck: number, starts: number, ends: number, now: number): Status {
  return findStatus(chooseCode(luck, starts, ends, now)) ?? (STATUSES[0] as Status)
}

function chooseCode(luck: number, starts: number, ends: number, now: number): string {
  if (luck < 0.07) return 'CANCELLED'
  if (ends < now) {
    if (luck < 0.12) return 'NOSHOW'
    return luck < 0.2 ? 'SEATED' : 'FINISHED'
  }
  if (starts < now) return luck < 0.5 ? 'SEATED' : luck < 0.7 ? '6152c0ffee_dessert' : 'ARRIVED'
  return luck < 0.4 ? DEFAULT_STATUS : 'CONFIRMED'
}
