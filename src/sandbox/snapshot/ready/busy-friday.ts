import { seedCards } from '../../seed/cards.ts'
import { seedOtherLocations } from '../../seed/fill.ts'
import { MINUTE } from '../../venue/time.ts'
import type { BookingPlan, ReadySnapshot, Scene } from './scene.ts'

const DESSERT = '6152c0ffee_dessert'
const DAY = '2026-12-18'

/** A booking as a tuple. `guest` is an index; walk-ins do not have one. */
type ShortBooking = readonly [...ShortParty, guest?: number | undefined, more?: Partial<BookingPlan>]
type ShortParty = readonly [time: string, table: string, people: number, status: string]

const LUNCH: readonly ShortBooking[] = [
  ['12:00', 'T1', 2, 'FINISHED', 0],
  ['12:00', 'T4', 4, 'FINISHED', 1, { notes: 'عيد ميلاد سعيد — كعكة عند الواحدة' }],
  ['12:15', 'T5', 3, 'FINISHED', 2, { method: 'phone' }],
  ['12:30', 'P1', 2, 'NOSHOW', 3],
  ['12:30', 'P3', 4, 'FINISHED', 4, { notes: 'שולחן שקט בבקשה' }],
  ['12:45', 'T8', 6, 'FINISHED', 5, { method: 'pos' }],
  ['13:00', 'T6', 4, 'CANCELLED', 6],
  ['13:00', 'B1', 2, 'FINISHED'],
  ['13:30', 'T2', 2, 'FINISHED', 7, { notes: '' }],
  ['14:00', 'B3', 1, 'FINISHED'],
  ['14:30', 'P4', 4, 'FINISHED', 8, { tags: [{ tagType: 'Dietary', name: 'Vegan' }] }],
]

const PARTY: Partial<BookingPlan> = {
  service: 'cellar',
  deposit: { due: 0, paid: 145_000 },
  notes: 'Long table, one bill\nSpeech at 20:00\n\tMicrophone',
}
const CAKE = preordered('Birthday cake', '“Happy 40th, 美玲!”', 'FullPayment', 65, 1)

const DINNER: readonly ShortBooking[] = [
  ['17:30', 'T1', 2, 'FINISHED', 9],
  ['17:30', 'T4', 4, DESSERT, 10, { tags: [{ tagType: 'Occasion', name: 'Birthday 🎂' }] }],
  ['17:30', 'T7', 4, 'FINISHED', 11, { method: 'phone' }],
  ['17:45', 'T2', 2, DESSERT, 12],
  ['18:00', 'T3', 2, 'SEATED', 13, { notes: 'โต๊ะริมหน้าต่าง' }],
  ['18:00', 'P1', 2, 'NOSHOW', 14],
  ['18:00', 'P4', 4, 'SEATED', 15, { notes: 'It’s our anniversary 💍' }],
  ['18:15', 'T5', 4, 'SEATED', 16],
  ['18:30', 'C1', 10, 'SEATED', 17, PARTY],
  ['18:30', 'T6', 3, 'SEATED', 18, { notes: 'Nut allergy (severe!)', tags: [{ tagType: 'Dietary', name: 'Nuts' }] }],
  ['18:30', 'P3', 4, 'SEATED', 19, { notes: '=HYPERLINK("http://example.com","free")' }],
  ['18:50', 'B2', 1, 'SEATED'],
  ['19:00', 'T8', 6, 'SEATED', 20, { items: [CAKE] }],
  ['19:00', 'P5', 4, 'SEATED', 21],
  ['19:15', 'P2', 2, 'SEATED'],
  ['19:20', 'B1', 2, 'SEATED', undefined, { duration: 60 }],
  ['19:30', 'B4', 3, 'SEATED'],
  ['19:30', 'T7', 4, 'ARRIVED', 22],
  ['19:30', 'P1', 2, 'ARRIVED', 23],
  ['19:30', 'T9', 8, 'ARRIVED', 24, { deposit: { due: 10_000, paid: 10_000 }, notes: '靠窗的位子，謝謝。一位素食。' }],
  ['19:45', 'T1', 2, 'CONFIRMED', 25],
  ['20:00', 'T2', 2, 'CONFIRMED', 0],
  ['20:00', 'T4', 4, 'CONFIRMED', 3, { method: 'phone' }],
  ['20:00', 'P6', 5, 'CONFIRMED', 6, { items: [preordered('Set menu A', null, 'Deposit', 79.5, 5)] }],
  ['20:00', 'B3', 2, 'CONFIRMED', 8],
  ['20:15', 'T3', 2, 'Unconfirmed', 2],
  ['20:15', 'P4', 3, 'CONFIRMED', 5, { method: 'pos' }],
  ['20:30', 'T5', 3, 'CONFIRMED', 12],
  ['20:30', 'P3', 4, 'CANCELLED', 9],
  ['20:45', 'P3', 4, 'CONFIRMED', 14, { notes: 'Pram + high chair' }],
  ['20:45', 'T6', 4, 'Unconfirmed', 18],
  ['21:15', 'T8', 6, 'Unconfirmed', 1],
  ['21:30', 'P2', 2, 'CONFIRMED', 7, { tags: [{ tagType: 'Seating', name: 'Window' }] }],
]

export const busyFriday: ReadySnapshot = {
  name: 'busy-friday',
  about: 'a full Friday at 19:40: every status, walk-ins, deposits, notes in many scripts, and the lunch sales',
  clock: '2026-12-18T08:40:00.000Z',
  fill: (scene) => {
    seedCards(scene.diary, scene.now)
    for (const short of LUNCH) bookAndSell(scene, 'lunch', short)
    for (const short of DINNER) bookAndSell(scene, 'dinner', short)
    seedOtherLocations(scene.diary, scene.now)
  },
}

/** Adds a booking. If the party has finished, also adds its sale, except for the party at T5, which paid at the bar. */
function bookAndSell(scene: Scene, service: string, [time, table, people, status, guest, more]: ShortBooking): void {
  const who = guest === undefined ? { method: 'walkin' } : { guest }
  const plan: BookingPlan = { service, time: `${DAY} ${time}`, table, people, status, ...who, ...more }
  const booking = scene.book(plan)
  if (status !== 'FINISHED' || table === 'T5') return
  const opened = scene.instantAt(plan.time)
  const closed = opened + (booking.duration - 5) * MINUTE
  const gnocchi = ['Gnocchi al pesto', people, 3_150] as const
  scene.sell({ booking, opened, closed, items: [gnocchi, ['House rosé', 1, 1_450]] })
}

function preordered(name: string, label: string | null, paymentType: string, price: number, quantity: number) {
  return { name, label, paymentType, price, quantity, extras: null }
}
