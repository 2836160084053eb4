import type { BookingDocument } from '../records/booking.ts'
import { putSale, sumSale } from '../records/sales.ts'
import type { Diary } from '../store/diary.ts'
import { MINUTE } from '../venue/time.ts'
import { between, pick, randomFrom } from './random.ts'

/** A sale to store. Times are in milliseconds since 1970. */
export interface SalePlan {
  readonly id: string
  readonly booking?: BookingDocument
  readonly opened: number
  readonly closed: number
  /** When the service received the sale. By default, this is when the sale was closed. */
  readonly received?: number
  readonly items: readonly SoldItem[]
  readonly type?: 'SALE' | 'REFUND' | 'VOID'
  /** The payment method. The default is `CARD`. */
  readonly method?: string
  readonly staffId?: string
  /** The table, if the sale has no booking. */
  readonly table?: string
  /** The ID of the sale that this refund or void refers to. */
  readonly originalSaleId?: string
  readonly discountCents?: number
}

/** An item in a sale. `cents` is the price of one unit. */
export type SoldItem = readonly [name: string, quantity: number, cents: number]

/** Stores a sale as if a till had submitted it. */
export function storeSale(diary: Diary, sale: SalePlan): void {
  const { id, booking, opened, closed, items, type = 'SALE', ...plan } = sale
  const { currency, name } = diary.venue
  const price = (amount: number) => ({ amount, currency })
  const cents = items.reduce((sum, [, quantity, each]) => sum + quantity * each, 0) - (plan.discountCents ?? 0)
  const table = booking?.tables[0]?.tableName ?? plan.table
  const sent = {
    origin: { saleId: id, ...(plan.originalSaleId ? { originalSaleId: plan.originalSaleId } : {}), locationName: name },
    source: { type: 'POS' },
    type,
    openedZonedDateTime: new Date(opened).toISOString(),
    closedZonedDateTime: new Date(closed).toISOString(),
    staff: { id: plan.staffId ?? 'staff-1', name: 'Zoë' },
    register: { id: 'till-1', name: 'Front bar' },
    table: { seats: booking?.people ?? 1, ...(table === undefined ? {} : { number: table }) },
    items: items.map(([dish, quantity, each], at) => {
      const prices = { unitPrice: price(each), total: price(each * quantity) }
      return { id: `item-${at + 1}`, name: dish, quantity, ...prices }
    }),
    payments: [{ method: plan.method ?? 'CARD', goodsAndServicesAmount: price(cents), status: 'PAID' }],
    total: price(cents),
    tax: price(Math.round(cents / 11)),
    discounts: price(plan.discountCents ?? 0),
  }
  const bookingId = booking?.bookingId ?? null
  putSale(diary, { saleId: id, received: plan.received ?? closed, closed, bookingId, cents: sumSale(sent), sent })
}

const DISHES: readonly (readonly [name: string, cents: number])[] = [
  ['Barramundi, finger lime', 4_200],
  ['Wagyu 和牛 9+', 8_900],
  ['Gnocchi al pesto', 3_150],
  ['House rosé', 1_450],
  ['Flat white', 550],
]

/** Generates and stores the sale of a party whose visit is over. `opened` is in milliseconds since 1970. */
export function seedSale(diary: Diary, booking: BookingDocument, id: string, opened: number, luck: number): void {
  const random = randomFrom(Math.floor(luck * 0x100000000))
  const items = Array.from({ length: Math.min(booking.people, 4) }, (): SoldItem => {
    const [name, cents] = pick(random, DISHES)
    return [name, between(random, 1, 3), cents]
  })
  const closed = opened + booking.duration * MINUTE - 5 * MINUTE
  storeSale(diary, { id, booking, opened, closed, items, staffId: `staff-${between(random, 1, 6)}`, table: '' })
}
