/** What is counted on a rehearsed day. */
const COUNTS = [
  // Reservations that the schedule accepted and refused, and guests without one who got a table and who did not.
  ...(['reserved', 'notAccepted', 'walkIns', 'turnedAway'] as const),
  // Parties that came, how many of them early and late, and those that did not come.
  ...(['arrived', 'early', 'late', 'noShows', 'cancelled', 'moved', 'resized'] as const),
  // Sales that were accepted, refused as duplicates, given back and made void; what came in less what went back.
  ...(['sales', 'duplicates', 'refunds', 'voids', 'takingsCents'] as const),
  // Redemptions that were accepted, and their sum, and those that were refused. Amounts are in cents of the venue's currency.
  ...(['redemptions', 'redeemedCents', 'cardsRefused', 'cardsCancelled', 'unsubscribed'] as const),
]

/** What happened on a rehearsed day, in numbers. */
export type Tally = Record<(typeof COUNTS)[number], number>

/** Returns a tally before anything has happened. */
export function emptyTally(): Tally {
  return Object.fromEntries(COUNTS.map((name) => [name, 0])) as Tally
}
