import type { BookingDocument, NewBooking } from '../records/booking.ts'
import { insertBooking } from '../records/bookings.ts'
import { WALK_IN_CUSTOMER } from '../records/customers.ts'
import type { Diary } from '../store/diary.ts'
import { DAY, dayOf, HOUR, MINUTE } from '../venue/time.ts'
import { findClosureReason, SERVICES, type Service, type Status, TABLES, type Table } from '../venue/venue.ts'
import { chooseStatus, luckOf } from './luck.ts'
import type { SeedIds } from './numbers.ts'
import { drawOrder } from './orders.ts'
import { between, drawBoolean, mixSeeds, nulls, pick, type Random, randomFrom } from './random.ts'
import { seedSale } from './sales.ts'

const NOTES = [
  ...nulls(4),
  'Window table please',
  'Nut allergy (severe!)',
  'It’s our anniversary 💍',
  'عيد ميلاد سعيد — كعكة في التاسعة',
  '靠窗的位子，謝謝。一位素食。',
  'שולחן שקט בבקשה',
  'Pram + high chair\nArriving 10 min late\n\tCall on arrival',
  '',
  '=HYPERLINK("http://example.com","free")',
  `Long story: ${'we came here the evening we met, and again when the baby was born; '.repeat(12)}see you soon.`,
  'Cafe\u0301 au lait 👨‍👩‍👧‍👦 ×4, naïve façade, ﷽',
]
const TAGS: readonly BookingDocument['tags'][number][] = [
  { tagType: 'Occasion', name: 'Birthday 🎂' },
  { tagType: 'Occasion', name: 'Anniversary' },
  { tagType: 'Dietary', name: 'Vegan' },
  { tagType: 'Dietary', name: 'Gluten free' },
  { tagType: 'Seating', name: 'Window' },
  { tagType: 'Marketing', name: 'Große Kampagne – 夏' },
]
const METHODS: readonly string[] = ['online', 'online', 'online', 'phone', 'phone', 'pos', 'walkin']

/** The minimum and maximum number of bookings for each service, by weekday (0 is Sunday). */
const BOOKINGS_PER_DAY: Readonly<Record<string, readonly [least: number, most: number][]>> = {
  'svc-brunch': weeklyRanges([2, 4], [0, 0], [2, 4]),
  'svc-lunch': weeklyRanges([2, 4], [1, 2], [2, 4]),
  'svc-dinner': weeklyRanges([2, 4], [2, 4], [5, 8]),
  'svc-cellar': weeklyRanges([0, 0], [0, 1], [0, 1]),
}

function weeklyRanges(
  sunday: [number, number],
  weekday: [number, number],
  friday: [number, number],
): [number, number][] {
  return [sunday, weekday, weekday, weekday, weekday, friday, friday]
}

export type DrawnBooking = NewBooking & { readonly starts: number }

/** The input for generating a day's bookings. The tables of the bookings in `fixed` stay reserved. */
export interface DaySeed {
  readonly seed: number
  readonly now: number
  /** The earliest `bookedAt` and `lastModifiedDate` for a booking. */
  readonly changedFrom: number
  readonly customerIds: readonly string[]
  readonly ids: SeedIds
  readonly fixed: readonly NewBooking[]
}

/**
 * Generates a day's bookings and returns their IDs. `day` is the number of days since 1970. The same seed and day
 * produce the same bookings, except for their IDs, `bookedAt` and `lastModifiedDate`.
 */
export function seedDay(diary: Diary, day: number, options: DaySeed): string[] {
  const { seed, now, changedFrom, customerIds, ids, fixed } = options
  const stored: string[] = []
  if (findClosureReason(day) !== null) return stored
  const random = randomFrom(mixSeeds(seed, day))
  const plan = new DayPlan(fixed)
  const weekday = new Date(day * DAY).getUTCDay()
  for (const service of SERVICES) {
    const [least, most] = BOOKINGS_PER_DAY[service.id]?.[weekday] ?? [0, 0]
    for (let left = between(random, least, most); left > 0; left--) {
      const drawn = drawBooking(random, service, day, now, customerIds, diary, changedFrom)
      const id = storeBooking(diary, plan, drawn, 'skip', ids)
      if (id !== null) stored.push(id)
    }
  }
  return stored
}

/**
 * Generates a random booking for a service on a day. Its `bookedAt` is `changedFrom` or later. The booking does not
 * have a table or an ID yet.
 */
