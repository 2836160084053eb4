import { listUnlinkedSales } from '../../records/sales.ts'
import { insertCard, seedCards } from '../../seed/cards.ts'
import { DAY, HOUR, MINUTE } from '../../venue/time.ts'
import type { ReadySnapshot, Scene } from './scene.ts'

const LAST_DAY = 30

export const monthEnd: ReadySnapshot = {
  name: 'month-end',
  about: 'the last evening of November at 23:20: a month of sales, refunds, voids, redeemed cards and unlinked sales',
  clock: '2026-11-30T12:20:00.000Z',
  fill: (scene) => {
    seedCards(scene.diary, scene.now)
    listUnlinkedSales(scene.diary)
    for (let day = 1; day <= LAST_DAY; day++) sellOnDay(scene, day)
    addSpecialSales(scene)
    redeemCards(scene)
  },
}

function timeOn(day: number, clock: string): string {
  return `2026-11-${String(day).padStart(2, '0')} ${clock}`
}

/** Adds a lunch and a dinner, and their sales. Amounts and tables depend only on the day. */
function sellOnDay(scene: Scene, day: number): void {
  const lunch = { time: timeOn(day, '12:30'), table: `T${4 + (day % 4)}`, people: 2 + (day % 3), service: 'lunch' }
  const dinner = { time: timeOn(day, '19:00'), table: `P${3 + (day % 3)}`, people: 1 + (day % 4), service: 'dinner' }
  for (const [at, plan] of [lunch, dinner].entries()) {
    const booking = scene.book({ ...plan, status: 'FINISHED', guest: (day * 2 + at) % 26 })
    const opened = scene.instantAt(plan.time)
    const discountCents = day % 10 === 0 ? 500 : 0
    const closed = opened + (booking.duration - 10) * MINUTE
    const fish = ['Barramundi, finger lime', plan.people, 4_200] as const
    const items = [fish, ['House rosé', 1 + (day % 2), 1_450 + day] as const]
    scene.sell({ booking, opened, closed, items, method: day % 5 === 0 ? 'CASH' : 'CARD', discountCents })
  }
}

/**
 * Adds sales that careless bookkeeping gets wrong: refunds, voids, sales without a booking, and sales received just
 * within or just outside the 24 hours during which the service rejects duplicates.
 */
function addSpecialSales(scene: Scene): void {
  const at = (day: number, clock: string) => scene.instantAt(timeOn(day, clock))
  const coffee = [['Flat white', 2, 550]] as const
  const sell = (id: string, day: number, clock: string, more: Partial<Parameters<Scene['sell']>[0]> = {}) =>
    scene.sell({ id, opened: at(day, clock) - 20 * MINUTE, closed: at(day, clock), items: coffee, ...more })
  for (const [day, first] of [
    [3, 'S-1006'],
    [12, 'S-1023'],
    [21, 'S-1042'],
  ] as const) {
    const items = [['Barramundi, finger lime', 1, 4_200]] as const
    sell(`R-${first}`, day, '22:05', { type: 'REFUND', originalSaleId: first, items })
  }
  sell('V-1', 8, '14:10', { type: 'VOID', table: 'B2' })
  sell('V-2', 26, '20:40', { type: 'VOID', originalSaleId: 'S-1052' })
  for (const [number, day] of [2, 9, 16, 23, 30].entries()) sell(`BAR-${number + 1}`, day, '16:45', { table: 'B4' })
  sell('BAR-GIFT', 17, '18:00', { method: 'GIFTCARD', items: [['Wagyu 和牛 9+', 1, 4_975]] })
  // This sale was opened in October and closed in November.
  scene.sell({ id: 'OVER-MIDNIGHT', opened: at(1, '00:10') - HOUR, closed: at(1, '00:10'), items: coffee, table: 'B1' })
  // The service rejects a sale ID as a duplicate for 24 hours after it first received that ID.
  sell('STILL-REFUSED', 29, '23:20', { received: scene.now - 24 * HOUR + 10 * MINUTE })
  sell('FREE-AGAIN', 29, '23:00', { received: scene.now - 24 * HOUR - 10 * MINUTE })
  sell('JUST-NOW', LAST_DAY, '23:15')
  // This sale was submitted days after it was closed.
  sell('SENT-LATE', 24, '21:30', { received: scene.now - HOUR })
}

/** Adds cards with unusual redemptions: in parts, down to the last cent, and at the very start and end of the month. */
function redeemCards(scene: Scene): void {
  const redeem = (number: string, amountCents: number, parts: readonly (readonly [time: string, cents: number])[]) => {
    const remainingCents = parts.reduce((left, [, cents]) => left - cents, amountCents)
    const issued = scene.instantAt('2026-10-05 10:00')
    const card = { number, amountCents, remainingCents, status: remainingCents === 0 ? 'Redeemed' : 'Active' } as const
    insertCard(scene.diary, { ...card, issued, expires: issued + 1095 * DAY })
    for (const [time, cents] of parts)
      scene.diary.insert('redemptions', { card: number, cents, at: scene.instantAt(time), notes: 'month end' })
  }
  redeem('MONTH-00000001-PART', 10_000, [
    ['2026-11-02 13:40', 2_550],
    ['2026-11-17 18:00', 4_975],
  ])
  redeem('MONTH-00000002-CENT', 5_000, [['2026-11-14 21:05', 4_999]])
  redeem('MONTH-00000003-FULL', 7_500, [
    ['2026-11-01 00:01', 5_000],
    ['2026-11-30 23:18', 2_500],
  ])
}
