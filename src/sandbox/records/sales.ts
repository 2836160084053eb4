import { isJsonObject, type JsonObject } from '../../base/json/exact.ts'
import type { Diary } from '../store/diary.ts'
import type { Store } from '../store/store.ts'

/**
 * How long, in milliseconds, the service rejects a sale ID that it has already received. This is an assumption: the
 * specification does not say.
 */
export const DUPLICATE_WINDOW_MS = 24 * 3_600_000

/**
 * Whether `GET /Sales` also lists sales without a booking. According to the specification, it lists only sales with a
 * booking.
 */
export function listsUnlinkedSales(store: Store): boolean {
  return store.readMeta('lists-unlinked-sales') !== undefined
}

export function listUnlinkedSales(store: Store): void {
  store.writeMeta('lists-unlinked-sales', true)
}

/** A sale as stored. Times are in milliseconds since 1970. `cents` is negative for refunds and voids. */
export interface StoredSale extends Readonly<Record<'received' | 'closed' | 'cents', number>> {
  readonly saleId: string
  readonly bookingId: string | null
  readonly sent: JsonObject
}

export function putSale(diary: Diary, sale: StoredSale): void {
  diary.run(
    `INSERT INTO sales (sale_id, received, closed, booking, cents, document) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (sale_id) DO UPDATE SET received = excluded.received, closed = excluded.closed,
       booking = excluded.booking, cents = excluded.cents, document = excluded.document`,
    ...[sale.saleId, sale.received, sale.closed, sale.bookingId, sale.cents, JSON.stringify(sale.sent)],
  )
}

/**
 * Returns the time, in milliseconds since 1970, at which a sale was received, or `null` if there is no sale with this
 * ID.
 */
export function findReceived(diary: Diary, saleId: string): number | null {
  const row = diary.get('SELECT received FROM sales WHERE sale_id = ?', saleId)
  return row ? Number(row['received']) : null
}

/** Returns the amount, in cents, that a booking's party has spent, minus refunds and voids. */
export function sumSpending(diary: Diary, bookingId: string): number {
  return Number(diary.get('SELECT coalesce(sum(cents), 0) AS cents FROM sales WHERE booking = ?', bookingId)?.['cents'])
}

/** Returns the cents in a Price object (`{amount, currency}`), or `null` if the value is not a Price. */
export function readPrice(price: unknown): number | null {
  if (!isJsonObject(price)) return null
  const amount = price['amount']
  return typeof amount === 'number' && Number.isSafeInteger(amount) ? amount : null
}

/**
 * Returns the amount of a sale in cents, which is negative for REFUND and VOID. Without a total, adds up the payments.
 * Without payments, adds up the items.
 */
export function sumSale(sent: JsonObject): number {
  const sum = (list: unknown, member: string) =>
    Array.isArray(list) && list.length > 0
      ? list.reduce((total: number, one) => total + (isJsonObject(one) ? (readPrice(one[member]) ?? 0) : 0), 0)
      : null
  const cents =
    readPrice(sent['total']) ?? sum(sent['payments'], 'goodsAndServicesAmount') ?? sum(sent['items'], 'total') ?? 0
  return sent['type'] === 'REFUND' || sent['type'] === 'VOID' ? -Math.abs(cents) : cents
}
