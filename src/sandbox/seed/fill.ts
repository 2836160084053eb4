import type { WebhookEvent } from '../../contract/events.ts'
import { queueEvent } from '../deliveries/queue.ts'
import type { NewBooking } from '../records/booking.ts'
import { changeBooking, insertBooking, readBooking } from '../records/bookings.ts'
import { findCustomer, putCustomer, WALK_IN_CUSTOMER } from '../records/customers.ts'
import { asDiary, type Diary } from '../store/diary.ts'
import { IS_LINKED_SQL, type Store } from '../store/store.ts'
import { DAY, dayOf, HOUR } from '../venue/time.ts'
import { OTHER_VENUE_ID, REMOVED_LOCATION_ID, STATUSES, type Status } from '../venue/venue.ts'
import { seedCards } from './cards.ts'
import { seedDay } from './diary.ts'
import { type DiaryState, readDiary, storeDiary } from './diary-state.ts'
import { FIXED_BOOKINGS, firstCustomer, fixedBookings, heldTables, statusTime } from './fixed.ts'
import { chooseStatus, luckOf } from './luck.ts'
import { customerIdAt, diaryIds, FIRST_NUMBER } from './numbers.ts'
import { drawCustomer, hasOrdinaryName } from './people.ts'
import { mixSeeds, randomFrom } from './random.ts'
import { seedSale } from './sales.ts'

/** The diary has bookings for this many days before and after today. */
const SPAN_DAYS = 42
const CUSTOMERS = 240
/** For this many days, beginning today, all guests have ordinary names. New users look at these days first. */
const ORDINARY_DAYS = 7

export const DEFAULT_SEED = 1

/** The value of `toppedUp` if the diary has never been updated. */
const NEVER = -1

/**
 * The IDs of bookings at locations that are not linked to the app. Requests for them receive the documented "not
 * found" responses that name a location. Source: "GET /Bookings/{id}".
 */
export const OTHER_LOCATION_BOOKINGS = { lostLocation: 'BK-LOST', unsubscribedLocation: 'BK-OTHER' } as const

/**
 * Adds a new venue's data, in the transaction that creates the tables. If `diary` is `later`, leaves the slow
 * generation of the diary to {@link topUp}.
 */
export function seedVenue(store: Store, seed: number, now: number, diary: 'full' | 'later'): void {
  seedCards(store, now)
  seedOtherLocations(asDiary(store), now)
  storeDiary(store, { seed, days: [], toppedUp: NEVER })
  if (diary === 'full') topUp(store, now)
}

export function readSeed(store: Store): number {
  return readDiary(store).seed
}

/**
 * Updates the diary, unless it was already updated today. Generates bookings for missing days around today, unless the
 * diary comes from a snapshot. Updates the status of past bookings, except those that users have changed. Queues an
 * event for each booking that is added or changed, unless the venue is new.
 */
export function topUp(store: Store, now: number): void {
  const today = dayOf(store.zone.toLocal(now))
  if (isUpToDate(readDiary(store), today)) return
  store.transaction(() => {
    const kept = readDiary(store)
    if (isUpToDate(kept, today)) return
    const diary = asDiary(store)
    const changedFrom = firstUnseen(kept, now)
    const announce = (event: WebhookEvent, ids: readonly string[]) => {
      if (kept.toppedUp !== NEVER) for (const id of ids) queueEvent(store, event, id, now)
    }
    if (kept.given) {
      announce('BOOKING_UPDATED', updatePastBookings(diary, now, changedFrom))
      return storeDiary(store, { ...kept, toppedUp: today })
    }
    const { seed, next } = kept
    const customerIds = Array.from({ length: CUSTOMERS }, (_none, at) => customerIdAt(at))
    const fixed = next ? [] : seedFixed(diary, seed, customerIds, now)
    const ids = diaryIds(store, next ?? { booking: FIRST_NUMBER + fixed.length, sale: FIRST_NUMBER + 1 })
    const ordinary = customerIds.filter((id) => hasOrdinaryName(findCustomer(diary, id) ?? WALK_IN_CUSTOMER))
    const known = new Set(kept.days)
    for (const day of daysAround(today)) {
      if (known.has(day)) continue
      const guests = day >= today && day < today + ORDINARY_DAYS ? ordinary : customerIds
      const plan = { seed, now, changedFrom, customerIds: guests, ids, fixed: heldTables(fixed, day, today) }
      announce('BOOKING_CREATED', seedDay(diary, day, plan))
      known.add(day)
    }
    announce('BOOKING_UPDATED', updatePastBookings(diary, now, changedFrom))
    storeDiary(store, { seed, days: [...known], toppedUp: today, next: ids.next() })
  })
}

