import { type Answer, assumedRefusal, malformed, refuse } from '../answer.ts'
import { instantOf, localText } from '../local-time.ts'
import type { Model, Table } from '../state.ts'

// biome-ignore lint/suspicious/noExplicitAny: it is what was sent, right or wrong
type Body = any

/** "numOfPeople: 1 to 2147483647". Assumed: `duration` has the same bounds. Null: both are right, or not given. */
export function refuseNumbers({ numOfPeople, duration }: Body): Answer | null {
  const isWrong = (value: unknown) =>
    value !== undefined &&
    value !== null &&
    !(Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 2 ** 31 - 1)
  return isWrong(numOfPeople) || isWrong(duration) ? malformed() : null
}

/** "400 Invalid Booking Time passed in the payload." */
export const invalidTime = () => refuse(400, 'Invalid Booking Time passed in the payload.')

/**
 * The instant that is asked for; null when there is none.
 * "bookingTimeAsUtc: UTC, format yyyy-MM-ddTHH:mm:ssZ; takes precedence over time" and "time: Venue local, format yyyy-MM-dd HH:mm;
 * ignored when bookingTimeAsUtc is present". Assumed: of an hour that comes twice, the first; one that never comes is invalid.
 */
export function readTime({ venue }: Model, { time, bookingTimeAsUtc }: Body): number | null {
  if (!bookingTimeAsUtc) return typeof time === 'string' ? instantOf(time, venue.timezone) : null
  const isInForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(bookingTimeAsUtc)
  const at = isInForm ? Date.parse(bookingTimeAsUtc) : Number.NaN
  return Number.isNaN(at) ? null : at
}

export const isSameLocal = ({ venue }: Model, instant: number, local: string) =>
  localText(instant, venue.timezone) === local

/** "400 Invalid booking status {status}; valid values come from the status resource" */
export const invalidStatus = (status: unknown) => refuse(400, `Invalid booking status ${status}`)

/** The tables of a request, "Table IDs (from GET /Bookings/tables)", or what it is refused with. Both refusals are assumed. */
export function readTables({ venue }: Model, { tables }: Body): readonly Table[] | Answer {
  const found: Table[] = []
  for (const id of tables ?? []) {
    const table = venue.tables.find((one) => one.id === id)
    if (!table) return assumedRefusal(400, `Table '${id}' not found`)
    found.push(table)
  }
  return new Set(found).size < found.length ? assumedRefusal(400, 'Duplicate table entries') : found
}
