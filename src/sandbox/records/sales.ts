import { isJsonObject, type JsonObject } from '../../json/exact.ts'
import type { Diary } from '../store/diary.ts'

/** How long a sale ID is refused a second time. Assumed: the specification does not say how long. */
export const DUPLICATE_WINDOW_MS = 24 * 3_600_000

/** A sale as it is stored. Times in milliseconds since 1970; `cents` is below 0 when money went back. */
export interface StoredSale {
  readonly saleId: string
  readonly received: number
  readonly closed: number
  readonly bookingId: string | null
  readonly cents: number
  /** What the POS sent. */
  readonly sent: JsonObject
}

/** Writes a sale; one with the same ID is replaced. */
export function putSale(diary: Diary, sale: StoredSale): void {
  diary.run(
    `INSERT INTO sales (sale_id, received, closed, booking, cents, document) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (sale_id) DO UPDATE SET received = excluded.received, closed = excluded.closed,
       booking = excluded.booking, cents = excluded.cents, document = excluded.document`,
    sale.saleId,
    sale.received,
    sale.closed,
    sale.bookingId,
    sale.cents,
    JSON.stringify(sale.sent),
  )
}

/** When the sale with this ID was received; null when there is none. */
export function receivedAt(diary: Diary, saleId: string): number | null {
  const row = diary.get('SELECT received FROM sales WHERE sale_id = ?', saleId)
  return row ? Number(row['received']) : null
}

/** What the guests of a booking have spent, less refunds and voids. */
export function spentCents(diary: Diary, bookingId: string): number {
  return Number(diary.get('SELECT coalesce(sum(cents), 0) AS cents FROM sales WHERE booking = ?', bookingId)?.['cents'])
}

/** The cents of a Price (`{amount, currency}`); null when the value is no Price. */
export function priceCents(price: unknown): number | null {
  if (!isJsonObject(price)) return null
  const amount = price['amount']
  return typeof amount === 'number' && Number.isSafeInteger(amount) ? amount : null
}

/** The cents of a sale: its total, or what was paid, or the sum of its items. Below 0 for REFUND and VOID. */
export function saleCents(sent: JsonObject): number {
  const sum = (list: unknown, member: string) =>
    Array.isArray(list) && list.length > 0
      ? list.reduce((total: number, one) => total + (isJsonObject(one) ? (priceCents(one[member]) ?? 0) : 0), 0)
      : null
  const cents =
    priceCents(sent['total']) ?? sum(sent['payments'], 'goodsAndServicesAmount') ?? sum(sent['items'], 'total') ?? 0
  return sent['type'] === 'REFUND' || sent['type'] === 'VOID' ? -Math.abs(cents) : cents
}
