import { between, type Random } from '../../../sandbox/seed/random.ts'
import { MINUTE } from '../../../sandbox/venue/time.ts'
import type { Venue } from '../../../sandbox/venue/venue.ts'
import type { Send } from '../../own-requests.ts'
import type { Agenda } from '../agenda.ts'
import type { RehearsedDay } from '../day.ts'
import { objectsIn, textIn } from '../truth.ts'

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

export type Tally = Record<(typeof COUNTS)[number], number>

export function emptyTally(): Tally {
  return Object.fromEntries(COUNTS.map((name) => [name, 0])) as Tally
}

/** The context of every scene of a rehearsed day. */
export interface Stage {
  readonly day: RehearsedDay
  readonly agenda: Agenda
  readonly tally: Tally
  readonly venue: Venue
  /** The venue's own status for guests at dessert; null for none. */
  readonly dessert: string | null
  /** The active gift cards that guests pay with. */
  readonly cards: readonly string[]
  /** The venue's time, milliseconds since 1970. */
  now(): number
  readonly send: Send
  /** Random numbers for one scene, independent of other scenes. */
  drawFor(scene: number): Random
  /** The ID of the till's next sale. */
  nextSaleId(): string
}

/** Offsets that separate the random numbers of scenes. */
export const SCENES = { diary: 1_000, callers: 2_000, walkIns: 3_000, cards: 4_000, office: 5_000 } as const

/** Guests with a booking, as the staff know them. */
export interface Party {
  readonly bookingId: string
  /** When they are expected, milliseconds since 1970. */
  starts: number
  /** Minutes. */
  readonly duration: number
  people: number
  /** The name of their table; empty for none. */
  table: string
  /** Decides what they do. */
  readonly random: Random
}

export async function setStatus({ send, tally }: Stage, { bookingId }: Pick<Party, 'bookingId'>, status: string) {
  await send('PATCH', `/Bookings/${bookingId}/updatestatus`, { status })
  if (status === 'NOSHOW') tally.noShows++
  if (status === 'CANCELLED') tally.cancelled++
}

/** Finds a free table with room for `duration` minutes from now; null for none. */
export async function findTable({ send, now }: Stage, people: number, duration: number, random: Random) {
  const { body } = await send('GET', '/Bookings/tables', { Date: wireTime(now()), Duration: duration })
  const fitting = objectsIn(body)
    .flatMap(({ tables }) => objectsIn(tables))
    .filter(({ capacity, minCapacity }) => Number(capacity) >= people && Number(minCapacity) <= people)
  const found = fitting[Math.floor(random() * fitting.length)]
  return found ? { id: textIn(found, '_id'), name: textIn(found, 'name'), section: textIn(found, 'sectionName') } : null
}

/** Draws a duration in milliseconds: minutes, and some seconds, so that acts are not on the minute. */
export function minutes(random: Random, least: number, most: number): number {
  return between(random, least, most) * MINUTE + between(random, 0, MINUTE - 1)
}

/** Writes an instant for the filters of the service. */
export function wireTime(at: number): string {
  return new Date(at).toISOString()
}

/** Writes an instant for bookings, to the second. */
export function bookingTime(at: number): string {
  return `${wireTime(at).slice(0, 'yyyy-MM-ddTHH:mm:ss'.length)}Z`
}
