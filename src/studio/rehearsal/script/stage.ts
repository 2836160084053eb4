import type { JsonObject } from '../../../base/json/exact.ts'
import { mixSeeds, type Random, randomFrom } from '../../../sandbox/seed/random.ts'
import type { Agenda } from '../agenda.ts'
import type { RehearsedDay } from '../day.ts'
import type { OwnReply, OwnRequest } from '../own-requests.ts'
import type { Tally } from '../tally.ts'

/** What every scene of a rehearsed day works with. */
export interface Stage {
  readonly day: RehearsedDay
  readonly agenda: Agenda
  readonly tally: Tally
  /** ISO 4217. */
  readonly currency: string
  readonly locationId: string
  readonly partnerName: string
  /** The status that the venue has made itself, which its staff give to guests at dessert; null: it has none. */
  readonly dessert: string | null
  /** The active gift cards of the venue, from which guests pay. */
  readonly cards: readonly string[]
  /** The venue's time, milliseconds since 1970. */
  now(): number
  send(request: OwnRequest): Promise<OwnReply>
  /** A source of numbers for one scene: what is drawn in others does not change it. */
  drawFor(scene: number): Random
  /** The ID of the next sale of the till. */
  nextSaleId(): string
}

/** Sets apart what the scenes are drawn from. */
export const SCENES = { diary: 1_000, callers: 2_000, walkIns: 3_000, cards: 4_000, office: 5_000 } as const

/** Makes the sources of a day: the same seed and day give the same numbers. */
export function sourcesOf(seed: number, { starts }: RehearsedDay): Stage['drawFor'] {
  const ofDay = mixSeeds(seed, Math.floor(starts / 1000) | 0)
  return (scene) => randomFrom(mixSeeds(ofDay, scene))
}

/** The text in a member of an object of an answer; empty when there is none. */
export function textIn(record: JsonObject, member: string): string {
  const value = record[member]
  return typeof value === 'string' ? value : ''
}

/** The number in a member of an object of an answer; 0 when there is none. */
export function numberIn(record: JsonObject, member: string): number {
  const value = record[member]
  return typeof value === 'number' ? value : 0
}

/** Writes an instant as the filters of the service take it. */
export function wireTime(at: number): string {
  return new Date(at).toISOString()
}

/** Writes an instant as bookings take it: to the second. */
export function bookingTime(at: number): string {
  return `${wireTime(at).slice(0, 'yyyy-MM-ddTHH:mm:ss'.length)}Z`
}
