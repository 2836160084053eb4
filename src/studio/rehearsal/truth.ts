import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import type { OwnReply, OwnRequest } from './own-requests.ts'

/** What the venue has, as the service answers it, each kind in the order of its list. */
export interface Truth {
  readonly bookings: readonly JsonObject[]
  readonly customers: readonly JsonObject[]
  readonly giftcards: readonly JsonObject[]
  readonly sales: readonly JsonObject[]
}

type Send = (request: OwnRequest) => Promise<OwnReply>

/** All times that the service knows. */
const EVER = { from: '1900-01-01T00:00:00.000Z', to: '9998-01-01T00:00:00.000Z' }
const PAGE = 250

/** Reads all that the venue has. */
export async function readTruth(send: Send): Promise<Truth> {
  const { from, to } = EVER
  const bookings = await send({
    method: 'GET',
    path: '/Bookings',
    query: { StartDate: from, EndDate: to, IncludeCustomerDetails: 'true' },
  })
  const all = { IncludeCancelled: 'true', IncludeRedeemed: 'true', IncludeExpired: 'true' }
  return {
    bookings: recordsIn(bookings.body, 'bookings'),
    customers: await readPages(send, '/Customers', {}),
    giftcards: await readPages(send, '/GiftCards', all),
    sales: await readPages(send, '/Sales', { StartDate: from, EndDate: to }),
  }
}

/** Reads all pages of a list. */
export async function readPages(
  send: Send,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<readonly JsonObject[]> {
  const records: JsonObject[] = []
  for (;;) {
    const paging = { Limit: String(PAGE), StartIndex: String(records.length) }
    const { body } = await send({ method: 'GET', path, query: { ...query, ...paging } })
    const items = recordsIn(body, 'items')
    records.push(...items)
    if (items.length < PAGE) return records
  }
}

/** The objects in a member of an answer. */
export function recordsIn(body: JsonValue | undefined, member: string): readonly JsonObject[] {
  const list = isJsonObject(body) ? body[member] : null
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}
