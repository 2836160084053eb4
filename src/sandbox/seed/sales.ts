import type { BookingDocument } from '../records/booking.ts'
import { putSale } from '../records/sales.ts'
import type { Diary } from '../store/diary.ts'
import { MINUTE } from '../venue/time.ts'
import { between, pick, randomFrom } from './random.ts'

const DISHES: readonly (readonly [name: string, cents: number])[] = [
  ['Barramundi, finger lime', 4_200],
  ['Wagyu 和牛 9+', 8_900],
  ['Gnocchi al pesto', 3_150],
  ['House rosé', 1_450],
  ['Flat white', 550],
]

/** What the sale of a booking is drawn from; `starts` in milliseconds since 1970. */
interface SaleSeed {
  readonly saleId: string
  readonly starts: number
  readonly luck: number
}

/** Stores the sale of a party that has left. */
export function seedSale(diary: Diary, booking: BookingDocument, { saleId, starts, luck }: SaleSeed): void {
  const random = randomFrom(Math.floor(luck * 0x100000000))
  const price = (amount: number) => ({ amount, currency: diary.venue.currency })
  const items = Array.from({ length: Math.min(booking.people, 4) }, (_none, at) => {
    const [name, cents] = pick(random, DISHES)
    const quantity = between(random, 1, 3)
    return { id: `item-${at + 1}`, name, quantity, unitPrice: price(cents), total: price(cents * quantity) }
  })
  const cents = items.reduce((sum, item) => sum + item.total.amount, 0)
  const closed = starts + booking.duration * MINUTE - 5 * MINUTE
  putSale(diary, {
    saleId,
    received: closed,
    closed,
    bookingId: booking.bookingId,
    cents,
    sent: {
      origin: { saleId, locationName: diary.venue.name },
      source: { type: 'POS' },
      type: 'SALE',
      openedZonedDateTime: new Date(starts).toISOString(),
      closedZonedDateTime: new Date(closed).toISOString(),
      staff: { id: `staff-${between(random, 1, 6)}`, name: 'Zoë' },
      register: { id: 'till-1', name: 'Front bar' },
      table: { seats: booking.people, number: booking.tables[0]?.tableName ?? '' },
      items,
      payments: [{ method: 'CARD', goodsAndServicesAmount: price(cents), status: 'PAID' }],
      total: price(cents),
      tax: price(Math.round(cents / 11)),
      discounts: price(0),
    },
  })
}
