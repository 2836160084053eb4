import type { Diary } from '../store/diary.ts'
import { DAY, type LocalMs, MINUTE } from '../venue/time.ts'
import { closedOn, FREES_TABLES, SERVICES, type Service, TABLES, type Table } from '../venue/venue.ts'
import type { Zone } from '../venue/zone.ts'

/** The time between two slots of a service. */
const SLOT = 15 * MINUTE

/** The tables of a booking and the time for which it holds them, in milliseconds since 1970. */
interface Hold {
  readonly bookingId: string
  readonly starts: number
  readonly ends: number
  readonly tableIds: readonly string[]
}

/** Few bookings are longer than a day: an index knows them, so that no others need be looked at far back. */
const HOLDS = `
  SELECT id, starts, ends, tables, status FROM bookings WHERE location = ? AND starts BETWEEN ? AND ? AND ends > ?
  UNION ALL
  SELECT id, starts, ends, tables, status FROM bookings WHERE location = ? AND starts < ? AND ends > ? AND ends - starts > ${DAY}`

/** Knows which tables of a venue are taken when. */
export class Occupancy {
  readonly #holds: readonly Hold[]

  /** Reads the bookings between two instants. `except` is the ID of a booking to leave out, as when it is to be moved. */
  constructor(diary: Diary, location: string, from: number, to: number, except: string | null = null) {
    const rows = diary.all(HOLDS, location, from - DAY, to, from, location, from - DAY, from)
    this.#holds = rows
      .filter((row) => row['id'] !== except && !FREES_TABLES.has(String(row['status'])))
      .map((row) => ({
        bookingId: String(row['id']),
        starts: Number(row['starts']),
        ends: Number(row['ends']),
        tableIds: JSON.parse(String(row['tables'])) as string[],
      }))
  }

  /** The IDs of tables that are taken at some time between two instants. */
  takenBetween(starts: number, ends: number): Set<string> {
    const overlapping = this.#holds.filter((hold) => hold.starts < ends && hold.ends > starts)
    return new Set(overlapping.flatMap((hold) => hold.tableIds))
  }
}

/** A time at which a service takes a party, and the tables that are free for it. */
export interface Slot {
  readonly local: LocalMs
  readonly starts: number
  /** True when it is in the past. */
  readonly expired: boolean
  readonly tables: readonly Table[]
}

/** What the venue offers a party on a day. */
export interface ScheduleDay {
  /** Why the venue is closed; null when it is open. */
  readonly blockout: string | null
  readonly services: readonly { readonly service: Service; readonly slots: readonly Slot[] }[]
}

/**
 * Makes the schedule of one day of the venue's calendar (days since 1970) for a party. It has no services that do not run
 * that day.
 */
export function makeSchedule(
  diary: Diary,
  day: number,
  party: { readonly people: number; readonly except?: string | null },
  now: number,
): ScheduleDay {
  const blockout = closedOn(day)
  if (blockout !== null) return { blockout, services: [] }
  const midnight = day * DAY
  const weekday = new Date(midnight).getUTCDay()
  const from = diary.zone.toInstant(midnight)
  const occupancy = new Occupancy(diary, diary.venue.id, from, from + DAY + DAY / 4, party.except ?? null)
  const services = SERVICES.filter((service) => service.weekdays.includes(weekday) && service.online).map(
    (service) => ({
      service,
      slots: makeSlots(service, { midnight, zone: diary.zone }, party.people, occupancy, now),
    }),
  )
  return { blockout, services }
}

/** A day on the clock of a venue. */
interface Day {
  readonly midnight: LocalMs
  readonly zone: Zone
}

function makeSlots(
  service: Service,
  { midnight, zone }: Day,
  people: number,
  occupancy: Occupancy,
  now: number,
): Slot[] {
  const candidates = TABLES.filter((table) => service.sectionIds.includes(table.sectionId) && suits(table, people))
  const slots: Slot[] = []
  for (let at = service.first; at <= service.last; at += SLOT) {
    const starts = zone.toInstant(midnight + at)
    const taken = occupancy.takenBetween(starts, starts + service.duration * MINUTE)
    const free = people < service.minPeople ? [] : candidates.filter((table) => !taken.has(table.id))
    slots.push({ local: midnight + at, starts, expired: starts < now, tables: free })
  }
  return slots
}

/** True when a partner may put a party at a table. */
function suits(table: Table, people: number): boolean {
  return table.online && !table.walkinOnly && people <= table.capacity && people >= table.minCapacity
}
