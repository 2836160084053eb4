import { assumedRejection, type ExpectedResponse, malformed, reject } from '../expected-response.ts'
import { instantOf, localText } from '../local-time.ts'
import type { Model, Table } from '../state.ts'

// biome-ignore lint/suspicious/noExplicitAny: requests may be valid or invalid
type Body = any

/**
 * Rejects a party size or duration that is out of range. Returns `null` if each is valid or missing. The specification
 * says "numOfPeople: 1 to 2147483647". The model assumes the same bounds for `duration`.
 */
export function rejectNumbers({ numOfPeople, duration }: Body): ExpectedResponse | null {
  const isWrong = (value: unknown) =>
    value !== undefined &&
    value !== null &&
    !(Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 2 ** 31 - 1)
  return isWrong(numOfPeople) || isWrong(duration) ? malformed() : null
}

/** The specification says "400 Invalid Booking Time passed in the payload." */
export const invalidTime = () => reject(400, 'Invalid Booking Time passed in the payload.')

/**
 * Returns the requested instant, or `null` if it is missing or invalid. The specification says "bookingTimeAsUtc: UTC,
 * format yyyy-MM-ddTHH:mm:ssZ; takes precedence over time" and "time: Venue local, format yyyy-MM-dd HH:mm; ignored
 * when bookingTimeAsUtc is present". The model assumes that a repeated local time means its first occurrence, and that
 * a skipped local time is invalid.
 */
export function readTime({ venue }: Model, { time, bookingTimeAsUtc }: Body): number | null {
  if (!bookingTimeAsUtc) return typeof time === 'string' ? instantOf(time, venue.timezone) : null
  const isInForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(bookingTimeAsUtc)
  const at = isInForm ? Date.parse(bookingTimeAsUtc) : Number.NaN
  return Number.isNaN(at) ? null : at
}

export const isSameLocal = ({ venue }: Model, instant: number, local: string) =>
  localText(instant, venue.timezone) === local

/** The specification says "400 Invalid booking status {status}; valid values come from the status resource". */
export const invalidStatus = (status: unknown) => reject(400, `Invalid booking status ${status}`)

/**
 * Returns the tables that a request asks for, or a rejection. The specification says "Table IDs (from GET
 * /Bookings/tables)". Both rejections are assumptions.
 */
export function readTables({ venue }: Model, { tables }: Body): readonly Table[] | ExpectedResponse {
  const found: Table[] = []
  for (const id of tables ?? []) {
    const table = venue.tables.find((one) => one.id === id)
    if (!table) return assumedRejection(400, `Table '${id}' not found`)
    found.push(table)
  }
  return new Set(found).size < found.length ? assumedRejection(400, 'Duplicate table entries') : found
}
