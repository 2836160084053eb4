/** English weekday abbreviations, starting with Sunday. */
export const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** The first and the last instant with a four-digit year, in epoch milliseconds. */
export const FIRST_INSTANT = -62_135_596_800_000
export const LAST_INSTANT = 253_402_300_799_999

/**
 * Converts a date (`yyyy-MM-dd`) and a time (`HH:mm:ss.fff`) in UTC to epoch milliseconds. Returns `null` for a date or
 * time that does not exist.
 */
export function parseWallTime(date: string, time = '00:00:00.000'): number | null {
  const text = `${date}T${time}Z`
  const ms = Date.parse(text)
  // Date.parse accepts 30 February and returns a day in March. Formatting the result again detects this.
  return ms >= FIRST_INSTANT && new Date(ms).toISOString() === text ? ms : null
}

/** Formats the date of a {@link parseWallTime} result as `yyyy-MM-dd`. */
export function formatWallDate(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, -'THH:mm:ss.fffZ'.length)
}

/**
 * Returns whether `text` is a valid local time at the venue, as `yyyy-MM-dd HH:mm`. Source: POST /Reservations, `time`.
 */
export function isLocalTime(text: string): boolean {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})$/.exec(text) ?? []
  return date !== undefined && parseWallTime(date, `${time}:00.000`) !== null
}
