/** Milliseconds in 24 hours. A day of the calendar has an hour less or more where the clocks change. */
export const DAY_MS = 86_400_000

/** The first and the last instant that a four-digit year can write, in epoch milliseconds. */
export const FIRST_INSTANT = -62_135_596_800_000
export const LAST_INSTANT = 253_402_300_799_999

/**
 * What a clock on the wall shows, as the epoch milliseconds at which a clock in UTC shows the same. `date` is `yyyy-MM-dd`,
 * `time` is `HH:mm:ss.fff`. Null when the calendar or the clock has no such time (30 February, hour 24, year 0).
 */
export function parseWallTime(date: string, time = '00:00:00.000'): number | null {
  const text = `${date}T${time}Z`
  const ms = Date.parse(text)
  // Date.parse rolls 30 February over into March; writing it again shows that.
  return ms >= FIRST_INSTANT && new Date(ms).toISOString() === text ? ms : null
}

/** `yyyy-MM-dd` of what a clock on the wall shows, as {@link parseWallTime} gives it. */
export function formatWallDate(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, -'THH:mm:ss.fffZ'.length)
}
