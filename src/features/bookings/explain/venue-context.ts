import { formatCount } from '../../../base/counted.ts'
import { Failure } from '../../../base/failure/failure.ts'
import type { JsonValue } from '../../../base/json/exact.ts'
import { toWireTime } from '../../../base/time/instant.ts'
import { DAY_MS } from '../../../base/time/units.ts'
import { dateIn } from '../../../base/time/zone.ts'
import { getSchedule, listTables } from '../../../contract/bookings/availability.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { FreeTable, Offer, ScheduleSeen } from '../../shared/venue.ts'
import { parseSchedule, parseTables, scheduleQuery } from '../../shared/venue.ts'
import { formatWhen, serviceMessage } from './reason.ts'
import type { Requested } from './request.ts'

/** Reads a list from the service. Never changes anything. */
export type Read = (endpoint: Endpoint, query: Readonly<Record<string, string | number>>) => Promise<JsonValue>

/** The current time in epoch milliseconds, and the venue's time zone; `null` means UTC. */
export type VenueClock = { readonly nowMs: number; readonly timezone: string | null }

type Occasion = Requested & { readonly [F in 'people' | 'atMs']: number }

const DAYS_AHEAD = 7

/** The duration of a booking if neither the request nor the service specifies one. */
const DEFAULT_MINUTES = 90

const EMPTY_SCHEDULE: ScheduleSeen = { isClosed: false, message: '', offers: [] }

/** A reservation request, with the services and tables of the venue around the requested time. */
export type VenueContext = Awaited<ReturnType<typeof readVenueContext>>

/**
 * Reads the schedule for the requested day. Reads everything else only once, on first use. Throws any error from
 * `read`.
 */
export async function readVenueContext(read: Read, asked: Occasion, { nowMs, timezone }: VenueClock) {
  const { atMs, people } = asked
  const day = parseSchedule(await read(getSchedule, scheduleQuery(atMs, timezone, people)), people)
  const when = formatWhen(atMs, timezone)
  const noService = serviceMessage('noServiceAvailable', { bookingTime: asked.timeSent, numOfPeople: people })
  const isOffered = day.offers.some(({ times }) => times.some((time) => time.atMs === atMs && time.isFree))
  const weeks = new Map<string, Promise<ScheduleSeen>>()
  const tables = new Map<string, Promise<readonly FreeTable[]>>()
  const tablesAt = (at: string, minutes: number) =>
    readOnce(tables, `${at} ${minutes}`, async () =>
      parseTables(await read(listTables, { Date: at, Duration: minutes })),
    )

  return {
    ...{ asked, nowMs, timezone, day },
    /** The requested time, such as `Fri 2026-11-20 19:05`. */
    when,
    date: when.slice(0, 'Fri yyyy-MM-dd'.length),
    party: formatCount(people, 'person', 'people'),
    /** The service's message when it rejects a request because no table is left. */
    noService,
    /** The service's message when it rejects a request because the requested service is not offered at that time. */
    notThen: isOffered ? serviceMessage('invalidService', { serviceId: asked.serviceId }) : noService,

    clock: (ms = atMs): string => formatWhen(ms, timezone).slice('Fri yyyy-MM-dd '.length),

    minutesIn: (offer: Offer | null): number => asked.minutes ?? offer?.minutes ?? DEFAULT_MINUTES,

    /**
     * Returns the schedule for the week from the requested day, or from today if that day is past. Returns an empty
     * schedule if the request fails, because the verdict does not depend on it.
     */
    week: () =>
      readOnce(weeks, 'week', async () => {
        const fromMs = Math.max(atMs, nowMs)
        try {
          const query = scheduleQuery(fromMs, timezone, people, fromMs + DAYS_AHEAD * DAY_MS)
          return parseSchedule(await read(getSchedule, query), people)
        } catch (error) {
          if (error instanceof Failure && error.request !== undefined) return EMPTY_SCHEDULE
          throw error
        }
      }),

    free: (minutes: number, fromMs = atMs) => tablesAt(toWireTime(fromMs), minutes),

    /** Returns the tables that are free for at least one minute of the day. */
    all: () => tablesAt(dateIn(atMs, timezone), 1),
  }
}

function readOnce<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const reading = known.get(key) ?? read()
  known.set(key, reading)
  return reading
}
