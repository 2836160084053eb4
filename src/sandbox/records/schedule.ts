import type { Diary } from '../store/diary.ts'
import { DAY, type LocalMs, MINUTE } from '../venue/time.ts'
import { closedOn, FREES_TABLES, SERVICES, type Service, TABLES, type Table } from '../venue/venue.ts'

const SLOT = 15 * MINUTE

/** An index finds the few bookings longer than a day, so the search for others goes back only one day. */
const HOLDS = `
  SELECT id, starts, ends, tables, status FROM bookings WHERE location = ? AND starts BETWEEN ? AND ? AND ends > ?
  UNION ALL
  SELECT id, starts, ends, tables, status FROM bookings WHERE location = ? AND starts < ? AND ends > ? AND ends - starts > ${DAY}`

/** Returns a function that finds the IDs of tables taken between two instants. Ignores the booking `except`. */
export function readOccupancy(diary: Diary, location: string, from: number, to: number, except: string | null = null) {
  const holds = diary
    .all(HOLDS, location, from - DAY, to, from, location, from - DAY, from)
    .filter((row) => row['id'] !== except && !FREES_TABLES.has(String(row['status'])))
    .map((row) => ({
      starts: Number(row['starts']),
      ends: Number(row['ends']),
      tableIds: JSON.parse(String(row['tables'])) as string[],
    }))
  return (starts: number, ends: number): Set<string> => {
    const overlapping = holds.filter((hold) => hold.starts < ends && hold.ends > starts)
    return new Set(overlapping.flatMap((hold) => hold.tableIds))
  }
}

/** A time at which a service takes a party, and its free tables. */
export interface Slot {
  readonly local: LocalMs
  readonly starts: number
  /** True when it is in the past. */
  readonly expired: boolean
  readonly tables: readonly Table[]
}

export type ScheduleDay = ReturnType<typeof makeSchedule>

/** Makes the schedule of a day (days since 1970) for a party. `blockout` is why the venue is closed; null if open. */
export function makeSchedule(
  diary: Diary,
  day: number,
  { people, except = null }: { readonly people: number; readonly except?: string | null },
  now: number,
) {
  const blockout = closedOn(day)
  if (blockout !== null) return { blockout, services: [] }
  const { venue, zone } = diary
  const midnight = day * DAY
  const weekday = new Date(midnight).getUTCDay()
  const from = zone.toInstant(midnight)
  const takenBetween = readOccupancy(diary, venue.id, from, from + DAY + DAY / 4, except)
  const slotsOf = (service: Service): Slot[] => {
    const candidates = TABLES.filter((table) => service.sectionIds.includes(table.sectionId) && canSeat(table, people))
    const slots: Slot[] = []
    for (let local = midnight + service.first; local <= midnight + service.last; local += SLOT) {
      const starts = zone.toInstant(local)
      const taken = takenBetween(starts, starts + service.duration * MINUTE)
      const free = people < service.minPeople ? [] : candidates.filter((table) => !taken.has(table.id))
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
