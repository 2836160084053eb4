import { MAX_INT32 } from '../../../contract/shapes/scalars.ts'
import { readOccupancy } from '../../records/schedule.ts'
import { DAY, dayOf, HOUR, MINUTE, readDate, readInstant } from '../../venue/time.ts'
import { SECTIONS, SERVICES, TABLES } from '../../venue/venue.ts'
import type { Zone } from '../../venue/zone.ts'
import type { Handlers } from '../handler.ts'
import { readInteger } from '../query.ts'

const USUAL_DURATION = 90
const LAYOUT = { layoutId: 'layout-main', layoutName: 'Standard' }

export const TABLE_HANDLERS = {
  /** GET /Bookings/tables: tables that are free for the duration from an instant or, on a day, at some opening time. */
  'bookings.tables': ({ store, query, refuse }) => {
    const text = query.get('Date')
    if (!text) throw refuse('invalidDate')
    const duration = (readInteger(query, 'Duration', 1, MAX_INT32) ?? USUAL_DURATION) * MINUTE
    const starts = findStarts(text, store.zone)
    if (starts.length === 0) throw refuse('invalidDate')
    const takenBetween = readOccupancy(store, store.venue.id, starts[0] ?? 0, (starts.at(-1) ?? 0) + duration)
    const free = new Set<string>()
    for (const start of starts) {
      const taken = takenBetween(start, start + duration)
      for (const table of TABLES) if (!taken.has(table.id)) free.add(table.id)
    }
    const body = SECTIONS.map(({ name: sectionName, id: sectionId }) => {
      const tables = TABLES.filter((table) => table.sectionId === sectionId && free.has(table.id))
      return { sectionName, sectionId, ...LAYOUT, tables: tables.map(({ id, ...table }) => ({ _id: id, ...table })) }
    })
    return { status: 200, body }
  },
} satisfies Partial<Handlers>

/** The instants to check; none when the text is not a date. */
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
