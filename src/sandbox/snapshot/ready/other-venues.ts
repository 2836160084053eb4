import { insertCard, seedCards } from '../../seed/cards.ts'
import { DAY, MINUTE } from '../../venue/time.ts'
import { DEFAULT_VENUE, type Venue } from '../../venue/venue.ts'
import type { BookingPlan, ReadySnapshot, Scene } from './scene.ts'

const PIER = { id: '5f1d7a3e9b2c4d0012ab34d0', name: 'Pier & Vine', currency: 'USD', timezone: 'America/New_York' }

export const otherZoneAndCurrency: ReadySnapshot = {
  name: 'other-zone-and-currency',
  about: 'a venue in New York that takes US dollars, on a Saturday at 18:50, the night before its clocks go back',
  clock: '2026-10-31T22:50:00.000Z',
  venues: [PIER],
  fill: (scene) => {
    seedCards(scene.diary, scene.now)
    const on = '2026-10-31'
    const lunch = bookAndSell(scene, { time: `${on} 12:30`, table: 'T4', people: 4, guest: 0, service: 'lunch' })
    bookAndSell(scene, { time: `${on} 13:00`, table: 'P1', people: 2, guest: 3, service: 'lunch' })
    scene.book({ time: `${on} 17:30`, table: 'T5', people: 4, guest: 4, status: 'SEATED' })
    scene.book({ time: `${on} 18:00`, table: 'P2', people: 2, status: 'SEATED', method: 'walkin' })
    scene.book({ time: `${on} 18:30`, table: 'T1', people: 2, guest: 17, status: 'ARRIVED' })
    const deposit = { due: 0, paid: 20_000 }
    scene.book({ time: `${on} 19:30`, table: 'T9', people: 8, guest: 21, status: 'CONFIRMED', deposit })
    scene.book({ time: `${on} 20:30`, table: 'T6', people: 3, guest: 12, status: 'CANCELLED' })
    scene.book({ time: `${on} 21:30`, table: 'P3', people: 4, guest: 23, status: 'Unconfirmed' })
    const late = { people: 2, service: null, status: 'CONFIRMED', method: 'phone', duration: 30 }
    scene.book({ ...late, time: '2026-11-01 01:15', table: 'T2', guest: 5, notes: 'The first 01:15' })
    scene.book({ ...late, time: '2026-11-01 01:15', table: 'T2', guest: 6, notes: 'The second 01:15', isSecond: true })
    scene.book({ time: '2026-11-01 10:00', table: 'T7', people: 4, guest: 8, status: 'CONFIRMED', service: 'brunch' })
    const opened = scene.instantAt(`${on} 15:20`)
    const refunded = { type: 'REFUND', originalSaleId: 'S-1001', items: [['Key lime pie', 1, 1_195]] } as const
    scene.sell({ ...refunded, id: 'R-1001', booking: lunch, opened, closed: opened })
    scene.sell({ id: 'BAR-1', opened, closed: opened + 25 * MINUTE, items: [['Egg cream', 2, 795]], table: 'B4' })
  },
}

const NORTH: Venue = { ...DEFAULT_VENUE, id: '5f1d7a3e9b2c4d0012ab34d1', name: 'Harbour & Vine North' }

export const twoVenues: ReadySnapshot = {
  name: 'two-venues',
  about: 'two venues linked to one app, with bookings at the same tables and times, and gift cards from both',
  clock: '2026-12-18T08:40:00.000Z',
  venues: [DEFAULT_VENUE, NORTH],
  fill: (scene) => {
    seedCards(scene.diary, scene.now)
    const on = '2026-12-18'
    const deposit = { due: 15_000, paid: 5_000 }
    const evening: readonly BookingPlan[] = [
      { time: `${on} 18:30`, table: 'T4', people: 4, guest: 0, status: 'SEATED' },
      { time: `${on} 19:00`, table: 'T1', people: 2, guest: 2, status: 'SEATED' },
      { time: `${on} 19:30`, table: 'T9', people: 8, guest: 3, status: 'ARRIVED', deposit },
      { time: `${on} 20:00`, table: 'T5', people: 3, guest: 5, status: 'CONFIRMED' },
      { time: `${on} 20:30`, table: 'P1', people: 2, guest: 6, status: 'CANCELLED' },
      { time: `${on} 21:00`, table: 'P3', people: 4, guest: 8, status: 'Unconfirmed' },
    ]
    const lunch = { time: `${on} 12:30`, table: 'T6', people: 4, service: 'lunch' } as const
    for (const [at, { id }] of [DEFAULT_VENUE, NORTH].entries()) {
      bookAndSell(scene, { ...lunch, guest: at * 10 + 1, locationId: id })
      for (const plan of evening) scene.book({ ...plan, guest: (plan.guest ?? 0) + at * 10, locationId: id })
    }
    addNorthernCards(scene)
  },
}

function bookAndSell(scene: Scene, plan: Omit<BookingPlan, 'status'>) {
  const booking = scene.book({ ...plan, status: 'FINISHED' })
  const opened = scene.instantAt(plan.time)
  const items = [['Gnocchi al pesto', plan.people, 3_150] as const, ['Key lime pie', 1, 1_195] as const]
  scene.sell({ booking, opened, closed: opened + (booking.duration - 10) * MINUTE, items })
  return booking
}

function addNorthernCards({ diary, now }: Scene): void {
  const cards = [
    ['NORTH-00010000-AAAA', 'Active', 10_000],
    ['NORTH-00000000-RRRR', 'Redeemed', 0],
  ] as const
  const isla = { purchaserFirstName: 'Isla', purchaserLastName: 'Thompson', purchaserEmail: 'isla@example.com' }
  const lasting = { amountCents: 10_000, location: NORTH.id, issued: now - 20 * DAY, expires: now + 1000 * DAY }
  for (const [number, status, remainingCents] of cards)
    insertCard(diary, { ...lasting, number, status, remainingCents }, isla)
}
