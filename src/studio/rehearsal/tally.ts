/**
 * What is counted on a rehearsed day. `reserved` are reservations that the schedule accepted, `arrived` are parties that came, `sales`
 * those that were accepted. Amounts are in cents of the venue's currency; takings are less what went back.
 */
export const COUNTS = [
  ...([
    'reserved',
    'notAccepted',
    'walkIns',
    'turnedAway',
    'arrived',
    'early',
    'late',
    'noShows',
    'cancelled',
  ] as const),
  ...(['moved', 'resized', 'sales', 'duplicates', 'refunds', 'voids', 'takingsCents', 'redemptions'] as const),
  ...(['redeemedCents', 'cardsRefused', 'cardsCancelled', 'unsubscribed'] as const),
]

/** What happened on a rehearsed day, in numbers. */
export type Tally = Record<(typeof COUNTS)[number], number>

/** Returns a tally before anything has happened. */
export function emptyTally(): Tally {
  return Object.fromEntries(COUNTS.map((name) => [name, 0])) as Tally
}
