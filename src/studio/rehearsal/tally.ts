const COUNTS = [
  // Accepted and refused reservations; walk-ins who got a table and who did not.
  ...(['reserved', 'notAccepted', 'walkIns', 'turnedAway'] as const),
  // Parties that came, early and late ones among them, and those that did not.
  ...(['arrived', 'early', 'late', 'noShows', 'cancelled', 'moved', 'resized'] as const),
  // Sales that were accepted, refused as duplicates, refunded and voided; net takings.
  ...(['sales', 'duplicates', 'refunds', 'voids', 'takingsCents'] as const),
  // Redemptions, their sum, and refused ones. Amounts in cents.
  ...(['redemptions', 'redeemedCents', 'cardsRefused', 'cardsCancelled', 'unsubscribed'] as const),
]

/** The counts of a rehearsed day by name. */
export type Tally = Record<(typeof COUNTS)[number], number>

export function emptyTally(): Tally {
  return Object.fromEntries(COUNTS.map((name) => [name, 0])) as Tally
}
