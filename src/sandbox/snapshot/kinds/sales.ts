import { type JsonObject, parseExact } from '../../../base/json/exact.ts'
import { sumSale } from '../../records/sales.ts'
import { id, instant, object, orNull, whole } from '../form/values.ts'
import { asJson, inMs, plain, rowsOf } from './kind.ts'

/** Sales: the request from the POS, the linked booking, and the time of receipt, which determines duplicates. */
export const sale = rowsOf({
  name: 'sale',
  table: 'sales',
  rows: 'ORDER BY rank',
  members: {
    sale: { read: id, column: plain('sale_id') },
    received: { read: instant, column: inMs('received') },
    closed: { read: instant, implied: ({ received }) => received, column: inMs('closed') },
    bookingId: { read: orNull(id), implied: () => null, column: plain('booking') },
    sent: { read: object, column: asJson('document', parseExact) },
    cents: { read: whole(), implied: ({ sent }) => sumSale(sent as JsonObject), column: plain('cents') },
  },
  problem: ({ bookingId }, seen) =>
    bookingId === null || seen.get('booking')?.has(String(bookingId))
      ? null
      : `"bookingId" is ${JSON.stringify(bookingId)}, but no earlier line has that booking`,
})
