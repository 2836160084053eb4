import { valueAt } from '../../../base/json/paths.ts'
import { PARTNER_NAME } from '../../../sandbox/credentials.ts'
import { between, drawBoolean, pick, type Random } from '../../../sandbox/seed/random.ts'
import { numberAt, stringAt } from '../venue-data.ts'
import { drawMinutes, formatInstant, type Party, type Stage, setStatus } from './stage.ts'

const DISHES: readonly (readonly [name: string, cents: number])[] = [
  ['Oysters, finger lime', 3_600],
  ['Barramundi', 4_200],
  ['Wagyu 和牛 9+', 8_900],
  ['Gnocchi al pesto', 3_150],
  ['Crème brûlée', 1_650],
  ['House rosé', 1_450],
  ['Flat white', 550],
]

/**
 * Submits the sale of a party that pays and leaves. Some parties pay part of the bill by gift card. May also plan a
 * duplicate, a refund, a void or a correction of the sale. `sat` is when the party sat down, in milliseconds since
 * 1970.
 */
export async function presentBill(stage: Stage, party: Party, sat: number): Promise<void> {
  const { random } = party
  const { agenda, venue } = stage
  const { currency } = venue
  // This random number determines whether the till links the sale to the booking by ID, by table, or not at all.
  const link = random()
  const [isLinked, hasTable] = [link < 0.6, link < 0.9]
  const items = drawItems(currency, party)
  const cents = items.reduce((sum, { total }) => sum + total.amount, 0)
  const paidByCard = drawBoolean(random, 0.25) ? await payByCard(stage, cents, random) : 0
  const closes = drawBoolean(random, 0.5)
  const payment = (method: string, amount: number) =>
    amount > 0 ? [{ method, goodsAndServicesAmount: { amount, currency }, status: 'PAID' }] : []
  const saleId = stage.nextSaleId()
  const sale = {
    origin: { saleId, locationId: venue.id },
    source: { type: 'POS' },
    type: 'SALE',
    openedZonedDateTime: formatInstant(sat),
    closedZonedDateTime: formatInstant(stage.now()),
    staff: { id: `staff-${between(random, 1, 6)}`, name: 'Zoë' },
    register: { id: 'till-1', name: 'Front bar' },
    table: { seats: party.people, ...(hasTable && party.table !== '' ? { number: party.table } : {}) },
    ...(isLinked ? { bookingId: party.bookingId } : {}),
    ...(closes && isLinked ? { status: 'FINISHED' } : {}),
    items,
    payments: [payment('GIFTCARD', paidByCard), payment('CARD', cents - paidByCard)].flat(),
    total: { amount: cents, currency },
    tax: { amount: Math.round(cents / 11), currency },
  }
  await submit(stage, sale)
  if (drawBoolean(random, 0.08)) agenda.plan(stage.now() + between(random, 5_000, 60_000), () => submit(stage, sale))
  if (!(closes && isLinked))
    agenda.plan(stage.now() + drawMinutes(random, 1, 9), () => setStatus(stage, party, 'FINISHED'))
  const second = random()
  const refund = () => reverse(stage, sale, 'REFUND', pick(random, [0.25, 0.5, 1]))
  if (second < 0.06) agenda.plan(stage.now() + drawMinutes(random, 3, 25), refund)
  else if (second < 0.09) agenda.plan(stage.now() + drawMinutes(random, 1, 4), () => reverse(stage, sale, 'VOID', 1))
  else if (second < 0.15) agenda.plan(stage.now() + drawMinutes(random, 1, 6), () => correct(stage, sale))
}

function drawItems(currency: string, { people, random }: Party) {
  return Array.from({ length: between(random, 1, Math.min(people, 5) + 1) }, (_none, at) => {
    const [name, cents] = pick(random, DISHES)
    const quantity = between(random, 1, Math.max(1, Math.ceil(people / 2)))
    const price = (amount: number) => ({ amount, currency })
    return { id: `item-${at + 1}`, name, quantity, unitPrice: price(cents), total: price(cents * quantity) }
  })
}

/** Reads a gift card and redeems up to the amount of the bill. Returns the redeemed amount in cents. */
async function payByCard(stage: Stage, cents: number, random: Random): Promise<number> {
  const { cards, send, tally } = stage
  if (cards.length === 0) return 0
  const cardNumber = pick(random, cards)
  const { body: card } = await send('GET', `/GiftCards/${cardNumber}`)
  const left = stringAt(card, 'status') === 'Active' ? Math.round(numberAt(card, 'remainingAmount') * 100) : 0
  // If nothing is left on the card, the till tries to redeem the whole amount anyway, because real tills might not
  // check the balance.
  const amount = left > 0 ? Math.min(left, cents) : cents
  const taken = await redeem(stage, cardNumber, amount)
  if (taken) tally.redeemedCents += amount
  return taken ? amount : 0
}

/** Redeems an amount from a gift card. Returns whether the service accepted the redemption. */
export async function redeem({ send, tally }: Stage, cardNumber: string, cents: number): Promise<boolean> {
  const { status, body } = await send('POST', '/GiftCards/redeem', { cardNumber, amount: cents / 100 })
  const worked = status === 200 && valueAt(body, 'isSuccess') === true
  if (worked) tally.redemptions++
  else tally.cardsRefused++
  return worked
}

interface Sale {
  readonly origin: { readonly saleId: string; readonly originalSaleId?: string }
  readonly type: string
  readonly total: { readonly amount: number }
  readonly [member: string]: unknown
}

async function submit({ send, tally }: Stage, sale: Sale): Promise<void> {
  const { status } = await send('POST', '/Sales', sale)
  if (status === 409) tally.duplicates++
  if (status !== 200) return
  tally.sales++
  tally.takingsCents += sale.type === 'SALE' ? sale.total.amount : -sale.total.amount
  if (sale.type === 'REFUND') tally.refunds++
  if (sale.type === 'VOID') tally.voids++
}

async function reverse(stage: Stage, sale: Sale, type: 'REFUND' | 'VOID', share: number): Promise<void> {
  const { items, payments, tax, status, ...rest } = sale
  await submit(stage, {
    ...rest,
    type,
    origin: { ...sale.origin, saleId: stage.nextSaleId(), originalSaleId: sale.origin.saleId },
    closedZonedDateTime: formatInstant(stage.now()),
    total: { ...sale.total, amount: Math.max(1, Math.floor(sale.total.amount * share)) },
  })
}

/** Submits a sale again through the partner's inbound endpoint, with a different staff member. */
async function correct({ send }: Stage, sale: Sale): Promise<void> {
  const staff = { id: 'staff-7', name: 'Søren' }
  await send('POST', `/Sales/partners/${PARTNER_NAME}/events/sale.updated`, { ...sale, staff })
}
