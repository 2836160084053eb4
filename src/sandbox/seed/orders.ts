import { cardPayment, type OrderItem } from '../records/booking.ts'
import type { Service, Venue } from '../venue/venue.ts'
import { between, drawBoolean, hex, pick, type Random } from './random.ts'

const MENU: readonly OrderItem[] = [
  item('Oyster dozen', 'Sydney rock, mignonette', 'FullPayment', 4_800),
  item('Set menu A', null, 'Deposit', 7_950),
  item('Crème brûlée', 'w/ raspberries 🍓', 'NoPayment', 1_650),
  item('Birthday cake', '“Happy 40th, 美玲!”', 'FullPayment', 6_500),
  item('Kids’ pasta', '', 'PreAuth', 1_299),
]
const EXTRAS: readonly Omit<OrderItem, 'extras'>[] = [
  extra('Wine pairing', 'Five glasses', 6_500),
  extra('Truffle', null, 1_801),
  extra('Candles', '×40', 150),
]

function item(name: string, label: string | null, paymentType: string, priceCents: number): OrderItem {
  return { name, label, paymentType, price: priceCents / 100, quantity: 1, extras: null }
}

function extra(name: string, label: string | null, priceCents: number): Omit<OrderItem, 'extras'> {
  return { name, label, paymentType: 'FullPayment', price: priceCents / 100, quantity: 1 }
}

/** Generates the items that a party orders in advance, and its prepayment. Most parties have neither. */
export function drawOrder(random: Random, service: Service, people: number, bookedAt: number, venue: Venue) {
  const draws = { orders: random(), pays: random(), transaction: hex(random, 12) }
  const { paymentType, peopleRequired, price } = service.payment
  const mustPay = paymentType !== 'NoPayment' && people >= peopleRequired
  const items = draws.orders < 0.22 ? [drawItem(random, people)] : []
  if (!mustPay && draws.pays > 0.08) return { items, payment: null }
  const cents = mustPay ? price * 100 * people : 5_050
  const paid = draws.pays < 0.75 ? cents : Math.floor(cents / 3)
  const made = { venue, transactionId: `ch_${draws.transaction}`, atMs: bookedAt }
  return { items, payment: cardPayment({ due: cents - paid, paid }, made) }
}

function drawItem(random: Random, people: number): OrderItem {
  const dish = pick(random, MENU)
  const hasExtras = drawBoolean(random, 0.5)
  const none = hasExtras || drawBoolean(random, 0.5) ? [] : null
  const extras = hasExtras ? [{ ...pick(random, EXTRAS), quantity: between(random, 1, people) }] : none
  return { ...dish, quantity: between(random, 1, people), extras }
}