export function drawBooking(
  random: Random,
  service: Service,
  day: number,
  now: number,
  customerIds: readonly string[],
  { venue, zone }: Pick<Diary, 'venue' | 'zone'>,
  changedFrom = Number.NEGATIVE_INFINITY,
): DrawnBooking {
  const slots = Math.floor((service.last - service.first) / (15 * MINUTE))
  const local = day * DAY + service.first + between(random, 0, slots) * 15 * MINUTE
  const starts = zone.toInstant(local)
  const duration = drawBoolean(random, 0.15) ? service.duration + 30 : service.duration
  const people =
    service.id === 'svc-cellar' ? between(random, 6, 12) : pick(random, [1, 2, 2, 2, 2, 3, 4, 4, 4, 5, 6, 8])
  const drawn = pick(random, METHODS)
  // Compare days, not times: otherwise, the random numbers below would depend on the time of day.
  const method = drawn === 'walkin' && day >= dayOf(zone.toLocal(now)) ? 'phone' : drawn
  const lead = method === 'walkin' ? 0 : between(random, 2, 40 * 24) * HOUR
  const agoIfAhead = between(random, 5, 60 * 24 * 21) * MINUTE
  const bookedAt = Math.max(changedFrom, starts - lead < now ? starts - lead : now - agoIfAhead)
  const { items, payment } = drawOrder(random, service, people, bookedAt, venue)
  const customer = Math.floor(random() * customerIds.length)
  const customerId = method === 'walkin' ? WALK_IN_CUSTOMER.id : (customerIds[customer] ?? null)
  const luck = luckOf({ starts, duration, people, customerId })
  const ends = starts + duration * MINUTE
  const status = chooseStatus(luck, starts, ends, now)
  const times = { local, starts, bookedAt, modified: drawLastChange(random, status, bookedAt, ends, now), duration }
  const notes = pick(random, NOTES)
  const tags = drawBoolean(random, 0.3)
    ? [pick(random, TAGS), ...(drawBoolean(random, 0.2) ? [pick(random, TAGS)] : [])]
    : []
  const party = { people, tableIds: [], customerId, notes, tags }
  return { method, ...times, ...party, service, status, items, payment, untouched: true }
}

function drawLastChange(random: Random, status: Status, bookedAt: number, ends: number, now: number): number {
  const share = random()
  const isOver = status.code === 'FINISHED' || status.code === 'SEATED' || status.code === 'NOSHOW'
  // A past booking was last changed when its guests left or were marked as no-shows.
  if (isOver) return Math.max(bookedAt, Math.min(now, ends) - Math.floor(share * 20) * MINUTE)
  return bookedAt + Math.max(0, Math.floor((Math.min(now, ends) - bookedAt) * share))
}

/** Assigns tables to the bookings of a single day. */
export class DayPlan {
  readonly #holds = new Map<string, { readonly from: number; readonly to: number }[]>()

  constructor(bookings: readonly NewBooking[] = []) {
    for (const booking of bookings) for (const id of booking.tableIds) this.#hold(id, booking)
  }

  /** Reserves a table that is free for the whole booking. Returns the table's ID, or `null` if no table is free. */
  reserveTable(booking: DrawnBooking): string | null {
    const [from, to] = [booking.local, booking.local + booking.duration * MINUTE]
    const fitting = findTables(booking.service, booking.people)
    // Starts with a different table for each booking, so that parties of the same size do not all get the same table.
    const offset = Math.floor(luckOf(booking) * 3000) % 3
    for (const table of [...fitting.slice(offset), ...fitting.slice(0, offset)]) {
      const held = this.#holds.get(table.id) ?? []
      if (held.some((hold) => hold.from < to && hold.to > from)) continue
      this.#hold(table.id, booking)
      return table.id
    }
    return null
  }

  #hold(tableId: string, { status, local, duration }: NewBooking): void {
    if (status.code === 'CANCELLED') return
    this.#holds.set(tableId, [...(this.#holds.get(tableId) ?? []), { from: local, to: local + duration * MINUTE }])
  }
}

/**
 * Stores a booking at a free table. If the visit is over, also stores its sale. `ifFull` determines what happens if no
 * table is free. Returns the booking's ID, or `null` if it was skipped.
 */
export function storeBooking(
  diary: Diary,
  plan: DayPlan,
  booking: DrawnBooking,
  ifFull: 'skip' | 'store-without-table',
  ids: SeedIds,
): string | null {
  const tableId = plan.reserveTable(booking)
  if (tableId === null && ifFull === 'skip') return null
  const tableIds = tableId === null ? [] : [tableId]
  const document = insertBooking(diary, { ...booking, id: ids.booking(), tableIds })
  // A third of the parties have no sale, as if the till had never submitted it.
  const luck = luckOf(booking)
  if (document.status.code === 'FINISHED' && (luck * 100) % 1 >= 0.34)
    seedSale(diary, document, ids.sale(), booking.starts, luck)
  return document.bookingId
}

const tablesByParty = new Map<string, readonly Table[]>()

function findTables(service: Service | null, people: number): readonly Table[] {
  const name = `${service?.id} ${people}`
  const known = tablesByParty.get(name)
  if (known) return known
  const fitting = TABLES.filter(
    (table) => service?.sectionIds.includes(table.sectionId) && table.capacity >= people && table.minCapacity <= people,
  ).toSorted((a, b) => a.capacity - b.capacity)
  tablesByParty.set(name, fitting)
  return fitting
}
