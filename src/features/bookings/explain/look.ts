import { counted } from '../../../base/counted.ts'
import { Failure } from '../../../base/failure/failure.ts'
import type { JsonValue } from '../../../base/json/exact.ts'
import { toWireTime } from '../../../base/time/instant.ts'
import { DAY_MS } from '../../../base/time/units.ts'
import { dateIn } from '../../../base/time/zone.ts'
import { getSchedule, listTables } from '../../../contract/bookings/availability.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { FreeTable, Offer, ScheduleSeen } from '../../shared/venue.ts'
import { parseSchedule, parseTables, scheduleQuery } from '../../shared/venue.ts'
import { answerOf, whenText } from './reason.ts'
import type { Requested } from './request.ts'

/** Reads a list of the service. Changes nothing. */
export type Read = (endpoint: Endpoint, query: Readonly<Record<string, string | number>>) => Promise<JsonValue>

/** The present in epoch milliseconds, and the zone of the venue; null is UTC. */
export type VenueClock = { readonly nowMs: number; readonly timezone: string | null }

type Occasion = Requested & { readonly [F in 'people' | 'atMs']: number }

const DAYS_AHEAD = 7

/** How long a booking lasts if neither the request nor the service says so. */
const USUAL_MINUTES = 90

const NOTHING: ScheduleSeen = { isClosed: false, message: '', offers: [] }

/** A request, and what the venue offers around its time. */
export type Look = Awaited<ReturnType<typeof lookAround>>

/** Reads the schedule of the day of a request. Everything else is read when needed, and once. Fails: as `read`. */
export async function lookAround(read: Read, asked: Occasion, { nowMs, timezone }: VenueClock) {
  const { atMs, people } = asked
  const day = parseSchedule(await read(getSchedule, scheduleQuery(atMs, timezone, people)), people)
  const when = whenText(atMs, timezone)
  const noService = answerOf('noServiceAvailable', { bookingTime: asked.timeSent, numOfPeople: people })
  const isOffered = day.offers.some(({ times }) => times.some((time) => time.atMs === atMs && time.isFree))
  const weeks = new Map<string, Promise<ScheduleSeen>>()
  const tables = new Map<string, Promise<readonly FreeTable[]>>()
  const tablesAt = (at: string, minutes: number) =>
    once(tables, `${at} ${minutes}`, async () => parseTables(await read(listTables, { Date: at, Duration: minutes })))

  return {
    ...{ asked, nowMs, timezone, day },
    /** The time of the request: `Fri 2026-11-20 19:05`. */
    when,
    date: when.slice(0, 'Fri yyyy-MM-dd'.length),
    party: counted(people, 'person', 'people'),
    /** What the service answers if there is no room. */
    noService,
    /** What it answers if nothing, or another service, is offered at that time. */
    notThen: isOffered ? answerOf('invalidService', { serviceId: asked.serviceId }) : noService,

    clock: (ms = atMs): string => whenText(ms, timezone).slice('Fri yyyy-MM-dd '.length),

    minutesIn: (offer: Offer | null): number => asked.minutes ?? offer?.minutes ?? USUAL_MINUTES,

    /** The schedule from the request or today on. Empty if the service refuses so many days: the verdict does without. */
    week: () =>
      once(weeks, 'week', async () => {
        const fromMs = Math.max(atMs, nowMs)
        try {
          const query = scheduleQuery(fromMs, timezone, people, fromMs + DAYS_AHEAD * DAY_MS)
          return parseSchedule(await read(getSchedule, query), people)
        } catch (error) {
          if (error instanceof Failure && error.request !== undefined) return NOTHING
          throw error
        }
      }),

    free: (minutes: number, fromMs = atMs) => tablesAt(toWireTime(fromMs), minutes),

    /** The tables that are free for any minute of the day. */
    all: () => tablesAt(dateIn(atMs, timezone), 1),
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const reading = known.get(key) ?? read()
  known.set(key, reading)
  return reading
}