/**
 * Whether the diary was updated today. Returns false for data from earlier versions, which did not store the next
 * booking and sale numbers.
 */
function isUpToDate({ toppedUp, next, given }: DiaryState, today: number): boolean {
  return toppedUp === today && (next !== undefined || given === true)
}

/**
 * Returns the earliest `bookedAt` and `lastModifiedDate` that a diary update may assign. The first update has no limit.
 * Later updates assign `now` or later, so that clients that poll for changes miss nothing.
 */
function firstUnseen({ toppedUp }: DiaryState, now: number): number {
  return toppedUp === NEVER ? Number.NEGATIVE_INFINITY : now
}

/** Lists the days to generate. Today comes first, so that the bookings that users see first have the lowest numbers. */
function daysAround(today: number): number[] {
  const ahead = Array.from({ length: SPAN_DAYS + 1 }, (_none, days) => today + days)
  return [...ahead, ...Array.from({ length: SPAN_DAYS }, (_none, days) => today - 1 - days)]
}

/**
 * Updates the status of past bookings, except those that users have changed. Returns the IDs of the updated bookings.
 */
function updatePastBookings(diary: Diary, now: number, changedFrom: number): string[] {
  const updated: string[] = []
  const rows = diary.all(
    `SELECT * FROM bookings WHERE ${IS_LINKED_SQL} AND starts < ? AND untouched = 1
       AND status NOT IN ('FINISHED', 'NOSHOW', 'CANCELLED')`,
    ...[diary.linkedLocations, now],
  )
  for (const row of rows) {
    const booking = readBooking(row)
    const { bookingId: id, duration, people } = booking.document
    const luck = luckOf({ id, starts: booking.starts, duration, people, customerId: booking.customerId })
    const status = chooseStatus(luck, booking.starts, Number(row['ends']), statusTime(id, now, diary.zone))
    if (status.code === row['status']) continue
    const modified = Math.max(changedFrom, Math.min(now, Number(row['ends'])))
    changeBooking(diary, booking, { status: status.code }, modified)
    diary.run('UPDATE bookings SET untouched = 1 WHERE id = ?', id)
    updated.push(id)
  }
  return updated
}

function seedFixed(diary: Diary, seed: number, customerIds: readonly string[], now: number): NewBooking[] {
  putCustomer(diary, { ...WALK_IN_CUSTOMER, lastModifiedDate: new Date(now).toISOString() })
  for (const [at, id] of customerIds.entries())
    putCustomer(
      diary,
      at === 0 ? firstCustomer(now) : drawCustomer(randomFrom(mixSeeds(seed, -2 - at)), id, now - at * 7 * HOUR),
    )
  const bookings = fixedBookings(now, diary)
  for (const booking of bookings) {
    const document = insertBooking(diary, booking)
    if (booking.id === FIXED_BOOKINGS.finished) seedSale(diary, document, `S-${FIRST_NUMBER}`, booking.starts, 0)
  }
  return bookings
}

/** Stores the {@link OTHER_LOCATION_BOOKINGS}. `now` is in milliseconds since 1970. */
export function seedOtherLocations(diary: Diary, now: number): void {
  const times = { local: diary.zone.toLocal(now) + DAY, bookedAt: now - DAY, modified: now - DAY, duration: 90 }
  const guests = { method: 'online', people: 2, status: STATUSES[1] as Status, customerId: null, notes: null }
  const lasting = { ...times, ...guests, service: null, tableIds: [] }
  insertBooking(diary, { ...lasting, id: OTHER_LOCATION_BOOKINGS.lostLocation, locationId: REMOVED_LOCATION_ID })
  insertBooking(diary, { ...lasting, id: OTHER_LOCATION_BOOKINGS.unsubscribedLocation, locationId: OTHER_VENUE_ID })
}
