import type { Diary } from '../store/diary.ts'
import { DAY, type LocalMs, MINUTE } from '../venue/time.ts'
import {
  findClosureReason,
  SERVICES,
  type Service,
  TABLE_FREEING_STATUSES,
  TABLES,
  type Table,
} from '../venue/venue.ts'

const SLOT = 15 * MINUTE

/**
 * Finds the bookings that overlap a period. The few bookings that last longer than a day have a separate index. For all
 * others, the search has to go back only one day.
 */
const OVERLAPPING_BOOKINGS = `
  SELECT id, starts, ends, tables, status FROM bookings WHERE location = ? AND starts BETWEEN ? AND ? AND ends > ?
  UNION ALL
  SELECT id, starts, ends, tables, status FROM bookings WHERE location = ? AND starts < ? AND ends > ? AND ends - starts > ${DAY}`

/**
 * Reads the bookings in a period, except the one with the ID `except`. Returns a function that lists the IDs of the
 * tables in use between two instants.
 */
export function readOccupancy(diary: Diary, location: string, from: number, to: number, except: string | null = null) {
  const bookings = diary
    .all(OVERLAPPING_BOOKINGS, location, from - DAY, to, from, location, from - DAY, from)
    .filter((row) => row['id'] !== except && !TABLE_FREEING_STATUSES.has(String(row['status'])))
    .map((row) => ({
      starts: Number(row['starts']),
      ends: Number(row['ends']),
      tableIds: JSON.parse(String(row['tables'])) as string[],
    }))
  return (starts: number, ends: number): Set<string> => {
    const overlapping = bookings.filter((booking) => booking.starts < ends && booking.ends > starts)
    return new Set(overlapping.flatMap((booking) => booking.tableIds))
  }
}

/** A possible start time for a meal, and the tables that a party could use at that time. */
export interface Slot {
  readonly local: LocalMs
  readonly starts: number
  /** Whether the start time is in the past. */
  readonly expired: boolean
  readonly tables: readonly Table[]
}

export type ScheduleDay = ReturnType<typeof makeSchedule>

/**
 * Creates a day's schedule for a party. `day` is the number of days since 1970. `blockout` is the reason why the venue
 * is closed, or `null` if it is open.
 */
export function makeSchedule(
  diary: Diary,
  day: number,
  { people, except = null }: { readonly people: number; readonly except?: string | null },
  now: number,
) {
  const blockout = findClosureReason(day)
  if (blockout !== null) return { blockout, services: [] }
  const { venue, zone } = diary
  const midnight = day * DAY
  const weekday = new Date(midnight).getUTCDay()
  const from = zone.toInstant(midnight)
  const findOccupied = readOccupancy(diary, venue.id, from, from + DAY + DAY / 4, except)
  const slotsOf = (service: Service): Slot[] => {
    const candidates = TABLES.filter((table) => service.sectionIds.includes(table.sectionId) && canSeat(table, people))
    const slots: Slot[] = []
    for (let local = midnight + service.first; local <= midnight + service.last; local += SLOT) {
      const starts = zone.toInstant(local)
      const occupied = findOccupied(starts, starts + service.duration * MINUTE)
      const free = people < service.minPeople ? [] : candidates.filter((table) => !occupied.has(table.id))
      slots.push({ local, starts, expired: starts < now, tables: free })
    }
    return slots
  }
  const running = SERVICES.filter((service) => service.weekdays.includes(weekday) && service.online)
  return { blockout, services: running.map((service) => ({ service, slots: slotsOf(service) })) }
}

function canSeat(table: Table, people: number): boolean {
  return table.online && !table.walkinOnly && people <= table.capacity && people >= table.minCapacity
}
