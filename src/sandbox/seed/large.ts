import { Failure } from '../../failure/failure.ts'
import { putCustomer } from '../records/customers.ts'
import type { SandboxState } from '../state.ts'
import type { Diary } from '../store/diary.ts'
import type { Store } from '../store/store.ts'
import { DAY, dayOf, HOUR, toLocal } from '../venue/time.ts'
import { SERVICES, VENUE } from '../venue/venue.ts'
import { insertCard } from './cards.ts'
import { DayPlan, drawBooking, writeBooking } from './diary.ts'
import { customerFrom } from './people.ts'
import { between, chance, hex, mixSeeds, pick, type Random, randomFrom, wordsIn } from './random.ts'

/** What to add to a venue. Instants in milliseconds since 1970. */
export interface LargeSeed {
  readonly bookings?: number | undefined
  readonly customers?: number | undefined
  readonly giftcards?: number | undefined
  /** The first and the last day of the bookings; by default two years back and a quarter ahead. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly seed?: number | undefined
  /** Called after each batch with the number of rows written so far. */
  readonly onProgress?: ((written: number, of: number) => void) | undefined
  /** Ends the work between two batches. */
  readonly signal?: AbortSignal | undefined
}

/** What was written. */
export interface LargeSeedResult {
  readonly bookings: number
  readonly customers: number
  readonly giftcards: number
}

/** How many rows are written in one transaction; a run that is stopped leaves whole batches. */
const BATCH = 5000
/** The most rows of one kind. */
const MOST = 5_000_000

/**
 * Adds a great many bookings, customers and gift cards to a sandbox. The same seed and numbers give the same rows, so doing it
 * twice changes nothing. Requests get their turn between two batches. Fails: USAGE for numbers that make no sense.
 */
export async function seedLargely(state: SandboxState, large: LargeSeed): Promise<LargeSeedResult> {
  const now = state.settings().clock.now()
  const seed = large.seed ?? 1
  const counts = { bookings: large.bookings ?? 0, customers: large.customers ?? 0, giftcards: large.giftcards ?? 0 }
  const firstDay = dayOf(toLocal(large.from ?? now - 730 * DAY))
  const lastDay = dayOf(toLocal(large.to ?? now + 90 * DAY))
  check(counts, firstDay, lastDay)
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
  const ids = Array.from({ length: counts.customers }, (_none, at) =>
    hex(randomFrom(mixSeeds(seed, 7_000_000 + at)), 24),
  )
  await inBatches(counts.customers, (at) => {
    const random = randomFrom(mixSeeds(seed, 8_000_000 + at))
    putCustomer(diary, customerFrom(random, ids[at] ?? '', now - between(random, 0, 700 * 24) * HOUR))
  })
  await inBatches(counts.giftcards, (at) => writeCard(diary, randomFrom(mixSeeds(seed, 9_000_000 + at)), now))
  await writeBookings(
    diary,
    { seed, count: counts.bookings, firstDay, lastDay, now, customerIds: someCustomers(diary, ids) },
    inBatches,
  )
  return counts
}

function check(counts: LargeSeedResult, firstDay: number, lastDay: number): void {
  const problems = Object.entries(counts).flatMap(([name, count]) =>
    Number.isInteger(count) && count >= 0 && count <= MOST ? [] : [`${name} must be a whole number from 0 to ${MOST}`],
  )
  if (lastDay < firstDay) problems.push('the last day lies before the first')
  if (problems.length > 0) throw new Failure('USAGE', problems.join('; '), { details: { problems } })
}

function someCustomers(diary: Diary, ids: readonly string[]): readonly string[] {
  if (ids.length > 0) return ids
  return diary.all('SELECT id FROM customers ORDER BY rank LIMIT 1000').map((row) => String(row['id']))
}

interface Stretch {
  readonly seed: number
  readonly count: number
  readonly firstDay: number
  readonly lastDay: number
  readonly now: number
  readonly customerIds: readonly string[]
}

/** Spreads the bookings evenly over the days. Once the tables of a day are full, its bookings have none. */
async function writeBookings(
  diary: Diary,
  { seed, count, firstDay, lastDay, now, customerIds }: Stretch,
  inBatches: (count: number, write: (at: number) => void) => Promise<void>,
): Promise<void> {
  const days = lastDay - firstDay + 1
  let plan = new DayPlan()
  let day = -1
  await inBatches(count, (at) => {
    const ofThis = firstDay + Math.floor((at * days) / count)
    if (ofThis !== day) {
      day = ofThis
      plan = new DayPlan()
    }
    const random = randomFrom(mixSeeds(seed, 10_000_000 + at))
    const weekday = new Date(day * DAY).getUTCDay()
    const services = SERVICES.filter((service) => service.weekdays.includes(weekday))
    const service = services[Math.floor(random() * services.length)] ?? services[0]
    if (service) writeBooking(diary, plan, drawBooking(random, service, day, now, customerIds), 'anyway')
  })
}

const USUAL_STATES = ['Active', 'Active', 'Active', 'Redeemed', 'Redeemed'] as const
const STATES = [...USUAL_STATES, 'Cancelled', 'AwaitingPayment', 'PendingPostage'] as const
const FORMATS = wordsIn('EGiftCard PhysicalCard ExperienceGiftCard LSEGiftCard LSExperienceGiftCard')

function writeCard(store: Store, random: Random, now: number): void {
  const number = `${hex(random, 5)}-${hex(random, 8)}-${hex(random, 4)}`.toUpperCase()
  const status = pick(random, STATES)
  const amountCents = between(random, 10, 500) * 100
  const remainingCents = status === 'Redeemed' ? 0 : chance(random, 0.5) ? amountCents : between(random, 1, amountCents)
  const cardFormat = pick(random, FORMATS)
  const issued = now - between(random, 0, 900 * 24) * HOUR
  const { firstName, lastName, email } = customerFrom(random, '', issued)
  const experience = cardFormat.includes('Experience')
  insertCard(
    store,
    {
      number,
      status,
      amountCents,
      remainingCents,
      location: VENUE.id,
      issued,
      expires: issued + 3 * 365 * DAY,
      sku: `SKU-${cardFormat}`,
    },
    {
      paymentType: pick(random, ['InHouse', 'Online', 'Complimentary']),
      cardFormat,
      experienceCardName: experience ? 'Seven Courses for Two' : null,
      experienceCardDetails: experience ? 'Chef’s Table' : null,
      purchaserFirstName: firstName,
      purchaserLastName: lastName,
      purchaserEmail: email,
      recipientFirstName: null,
      recipientLastName: null,
      recipientEmail: null,
    },
  )
}
