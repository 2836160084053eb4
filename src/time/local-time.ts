import { parseWallTime } from './calendar.ts'

/**
 * True for a time as the field `time` of a reservation takes it: `yyyy-MM-dd HH:mm`, in the calendar, venue local.
 * Source: POST /Reservations, `time`.
 */
export function isLocalTime(text: string): boolean {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})$/.exec(text) ?? []
  return date !== undefined && parseWallTime(date, `${time}:00.000`) !== null
}

/**
 * True for a time as the field `bookingTimeAsUtc` of a reservation takes it: `yyyy-MM-ddTHH:mm:ssZ`, in the calendar, UTC.
 * Source: POST /Reservations, `bookingTimeAsUtc`.
 */
export function isUtcTime(text: string): boolean {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})Z$/.exec(text) ?? []
  return date !== undefined && parseWallTime(date, `${time}.000`) !== null
}
