import { changeBooking, insertBooking, readBooking } from '../records/bookings.ts'
import { putCustomer, WALK_IN_CUSTOMER } from '../records/customers.ts'
import { asDiary, type Diary } from '../store/diary.ts'
import type { Store } from '../store/store.ts'
import { DAY, dayOf, HOUR, toLocal } from '../venue/time.ts'
import { LOST_LOCATION_ID, OTHER_VENUE_ID, STATUSES, type Status, VENUE } from '../venue/venue.ts'
import { seedCards } from './cards.ts'
import { chooseStatus, seedDay } from './diary.ts'
import { drawCustomer } from './people.ts'
import { hex, mixSeeds, randomFrom } from './random.ts'

/** How many days of the diary are full, before today and after it. */
const SPAN_DAYS = 42
const CUSTOMERS = 240

/** What a venue is drawn from unless another seed is given. */
export const USUAL_SEED = 1

/** In place of the day of the last top-up before the first one: there are no bookings yet, and no customers. */
const NEVER = -1

/** Bookings of other locations: one for each "not found" that speaks of the location. Source: "GET /Bookings/{id}". */
export const ELSEWHERE_BOOKINGS = {
  lostLocation: '5f1d7a3e0000000000000404',
  unsubscribedLocation: '5f1d7a3e0000000000000405',
} as const

/** How far the diary is made: its seed, its days, and the day of the last top-up. Days since 1970. */
interface DiaryState {
  readonly seed: number
  readonly days: readonly number[]
  readonly toppedUp: number
}

/**
 * Fills an empty store with the venue; call it in the transaction that makes the tables. The diary and its customers, which are
 * most of the work, can be left to the first `topUp`.
 */
export function seedVenue(store: Store, seed: number, now: number, diary: 'full' | 'later'): void {
  seedCards(store, now)
  seedElsewhere(asDiary(store), now)
  keepDiary(store, { seed, days: [], toppedUp: NEVER })
  if (diary === 'full') topUp(store, now)
}

/** Reads what a venue was drawn from. */
export function readSeed(store: Store): number {
  return readDiary(store).seed
}

/**
 * Brings the diary up to the present: makes the days that are missing around it, and moves past bookings on. Bookings that
 * somebody changed stay as they are. It does nothing the second time on the same day.
 */
export function topUp(store: Store, now: number): void {
  const today = dayOf(toLocal(now))
  if (readDiary(store).toppedUp === today) return
  store.transaction(() => {
    const kept = readDiary(store)
    if (kept.toppedUp === today) return
    const diary = asDiary(store)
    const ids = customerIds(kept.seed)
    if (kept.toppedUp === NEVER) seedCustomers(diary, kept.seed, ids, now)
    const known = new Set(kept.days)
    for (let day = today - SPAN_DAYS; day <= today + SPAN_DAYS; day++) {
      if (!known.has(day)) seedDay(diary, kept.seed, day, now, ids)
      known.add(day)
    }
    settle(diary, now)
    keepDiary(store, { seed: kept.seed, days: [...known], toppedUp: today })
  })
}

/** Moves past bookings on that nobody has changed: their guests have come and gone. */
function settle(diary: Diary, now: number): void {
  const rows = diary.all(
    "SELECT * FROM bookings WHERE location = ? AND starts < ? AND untouched = 1 AND status NOT IN ('FINISHED', 'NOSHOW', 'CANCELLED')",
    VENUE.id,
    now,
  )
  for (const row of rows) {
    const status = chooseStatus(String(row['id']), Number(row['starts']), Number(row['ends']), now)
    if (status.code === row['status']) continue
    changeBooking(diary, readBooking(row), { status: status.code }, Math.min(now, Number(row['ends'])))
    diary.run('UPDATE bookings SET untouched = 1 WHERE id = ?', String(row['id']))
  }
}

function seedCustomers(diary: Diary, seed: number, ids: readonly string[], now: number): void {
  putCustomer(diary, { ...WALK_IN_CUSTOMER, lastModifiedDate: new Date(now).toISOString() })
  for (const [at, id] of ids.entries())
    putCustomer(diary, drawCustomer(randomFrom(mixSeeds(seed, -2 - at)), id, now - at * 7 * HOUR))
}

function customerIds(seed: number): string[] {
  const random = randomFrom(mixSeeds(seed, -1))
  return Array.from({ length: CUSTOMERS }, () => hex(random, 24))
}

function seedElsewhere(diary: Diary, now: number): void {
  const lasting = {
    method: 'online',
    local: toLocal(now) + DAY,
    bookedAt: now - DAY,
    modified: now - DAY,
    duration: 90,
    people: 2,
    service: null,
    status: STATUSES[1] as Status,
    tableIds: [],
    customerId: null,
    notes: null,
  }
  insertBooking(diary, { ...lasting, id: ELSEWHERE_BOOKINGS.lostLocation, locationId: LOST_LOCATION_ID })
  insertBooking(diary, { ...lasting, id: ELSEWHERE_BOOKINGS.unsubscribedLocation, locationId: OTHER_VENUE_ID })
}

function readDiary(store: Store): DiaryState {
  const kept = store.get("SELECT value FROM meta WHERE name = 'diary'")?.['value']
  return JSON.parse(String(kept)) as DiaryState
}

function keepDiary(store: Store, diary: DiaryState): void {
  store.run("INSERT OR REPLACE INTO meta VALUES ('diary', ?)", JSON.stringify(diary))
}
