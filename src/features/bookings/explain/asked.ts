import type { JsonObject, JsonValue } from '../../../base/json/exact.ts'
import { findNamed, type Named, nearestNamed, shownNamed } from '../../../client/named.ts'
import { answerOf, type Reason } from './reason.ts'
import type { Requested } from './request.ts'
import type { ScheduleSeen } from './venue.ts'

/** Whether names are looked up; a function is told what each name was found to be. */
export type LooksUp = boolean | ((flag: string, typed: string, found: Named) => void)

/** A request, and which of its members are sent as IDs although names were typed. */
export interface Asked {
  readonly body: JsonObject
  /** Whether `reservations create` looks up what was typed here, so that a name may stand for an ID. */
  readonly looksUp: {
    readonly service: LooksUp
    readonly section: LooksUp
    readonly table: LooksUp
    readonly status?: boolean
  }
  /** Whether the service, section and guest may be absent: they are then listed as not checked, and are not reasons. */
  readonly mayBePartial?: boolean
}

/** Reads what the venue has, and changes nothing. */
export interface VenueReader {
  /** The schedule from the first to the last instant, both epoch milliseconds. */
  schedule(fromMs: number, toMs: number, people: number): Promise<JsonValue>
  /** The tables that are free for so many minutes: from an instant (epoch milliseconds), or at some time of a day, `yyyy-MM-dd`. */
  tables(at: number | string, minutes: number): Promise<JsonValue>
  statuses(): Promise<JsonValue>
}

/** A request whose party and time can be looked up. */
export interface Occasion extends Requested {
  readonly people: number
  readonly atMs: number
  readonly timezone: string | null
}

/** What the service answers when nothing of it, or not the service that was asked for, is offered at that time. */
export function answerAtTime({ atMs, people, timeSent, serviceId }: Occasion, day: ScheduleSeen): string {
  const isOffered = day.offers.some(({ times }) => times.some((time) => time.atMs === atMs && time.isFree))
  return isOffered ? answerOf('invalidService', { serviceId }) : noService({ timeSent, people })
}

/** What it answers when there is no room. */
export function noService({ timeSent, people }: Pick<Occasion, 'timeSent' | 'people'>): string {
  return answerOf('noServiceAvailable', { bookingTime: timeSent, numOfPeople: people })
}

/** `; did you mean Dinner (svc-dinner)?`, where something is near. */
export function nearWords(typed: string, all: readonly Named[]): string {
  const near = nearestNamed(typed, all)
  return near ? `; did you mean ${shownNamed(near)}?` : ''
}

/**
 * What is meant by an ID, or by a name. `looksUp`: names are looked up, and one that several have is a mistake of the command line;
 * else it is merely no ID. Null: there is no such. Fails: USAGE.
 */
export function findMeant<N extends Named>(
  typed: string,
  flag: string,
  all: readonly N[],
  looksUp: LooksUp,
): { readonly found: N; readonly isName: boolean } | null {
  const exact = all.find(({ id }) => id === typed)
  if (exact) return { found: exact, isName: false }
  try {
    const found = findNamed(typed, flag, all)
    if (found && typeof looksUp === 'function') looksUp(flag, typed, found)
    return found && { found, isName: true }
  } catch (error) {
    if (looksUp) throw error
    return null
  }
}

/** Reasons, without those that say the same. */
export function distinct(reasons: readonly Reason[]): Reason[] {
  return reasons.filter(({ message }, at) => reasons.findIndex((one) => one.message === message) === at)
}
