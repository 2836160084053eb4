import { parseWallTime } from './calendar.ts'

/**
 * True for a time that the field `time` of a reservation takes: `yyyy-MM-dd HH:mm`, venue local, on a day that exists.
 * Source: POST /Reservations, `time`.
 */
export function isLocalTime(text: string): boolean {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})$/.exec(text) ?? []
  return date !== undefined && parseWallTime(date, `${time}:00.000`) !== null
}
