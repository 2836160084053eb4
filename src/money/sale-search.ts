import { isJsonObject, type JsonObject, numberText, parseExact } from '../base/json/exact.ts'
import { valueAt } from '../base/json/paths.ts'
import { toWireTime } from '../base/time/instant.ts'
import { DAY_MS } from '../base/time/units.ts'
import type { Caller } from '../client/calls/caller.ts'
import { paginate } from '../client/calls/paginate.ts'
import { listSales } from '../contract/sales.ts'
import { centsText, parseBalanceCents, sizeOf } from './amount.ts'
import type { Evidence } from './verdict.ts'

/** The values that identify a sale in the service's list of sales. */
export interface SaleKey {
  readonly saleId: string
  /** The total in cents, or `null` if the sale has no total. */
  readonly cents: bigint | null
  /** The ID of the sale's booking, or `null` if the sale has no booking. */
  readonly bookingId: string | null
  /** When the sale was opened, in epoch milliseconds, or `null` if unknown. */
  readonly openedAt: number | null
}

const MOST_RECORDS = 10_000

/**
 * Looks for a sale in the service's list of sales. The state is `applied` if the sale is listed, `unknown` if only a
 * different sale with its ID is listed, and otherwise `unchanged`. `unchanged` does not prove that the sale is missing,
 * because the service lists only sales with a booking. `sentAt` is when the sale was sent, in epoch milliseconds.
 * Throws if the list cannot be read.
 */
export async function findSale(caller: Caller, sought: SaleKey, sentAt: number): Promise<Evidence> {
  const from = Math.min(sought.openedAt ?? sentAt, sentAt) - DAY_MS
  const query = { StartDate: toWireTime(from), EndDate: toWireTime(sentAt + DAY_MS) }
  let another: Evidence | null = null
  const paging = { pageSize: 100, limit: MOST_RECORDS }
  for await (const records of paginate(caller, listSales, { query }, paging)) {
    for (const { value: item } of records) {
      if (!isJsonObject(item) || detailOf(item)['transactionId'] !== sought.saleId) continue
      const difference = differenceOf(item, sought)
      if (difference === null) return { state: 'applied', how: 'the service lists the sale' }
      another = { state: 'unknown', how: `the service lists a different sale with this ID: ${difference}` }
    }
  }
  return another ?? { state: 'unchanged', how: 'the service does not list the sale' }
}

/** Extracts the identifying values from a sale's request body. */
export function extractSaleKey(sale: JsonObject): SaleKey {
  const cents = numberText(valueAt(sale, 'total.amount'))
  const bookingId = sale['bookingId']
  const openedAt = Date.parse(String(sale['openedZonedDateTime'] ?? ''))
  return {
    saleId: String(valueAt(sale, 'origin.saleId') ?? ''),
    cents: cents !== null && /^-?\d+$/.test(cents) ? BigInt(cents) : null,
    bookingId: typeof bookingId === 'string' ? bookingId : null,
    openedAt: Number.isNaN(openedAt) ? null : openedAt,
  }
}

/** Parses a sale's identifying values, as stored with its operation. */
export function parseSaleKey(before: string | null): Pick<SaleKey, 'bookingId' | 'openedAt'> {
  const kept = before?.startsWith('{') ? parseExact(before) : null
  const { bookingId = null, openedAt = null } = isJsonObject(kept) ? kept : {}
  return {
    bookingId: typeof bookingId === 'string' ? bookingId : null,
    openedAt: typeof openedAt === 'number' ? openedAt : null,
  }
}

/**
 * Describes how a listed sale differs from the expected sale. Returns `null` if they might be the same sale. Ignores
 * the sign of the total, because the service might list refunds with either sign.
 */
function differenceOf(item: JsonObject, { cents, bookingId }: SaleKey): string | null {
  const total = numberText(detailOf(item)['total'])
  const listed = total === null ? null : parseBalanceCents(total)
  if (cents !== null && listed !== null && sizeOf(listed) !== sizeOf(cents))
    return `its total is ${centsText(listed)}, not ${centsText(cents)}`
  const booking = item['bookingId']
  if (bookingId !== null && typeof booking === 'string' && booking !== bookingId)
    return `it belongs to booking ${booking}, not ${bookingId}`
  return null
}

function detailOf(item: JsonObject): JsonObject {
  const detail = item['saleDetail']
  return isJsonObject(detail) ? detail : {}
}
