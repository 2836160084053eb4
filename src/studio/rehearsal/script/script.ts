import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { between } from '../../../sandbox/seed/random.ts'
import { instantOf, timeOf } from '../day.ts'
import { readPages, recordsIn } from '../truth.ts'
import type { Party } from './acts.ts'
import { openingIn, planCallers, planWalkIns } from './guests.ts'
import { planCards, planOffice } from './office.ts'
import { expectParty } from './party.ts'
import { numberIn, SCENES, type Stage, textIn, wireTime } from './stage.ts'

/** What the staff know before the day begins: the stage without it. */
export type BareStage = Omit<Stage, 'dessert' | 'cards'>

const HOUR = 3_600_000

/** Looks at what the venue has, as its staff do in the morning, and plans the day. */
export async function planDay(bare: BareStage): Promise<void> {
  const { send, day } = bare
  const statuses = await send({ method: 'GET', path: '/Resources/booking-statuses' })
  const list = Array.isArray(statuses.body) ? statuses.body.filter(isJsonObject) : []
  const dessert = list.find(({ statusType }) => statusType === 'custom')
  const all = { IncludeCancelled: 'true', IncludeRedeemed: 'true', IncludeExpired: 'true' }
  const cards = await readPages(send, '/GiftCards', all)
  const customers = await readPages(send, '/Customers', {})
  const active = cards.filter(({ status }) => status === 'Active').map((card) => textIn(card, 'cardNumber'))
  const stage: Stage = { ...bare, dessert: dessert ? textIn(dessert, 'code') : null, cards: active }
  await expectGuests(stage)
  planCallers(stage)
  const schedule = await send({
    method: 'GET',
    path: '/Bookings/schedule',
    query: { BookingDateTimeStart: wireTime(day.starts), NumOfPeople: '2' },
  })
  const opening = openingIn(schedule.body)
  if (opening !== null) planWalkIns(stage, opening)
  planCards(stage, cards)
  planOffice(stage, customers)
}

/** The statuses of guests who are still to come. */
const EXPECTED: ReadonlySet<string> = new Set(['Unconfirmed', 'CONFIRMED'])

/** Plans what becomes of the guests in the diary, and signs off those who seem to sit there since last night. */
async function expectGuests(stage: Stage): Promise<void> {
  const { send, day, agenda } = stage
  const { body } = await send({
    method: 'GET',
    path: '/Bookings',
    query: { StartDate: wireTime(day.starts - 24 * HOUR), EndDate: wireTime(day.ends) },
  })
  for (const [at, booking] of recordsIn(body, 'bookings').entries()) {
    const random = stage.drawFor(SCENES.diary + at)
    const { code } = isJsonObject(booking['status']) ? booking['status'] : {}
    const bookingId = textIn(booking, 'bookingId')
    const isToday = textIn(booking, 'bookingTime').startsWith(day.date)
    if (isToday && EXPECTED.has(String(code))) expectParty(stage, partyOf(stage, booking, random))
    if (isToday || code !== 'SEATED') continue
    agenda.plan(timeOf(day, between(random, 8.5 * HOUR, 10 * HOUR)), async () => {
      await send({ method: 'PATCH', path: `/Bookings/${bookingId}/updatestatus`, body: { status: 'FINISHED' } })
    })
  }
}

function partyOf({ day }: Stage, booking: JsonObject, random: Party['random']): Party {
  const [table] = recordsIn(booking, 'tables')
  return {
    bookingId: textIn(booking, 'bookingId'),
    starts: instantOf(day, textIn(booking, 'bookingTime')),
    duration: numberIn(booking, 'duration'),
    people: numberIn(booking, 'people'),
    table: table ? textIn(table, 'tableName') : '',
    random,
  }
}
