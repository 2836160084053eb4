import { valueAt } from '../../../base/json/paths.ts'
import { between } from '../../../sandbox/seed/random.ts'
import { HOUR } from '../../../sandbox/venue/time.ts'
import { instantOf, timeOf } from '../day.ts'
import { jsonObjects, numberAt, readCards, readPages, stringAt } from '../venue-data.ts'
import { planCallers, planWalkIns } from './guests.ts'
import { planCards, planOffice } from './office.ts'
import { expectParty } from './party.ts'
import { formatInstant, SCENES, type Stage, setStatus } from './stage.ts'

/** Reads the venue's data, as staff would in the morning, and plans the whole day. */
export async function planDay(bare: Omit<Stage, 'dessert' | 'cards'>): Promise<void> {
  const { send } = bare
  const statuses = await send('GET', '/Resources/booking-statuses')
  const dessert = jsonObjects(statuses.body).find(({ statusType }) => statusType === 'custom')
  const cards = await readCards(send)
  const customers = await readPages(send, '/Customers')
  const active = cards.filter(({ status }) => status === 'Active').map((card) => stringAt(card, 'cardNumber'))
  const stage: Stage = { ...bare, dessert: dessert ? stringAt(dessert, 'code') : null, cards: active }
  await expectGuests(stage)
  planCallers(stage)
  await planWalkIns(stage)
  planCards(stage, cards)
  planOffice(stage, customers)
}

const EXPECTED: ReadonlySet<unknown> = new Set(['Unconfirmed', 'CONFIRMED'])

/**
 * Plans the day of every party that has a booking. In the morning, marks bookings from last night as finished if they
 * are still marked as seated.
 */
async function expectGuests(stage: Stage): Promise<void> {
  const { send, day, agenda } = stage
  const range = { StartDate: formatInstant(day.starts - 24 * HOUR), EndDate: formatInstant(day.ends) }
  const { body } = await send('GET', '/Bookings', range)
  for (const [at, booking] of jsonObjects(valueAt(body, 'bookings')).entries()) {
    const random = stage.drawFor(SCENES.diary + at)
    const code = valueAt(booking, 'status.code')
    const [bookingId, time] = [stringAt(booking, 'bookingId'), stringAt(booking, 'bookingTime')]
    if (time.startsWith(day.date)) {
      const [duration, people] = [numberAt(booking, 'duration'), numberAt(booking, 'people')]
      const table = stringAt(booking, 'tables.0.tableName')
      const starts = instantOf(day, time)
      if (EXPECTED.has(code)) expectParty(stage, { bookingId, starts, duration, people, table, random })
    } else if (code === 'SEATED') {
      const finished = timeOf(day, between(random, 8.5 * HOUR, 10 * HOUR))
      agenda.plan(finished, () => setStatus(stage, { bookingId }, 'FINISHED'))
    }
  }
}
