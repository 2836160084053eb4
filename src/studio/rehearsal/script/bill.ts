import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { between, chance, pick, type Random } from '../../../sandbox/seed/random.ts'
import { minutes, type Party, setStatus } from './acts.ts'
import { numberIn, type Stage, wireTime } from './stage.ts'

const DISHES: readonly (readonly [name: string, cents: number])[] = [
  ['Oysters, finger lime', 3_600],
  ['Barramundi', 4_200],
  ['Wagyu 和牛 9+', 8_900],
  ['Gnocchi al pesto', 3_150],
  ['Crème brûlée', 1_650],
  ['House rosé', 1_450],
  ['Flat white', 550],
]

/** How a till links a sale to its booking. */
type Link = 'booking' | 'table' | 'none'

/** Brings guests the bill: they pay, perhaps in part by gift card, and leave. `sat`: since when they sit, milliseconds since 1970. */
export async function presentBill(stage: Stage, party: Party, sat: number): Promise<void> {
  const { random } = party
  const { agenda } = stage
  const link = drawLink(random)
  const items = drawItems(stage, party)
  const cents = items.reduce((sum, { total }) => sum + total.amount, 0)
  const paidByCard = chance(random, 0.25) ? await payByCard(stage, cents, random) : 0
  const closes = chance(random, 0.5)
  const saleId = stage.nextSaleId()
  const sale = {
    origin: { saleId, locationId: stage.locationId },
    source: { type: 'POS' },
    type: 'SALE',
    openedZonedDateTime: wireTime(sat),
    closedZonedDateTime: wireTime(stage.now()),
    staff: { id: `staff-${between(random, 1, 6)}`, name: 'Zoë' },
    register: { id: 'till-1', name: 'Front bar' },
    table: { seats: party.people, ...(link === 'none' || party.table === '' ? {} : { number: party.table }) },
    ...(link === 'booking' ? { bookingId: party.bookingId } : {}),
    ...(closes && link === 'booking' ? { status: 'FINISHED' } : {}),
    items,
    payments: payments(stage, cents, paidByCard),
    total: { amount: cents, currency: stage.currency },
    tax: { amount: Math.round(cents / 11), currency: stage.currency },
  }
  await submit(stage, sale)
  if (chance(random, 0.08)) agenda.plan(stage.now() + between(random, 5_000, 60_000), () => submit(stage, sale))
  if (!(closes && link === 'booking'))
    agenda.plan(stage.now() + minutes(random, 1, 9), () => setStatus(stage, party, 'FINISHED'))
  const second = random()
  if (second < 0.06) agenda.plan(stage.now() + minutes(random, 3, 25), () => giveBack(stage, sale, random))
  else if (second < 0.09) agenda.plan(stage.now() + minutes(random, 1, 4), () => makeVoid(stage, sale))
  else if (second < 0.15) agenda.plan(stage.now() + minutes(random, 1, 6), () => correct(stage, sale))
}

function drawLink(random: Random): Link {
  const which = random()
  if (which < 0.6) return 'booking'
  return which < 0.9 ? 'table' : 'none'
}

interface Price {
  readonly amount: number
  readonly currency: string
}

interface Item {
  readonly id: string
  readonly name: string
  readonly quantity: number
  readonly unitPrice: Price
  readonly total: Price
}

function drawItems({ currency }: Stage, { people, random }: Party): Item[] {
  return Array.from({ length: between(random, 1, Math.min(people, 5) + 1) }, (_none, at) => {
    const [name, cents] = pick(random, DISHES)
    const quantity = between(random, 1, Math.max(1, Math.ceil(people / 2)))
    const price = (amount: number) => ({ amount, currency })
    return { id: `item-${at + 1}`, name, quantity, unitPrice: price(cents), total: price(cents * quantity) }
  })
}

function payments({ currency }: Stage, cents: number, byCard: number): object[] {
  const payment = (method: string, amount: number) => ({
    method,
    goodsAndServicesAmount: { amount, currency },
    status: 'PAID',
  })
  return [
    ...(byCard > 0 ? [payment('GIFTCARD', byCard)] : []),
    ...(byCard < cents ? [payment('CARD', cents - byCard)] : []),
  ]
}

/** Looks at a gift card, and takes from it what it has, up to the bill. Returns the cents that it paid. */
async function payByCard(stage: Stage, cents: number, random: Random): Promise<number> {
  const { cards, send, tally } = stage
  if (cards.length === 0) return 0
  const cardNumber = pick(random, cards)
  const { body: card } = await send({ method: 'GET', path: `/GiftCards/${cardNumber}` })
  const left =
    isJsonObject(card) && card['status'] === 'Active' ? Math.round(numberIn(card, 'remainingAmount') * 100) : 0
  // Some try without looking.
  const amount = left > 0 ? Math.min(left, cents) : cents
  const taken = await redeem(stage, cardNumber, amount)
  if (taken) tally.redeemedCents += amount
  return taken ? amount : 0
}

/** Redeems a card; true when it worked. */
export async function redeem({ send, tally }: Stage, cardNumber: string, cents: number): Promise<boolean> {
  const { status, body } = await send({
    method: 'POST',
    path: '/GiftCards/redeem',
    body: { cardNumber, amount: cents / 100 },
  })
  const worked = status === 200 && isJsonObject(body) && body['isSuccess'] === true
  if (worked) tally.redemptions++
  else tally.cardsRefused++
  return worked
}

type Sale = Readonly<Record<string, unknown>> & {
  readonly origin: { readonly saleId: string; readonly originalSaleId?: string }
  readonly type: string
  readonly total: Price
}

async function submit({ send, tally }: Stage, sale: Sale): Promise<void> {
  const { status } = await send({ method: 'POST', path: '/Sales', body: sale })
  if (status === 409) tally.duplicates++
  if (status !== 200) return
  tally.sales++
  tally.takingsCents += sale.type === 'SALE' ? sale.total.amount : -sale.total.amount
  if (sale.type === 'REFUND') tally.refunds++
  if (sale.type === 'VOID') tally.voids++
}

async function giveBack(stage: Stage, sale: Sale, random: Random): Promise<void> {
  const amount = Math.max(1, Math.floor(sale.total.amount * pick(random, [0.25, 0.5, 1])))
  await submit(stage, reversal(stage, sale, 'REFUND', amount))
}

async function makeVoid(stage: Stage, sale: Sale): Promise<void> {
  await submit(stage, reversal(stage, sale, 'VOID', sale.total.amount))
}

function reversal(stage: Stage, sale: Sale, type: 'REFUND' | 'VOID', amount: number): Sale {
  const { items, payments: paid, tax, status, ...rest } = sale as Sale & JsonObject
  return {
    ...rest,
    type,
    origin: { ...sale.origin, saleId: stage.nextSaleId(), originalSaleId: sale.origin.saleId },
    closedZonedDateTime: wireTime(stage.now()),
    total: { amount, currency: stage.currency },
  }
}

/** The till tells of a sale again, by the partner's own way in: another member of the staff took it. */
async function correct({ send, partnerName }: Stage, sale: Sale): Promise<void> {
  const staff = { id: 'staff-7', name: 'Søren' }
  await send({
    method: 'POST',
    path: `/Sales/partners/${partnerName}/events/sale.updated`,
    body: { ...sale, staff },
  })
}
