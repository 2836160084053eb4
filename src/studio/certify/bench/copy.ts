import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { parseJson } from '../../../base/json/parse.ts'

/** The bookings of a copy in NDJSON by their IDs: the last line of each counts. Lines that are none are passed over. */
export function readCopy(path: string): ReadonlyMap<string, JsonObject> {
  const copy = new Map<string, JsonObject>()
  for (const line of textOf(path).split('\n')) {
    const booking = bookingIn(line)
    if (booking) copy.set(String(booking['bookingId']), booking)
  }
  return copy
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The booking of a line, or one that it holds as a member. */
function bookingIn(line: string): JsonObject | undefined {
  if (line.trim() === '') return undefined
  try {
    const value: unknown = parseJson(line)
    if (!isJsonObject(value)) return undefined
    return [value, ...Object.values(value)].filter(isJsonObject).find(({ bookingId }) => typeof bookingId === 'string')
  } catch {
    return undefined
  }
}
