const DAY_MS = 86_400_000

/** The first day at least a week away on which the sandbox's venue is open, as `yyyy-MM-dd`. */
export const IN_A_WEEK = [7, 8]
  .map((days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10))
  .find((day) => !/-12-25$|-01-01$/.test(day)) as string

/**
 * Returns whether the sandbox's venue is open the given number of days from today, counted in the venue's time zone.
 * The venue is closed on Christmas Day and New Year's Day.
 */
export function isVenueOpen(days = 0): boolean {
  const day = new Date(Date.now() + days * DAY_MS).toLocaleDateString('sv', { timeZone: 'Australia/Sydney' })
  return !/-12-25$|-01-01$/.test(day)
}

/**
 * Returns the time that is the given number of days from now, in a format that flags accept. Tests that compare two
 * runs need it, because `-7d` means a different time in each run.
 */
export const daysFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()
