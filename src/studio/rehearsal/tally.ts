/** What happened on a rehearsed day, in numbers. */
export interface Tally {
  /** Reservations that the schedule took, and those that it refused. */
  reserved: number
  notAccepted: number
  walkIns: number
  turnedAway: number
  /** Parties that came, and how many of them early and late. */
  arrived: number
  early: number
  late: number
  noShows: number
  cancelled: number
  moved: number
  resized: number
  /** Sales that were accepted, refused as duplicates, given back, and made void. */
  sales: number
  duplicates: number
  refunds: number
  voids: number
  /** In cents of the venue's currency: what came in, less what went back. */
  takingsCents: number
  redemptions: number
  redeemedCents: number
  /** Redemptions that were refused. */
  cardsRefused: number
  cardsCancelled: number
  unsubscribed: number
}

/** Nothing has happened yet. */
export function emptyTally(): Tally {
  return {
    reserved: 0,
    notAccepted: 0,
    walkIns: 0,
    turnedAway: 0,
    arrived: 0,
    early: 0,
    late: 0,
    noShows: 0,
    cancelled: 0,
    moved: 0,
    resized: 0,
    sales: 0,
    duplicates: 0,
    refunds: 0,
    voids: 0,
    takingsCents: 0,
    redemptions: 0,
    redeemedCents: 0,
    cardsRefused: 0,
    cardsCancelled: 0,
    unsubscribed: 0,
  }
}
