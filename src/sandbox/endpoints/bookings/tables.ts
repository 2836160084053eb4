import { MAX_INT32 } from '../../../contract/shapes/scalars.ts'
import { readOccupancy } from '../../records/schedule.ts'
import { DAY, dayOf, HOUR, MINUTE, readDate, readInstant } from '../../venue/time.ts'
import { SECTIONS, SERVICES, TABLES } from '../../venue/venue.ts'
import type { Zone } from '../../venue/zone.ts'
import type { Handlers } from '../handler.ts'
import { readInteger } from '../query.ts'

/** The default duration of a booking, in minutes. */
const DEFAULT_DURATION = 90
const LAYOUT = { layoutId: 'layout-main', layoutName: 'Standard' }

export const TABLE_HANDLERS = {
  /**
   * GET /Bookings/tables. Lists the tables that are free for the whole duration from the given instant. For a date
   * without a time, lists the tables that are free for the duration from at least one start time on that day.
   */
  'bookings.tables': ({ store, query, refuse }) => {
    const text = query.get('Date')
    if (!text) throw refuse('invalidDate')
    const duration = (readInteger(query, 'Duration', 1, MAX_INT32) ?? DEFAULT_DURATION) * MINUTE
    const starts = findStarts(text, store.zone)
    if (starts.length === 0) throw refuse('invalidDate')
    const findOccupied = readOccupancy(store, store.venue.id, starts[0] ?? 0, (starts.at(-1) ?? 0) + duration)
    const free = new Set<string>()
    for (const start of starts) {
      const occupied = findOccupied(start, start + duration)
      for (const table of TABLES) if (!occupied.has(table.id)) free.add(table.id)
    }
    const body = SECTIONS.map(({ name: sectionName, id: sectionId }) => {
      const tables = TABLES.filter((table) => table.sectionId === sectionId && free.has(table.id))
      return { sectionName, sectionId, ...LAYOUT, tables: tables.map(({ id, ...table }) => ({ _id: id, ...table })) }
    })
    return { status: 200, body }
  },
} satisfies Partial<Handlers>

/** Returns the start times to check, or an empty list if the text is neither an instant nor a date. */
function findStarts(text: string, zone: Zone): number[] {
  const instant = readInstant(text)
  if (instant !== null) return [instant]
  const midnight = readDate(text)
  if (midnight === null) return []
  const weekday = new Date(dayOf(midnight) * DAY).getUTCDay()
  const open = SERVICES.filter((service) => service.weekdays.includes(weekday))
  const [first, last] = [Math.min(...open.map((one) => one.first)), Math.max(...open.map((one) => one.last))]
  return Array.from({ length: Math.floor((last - first) / (HOUR / 2)) + 1 }, (_none, at) =>
    zone.toInstant(midnight + first + (at * HOUR) / 2),
  )
}
