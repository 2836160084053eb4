import { Failure } from '../../base/failure/failure.ts'
import { GIFT_CARD_FORMATS, GIFT_CARD_PAYMENT_TYPES, type GiftCardStatus } from '../../contract/giftcards.ts'
import { queueEvent } from '../deliveries/queue.ts'
import { putCustomer } from '../records/customers.ts'
import type { SandboxState } from '../state.ts'
import type { Diary } from '../store/diary.ts'
import type { Store } from '../store/store.ts'
import { DAY, dayOf, HOUR } from '../venue/time.ts'
import { SERVICES } from '../venue/venue.ts'
import { experienceOf, insertCard } from './cards.ts'
import { DayPlan, type DaySeed, drawBooking, storeBooking } from './diary.ts'
import { largeId } from './numbers.ts'
import { drawCustomer } from './people.ts'
import { between, drawBoolean, hex, mixSeeds, pick, type Random, randomFrom } from './random.ts'

export type LargeSeedResult = Readonly<Record<'bookings' | 'customers' | 'giftcards', number>>

/**
 * The number of records to add, by kind, and the period for the bookings. `from` and `to` are in milliseconds since
 * 1970.
 */
export interface LargeSeed extends Partial<Record<keyof LargeSeedResult, number | undefined>> {
  /** The first day with added bookings. The default is two years ago. */
  readonly from?: number | undefined
  /** The last day with added bookings. The default is three months from now. */
  readonly to?: number | undefined
  readonly seed?: number | undefined
  readonly onProgress?: ((written: number, of: number) => void) | undefined
  /** A signal that stops the run after the current batch. */
  readonly signal?: AbortSignal | undefined
}

/** The number of records per transaction. If a run is interrupted, the store contains only complete batches. */
const BATCH = 1000
const MAX_RECORDS = 5_000_000

/**
 * Adds many bookings, customers and gift cards. The same seed and numbers produce the same records, so repeating a run
 * changes nothing. The sandbox can respond to requests between batches. Queues a GIFTCARDS_CREATED event for each new
 * card. Throws USAGE if a number is out of range.
 */
export async function seedInBulk(state: SandboxState, large: LargeSeed): Promise<LargeSeedResult> {
  const now = state.settings().clock.now()
  const seed = large.seed ?? 1
  const counts = { bookings: large.bookings ?? 0, customers: large.customers ?? 0, giftcards: large.giftcards ?? 0 }
  const firstDay = dayOf(state.store.zone.toLocal(large.from ?? now - 730 * DAY))
  const lastDay = dayOf(state.store.zone.toLocal(large.to ?? now + 90 * DAY))
  validateCounts(counts, firstDay, lastDay)
  const diary = state.diary()
  const total = counts.bookings + counts.customers + counts.giftcards
  let written = 0
  const inBatches = async (count: number, write: (at: number) => void) => {
    for (let start = 0; start < count; start += BATCH) {
      const end = Math.min(start + BATCH, count)
      diary.transaction(() => {
        for (let at = start; at < end; at++) write(at)
      })
      written += end - start
      large.onProgress?.(written, total)
      await new Promise((resolve) => setImmediate(resolve))
      large.signal?.throwIfAborted()
    }
  }
  const ids = Array.from({ length: counts.customers }, (_none, at) => largeId('C', seed, at))
  await inBatches(counts.customers, (at) => {
    const random = randomFrom(mixSeeds(seed, 8_000_000 + at))
    putCustomer(diary, drawCustomer(random, ids[at] ?? '', now - between(random, 0, 700 * 24) * HOUR))
  })
  await inBatches(counts.giftcards, (at) => storeCard(diary, randomFrom(mixSeeds(seed, 9_000_000 + at)), now))
  const customerIds = chooseCustomerIds(diary, ids)
  await storeBookings(diary, { seed, count: counts.bookings, firstDay, lastDay, now, customerIds }, inBatches)
  return counts
}

function validateCounts(counts: LargeSeedResult, firstDay: number, lastDay: number): void {
  const problems = Object.entries(counts).flatMap(([name, count]) =>
    Number.isInteger(count) && count >= 0 && count <= MAX_RECORDS
      ? []
      : [`${name} must be a whole number from 0 to ${MAX_RECORDS}`],
  )
  if (lastDay < firstDay) problems.push('the last day is before the first day')
  if (problems.length > 0) throw new Failure('USAGE', problems.join('; '), { details: { problems } })
}

function chooseCustomerIds(diary: Diary, ids: readonly string[]): readonly string[] {
  if (ids.length > 0) return ids
  return diary.all('SELECT id FROM customers ORDER BY rank LIMIT 1000').map((row) => String(row['id']))
}

type BookingSeed = Pick<DaySeed, 'seed' | 'now' | 'customerIds'> &
  Readonly<Record<'count' | 'firstDay' | 'lastDay', number>>

/** Spreads bookings evenly over the days. If no table is free for a booking, stores it without a table. */
async function storeBookings(
  diary: Diary,
  { seed, count, firstDay, lastDay, now, customerIds }: BookingSeed,
  inBatches: (count: number, write: (at: number) => void) => Promise<void>,
): Promise<void> {
  const days = lastDay - firstDay + 1
  let plan = new DayPlan()
  let day = -1
  await inBatches(count, (at) => {
    const before = day
    day = firstDay + Math.floor((at * days) / count)
    if (day !== before) plan = new DayPlan()
    const random = randomFrom(mixSeeds(seed, 10_000_000 + at))
    const weekday = new Date(day * DAY).getUTCDay()
    const services = SERVICES.filter((service) => service.weekdays.includes(weekday))
    const service = services[Math.floor(random() * services.length)] ?? services[0]
    const ids = { booking: () => largeId('BK', seed, at), sale: () => largeId('S', seed, at) }
    if (service)
      storeBooking(diary, plan, drawBooking(random, service, day, now, customerIds, diary), 'store-without-table', ids)
  })
}

/** The statuses of generated gift cards. A status that is listed more often is more likely. */
const STATUS_NAMES = 'Active Active Active Redeemed Redeemed Cancelled AwaitingPayment PendingPostage'
const STATUSES = STATUS_NAMES.split(' ') as GiftCardStatus[]

function storeCard(store: Store, random: Random, now: number): void {
  const number = `${hex(random, 5)}-${hex(random, 8)}-${hex(random, 4)}`.toUpperCase()
  const status = pick(random, STATUSES)
  const amountCents = between(random, 10, 500) * 100
  const remainingCents =
    status === 'Redeemed' ? 0 : drawBoolean(random, 0.5) ? amountCents : between(random, 1, amountCents)
  const cardFormat = pick(random, GIFT_CARD_FORMATS)
  const issued = now - between(random, 0, 900 * 24) * HOUR
  const { firstName, lastName, email } = drawCustomer(random, '', issued)
  const expires = issued + 3 * 365 * DAY
  const paymentType = pick(random, GIFT_CARD_PAYMENT_TYPES)
  const purchaser = {
    purchaserFirstName: firstName ?? '',
    purchaserLastName: lastName ?? '',
    purchaserEmail: email ?? '',
  }
  const details = { paymentType, cardFormat, ...experienceOf(cardFormat, 'Chef’s Table'), ...purchaser }
  const isNew = insertCard(store, { number, status, amountCents, remainingCents, issued, expires }, details)
  if (isNew) queueEvent(store, 'GIFTCARDS_CREATED', number, now)
}
