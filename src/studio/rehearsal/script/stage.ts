import { between, type Random } from '../../../sandbox/seed/random.ts'
import { MINUTE } from '../../../sandbox/venue/time.ts'
import type { Venue } from '../../../sandbox/venue/venue.ts'
import type { Send } from '../../own-requests.ts'
import type { Agenda } from '../agenda.ts'
import type { RehearsedDay } from '../day.ts'
import { jsonObjects, stringAt } from '../venue-data.ts'

const COUNTS = [
  // Counts of accepted and rejected reservations, and of walk-ins with and without a free table.
  ...(['reserved', 'notAccepted', 'walkIns', 'turnedAway'] as const),
  // Counts of parties that arrived, arrived early or late, did not show up, cancelled, or changed their table or size.
  ...(['arrived', 'early', 'late', 'noShows', 'cancelled', 'moved', 'resized'] as const),
  // Counts of accepted sales, duplicates, refunds and voids, and the net takings in cents.
  ...(['sales', 'duplicates', 'refunds', 'voids', 'takingsCents'] as const),
  // The number of redemptions and their total in cents. Counts of rejected redemptions, cancelled cards and
  // unsubscribed customers.
  ...(['redemptions', 'redeemedCents', 'cardsRefused', 'cardsCancelled', 'unsubscribed'] as const),
]

export type Tally = Record<(typeof COUNTS)[number], number>

export function emptyTally(): Tally {
  return Object.fromEntries(COUNTS.map((name) => [name, 0])) as Tally
}

/** The state shared by all parts of the script for a rehearsed day. */
export interface Stage {
  readonly day: RehearsedDay
  readonly agenda: Agenda
  readonly tally: Tally
  readonly venue: Venue
  /** The code of the custom status that means dessert, or `null` if the venue does not have one. */
  readonly dessert: string | null
  /** The numbers of the active gift cards that guests pay with. */
  readonly cards: readonly string[]
  /** Returns the venue's time, in milliseconds since 1970. */
  now(): number
  readonly send: Send
  /** Returns a source of random numbers for one part of the script. The numbers do not depend on the other parts. */
  drawFor(scene: number): Random
  nextSaleId(): string
}

/** The first `scene` number of each script part, for {@link Stage.drawFor}. */
export const SCENES = { diary: 1_000, callers: 2_000, walkIns: 3_000, cards: 4_000, office: 5_000 } as const

/** The details that the staff know about a party with a booking. */
export interface Party {
  readonly bookingId: string
  /** When the party is expected, in milliseconds since 1970. */
  starts: number
  /** How long the party is expected to stay, in minutes. */
  readonly duration: number
  people: number
  /** The name of the party's table, or an empty string if the party has none. */
  table: string
  /** The source of the random numbers that decide what the party does. */
  readonly random: Random
}

export async function setStatus({ send, tally }: Stage, { bookingId }: Pick<Party, 'bookingId'>, status: string) {
  await send('PATCH', `/Bookings/${bookingId}/updatestatus`, { status })
  if (status === 'NOSHOW') tally.noShows++
  if (status === 'CANCELLED') tally.cancelled++
}

/**
 * Returns a table that has enough seats for the party and is free for `duration` minutes from now, or `null` if there
 * is none.
 */
export async function findTable({ send, now }: Stage, people: number, duration: number, random: Random) {
  const { body } = await send('GET', '/Bookings/tables', { Date: formatInstant(now()), Duration: duration })
  const fitting = jsonObjects(body)
    .flatMap(({ tables }) => jsonObjects(tables))
    .filter(({ capacity, minCapacity }) => Number(capacity) >= people && Number(minCapacity) <= people)
  const found = fitting[Math.floor(random() * fitting.length)]
  return found
    ? { id: stringAt(found, '_id'), name: stringAt(found, 'name'), section: stringAt(found, 'sectionName') }
    : null
}

/**
 * Returns a random duration in milliseconds. It need not be a whole number of minutes, so that actions do not all start
 * on the minute.
 */
export function drawMinutes(random: Random, least: number, most: number): number {
  return between(random, least, most) * MINUTE + between(random, 0, MINUTE - 1)
}

/** Formats an instant as the service's filters expect it: ISO 8601 in UTC, with milliseconds. */
export function formatInstant(at: number): string {
  return new Date(at).toISOString()
}

/** Formats an instant as a booking time: ISO 8601 in UTC, without milliseconds. */
export function formatBookingTime(at: number): string {
  return `${formatInstant(at).slice(0, 'yyyy-MM-ddTHH:mm:ss'.length)}Z`
}
