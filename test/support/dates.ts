const DAY_MS = 86_400_000

/** A day about a week from now, `yyyy-MM-dd`, on which the sandbox's venue is open. */
export const IN_A_WEEK = [7, 8]
  .map((days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10))
  .find((day) => !/-12-25$|-01-01$/.test(day)) as string

/** Whether the sandbox's venue is open so many days from today, on its own calendar: on Christmas and New Year's Day it has no bookings. */
export function isVenueOpen(days = 0): boolean {
  const day = new Date(Date.now() + days * DAY_MS).toLocaleDateString('sv', { timeZone: 'Australia/Sydney' })
  return !/-12-25$|-01-01$/.test(day)
}

/** The instant so many days from now, as a flag takes it. Where two runs are compared, both need the same one: `-7d` is another each time. */
export const daysFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()
