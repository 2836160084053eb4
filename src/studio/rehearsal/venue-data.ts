import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import type { Send } from '../own-requests.ts'

/** All of a venue's records, unchanged and in the order that the service returns them. */
export type VenueData = Readonly<Record<'bookings' | 'customers' | 'giftcards' | 'sales', readonly JsonObject[]>>

/** The widest range of times that the service accepts. */
const ALL_TIMES = { StartDate: '1900-01-01T00:00:00.000Z', EndDate: '9998-01-01T00:00:00.000Z' }
const PAGE = 250

export async function readVenueData(send: Send): Promise<VenueData> {
  const bookings = await send('GET', '/Bookings', { ...ALL_TIMES, IncludeCustomerDetails: 'true' })
  return {
    bookings: jsonObjects(valueAt(bookings.body, 'bookings')),
    customers: await readPages(send, '/Customers'),
    giftcards: await readCards(send),
    sales: await readPages(send, '/Sales', ALL_TIMES),
  }
}

export async function readCards(send: Send): Promise<readonly JsonObject[]> {
  return readPages(send, '/GiftCards', { IncludeCancelled: 'true', IncludeRedeemed: 'true', IncludeExpired: 'true' })
}

export async function readPages(send: Send, path: string, query = {}): Promise<readonly JsonObject[]> {
  const records: JsonObject[] = []
  for (;;) {
    const { body } = await send('GET', path, { ...query, Limit: PAGE, StartIndex: records.length })
    const items = jsonObjects(valueAt(body, 'items'))
    records.push(...items)
    if (items.length < PAGE) return records
  }
}

export function jsonObjects(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** Returns the string at a dotted path, or an empty string if there is none. */
export function stringAt(body: JsonValue | undefined, path: string): string {
  const value = valueAt(body, path)
  return typeof value === 'string' ? value : ''
}

/** Returns the number at a dotted path, or 0 if there is none. */
export function numberAt(body: JsonValue | undefined, path: string): number {
  const value = valueAt(body, path)
  return typeof value === 'number' ? value : 0
}
