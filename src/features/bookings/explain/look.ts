import { counted } from '../../../base/counted.ts'
import { Failure } from '../../../base/failure/failure.ts'
import type { JsonValue } from '../../../base/json/exact.ts'
import { toWireTime } from '../../../base/time/instant.ts'
import { DAY_MS } from '../../../base/time/units.ts'
import { dateIn } from '../../../base/time/zone.ts'
import { getSchedule, listTables } from '../../../contract/bookings/availability.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import {
  type FreeTable,
  type Offer,
  type ScheduleSeen,
  scheduleIn,
  scheduleQuery,
  tablesIn,
} from '../../shared/venue.ts'
import { answerOf, whenText } from './reason.ts'
import type { Requested } from './request.ts'

/** Reads a list of the service. Changes nothing. */
export type Read = (endpoint: Endpoint, query: Readonly<Record<string, string | number>>) => Promise<JsonValue>

/** The present in epoch milliseconds, and the zone of the venue; null is UTC. */
export interface VenueClock {
  readonly nowMs: number
  readonly timezone: string | null
}

/** A request whose party and time can be looked up. */
export interface Occasion extends Requested {
  readonly people: number
  readonly atMs: number
}

/** How many days ahead to look for other times. */
const DAYS_AHEAD = 7

/** How long a table is needed if nothing says how long it is taken. Minutes. */
const USUAL_MINUTES = 90

const NOTHING: ScheduleSeen = { isClosed: false, message: '', offers: [] }

/** A request, and what the venue has around its time. Everything is read once, and only when it is needed. */
export class Look implements VenueClock {
  readonly asked: Occasion
  readonly nowMs: number
  readonly timezone: string | null
  /** The schedule of the day of the request. */
  readonly day: ScheduleSeen
  readonly #read: Read
  readonly #tables = new Map<string, Promise<readonly FreeTable[]>>()
  #week: Promise<ScheduleSeen> | null = null

  private constructor(read: Read, asked: Occasion, { nowMs, timezone }: VenueClock, day: ScheduleSeen) {
    this.#read = read
    this.asked = asked
    this.nowMs = nowMs
    this.timezone = timezone
    this.day = day
  }

  /** Reads the schedule of the day of a request. Fails: as `read`. */
  static async open(read: Read, asked: Occasion, clock: VenueClock): Promise<Look> {
    const { atMs, people } = asked
    const day = await read(getSchedule, scheduleQuery(atMs, clock.timezone, people))
    return new Look(read, asked, clock, scheduleIn(day, people))
  }

  /**
   * The schedule of the days from the request on; for a time in the past, from today on. Empty if the service does not give so many
   * days at once, as the verdict does not need them.
   */
  week(): Promise<ScheduleSeen> {
    const { atMs, people } = this.asked
    const fromMs = Math.max(atMs, this.nowMs)
    const query = scheduleQuery(fromMs, this.timezone, people, fromMs + DAYS_AHEAD * DAY_MS)
    this.#week ??= this.#read(getSchedule, query).then(
      (answer) => scheduleIn(answer, people),
      (error: unknown) => {
        if (error instanceof Failure && error.request !== undefined) return NOTHING
        throw error
      },
    )
    return this.#week
  }

  /** The tables that are free for so many minutes: from the time of the request, or from another (epoch milliseconds). */
  free(minutes: number, atMs = this.asked.atMs): Promise<readonly FreeTable[]> {
    return this.#tablesAt(toWireTime(atMs), minutes)
  }

  /** Tables that are free for a minute on that day, which includes those that are taken for most of it. */
  all(): Promise<readonly FreeTable[]> {
    return this.#tablesAt(dateIn(this.asked.atMs, this.timezone), 1)
  }

  /** How long a booking in a service lasts. Minutes. */
  minutesIn(offer: Offer | null): number {
    return this.asked.minutes ?? offer?.minutes ?? USUAL_MINUTES
  }

  /** The time of the request: `Fri 2026-11-20 19:05`. */
  get when(): string {
    return whenText(this.asked.atMs, this.timezone)
  }

  /** Its day: `Fri 2026-11-20`. */
  get date(): string {
    return this.when.slice(0, 'Fri yyyy-MM-dd'.length)
  }

  /** A time of day: `19:05`. */
  clock(atMs = this.asked.atMs): string {
    return whenText(atMs, this.timezone).slice('Fri yyyy-MM-dd '.length)
  }

  /** `1 person`, `4 people`. */
  get party(): string {
    return counted(this.asked.people, 'person', 'people')
  }

  /** What the service answers if there is no room. */
  get noService(): string {
    return answerOf('noServiceAvailable', { bookingTime: this.asked.timeSent, numOfPeople: this.asked.people })
  }

  /** What it answers if it offers nothing at that time, or not the service that was asked for. */
  get notThen(): string {
    const { atMs, serviceId } = this.asked
    const isOffered = this.day.offers.some(({ times }) => times.some((time) => time.atMs === atMs && time.isFree))
    return isOffered ? answerOf('invalidService', { serviceId }) : this.noService
  }

  #tablesAt(at: string, minutes: number): Promise<readonly FreeTable[]> {
    const key = `${at} ${minutes}`
    const known = this.#tables.get(key) ?? this.#read(listTables, { Date: at, Duration: minutes }).then(tablesIn)
    this.#tables.set(key, known)
    return known
  }
}
