import { type JsonObject, parseExact } from '../../../base/json/exact.ts'
import { sumSale } from '../../records/sales.ts'
import { instant, integer, jsonObject, nonEmptyText, orNull } from '../form/values.ts'
import { instantColumn, jsonColumn, plainColumn, tableKind } from './kind.ts'

/**
 * Sales. Each record contains the till's request, the ID of the booking, and the time of receipt, which determines
 * whether the sale ID counts as a duplicate.
 */
export const sale = tableKind({
  name: 'sale',
  table: 'sales',
  rows: 'ORDER BY rank',
  members: {
    sale: { read: nonEmptyText, column: plainColumn('sale_id') },
    received: { read: instant, column: instantColumn('received') },
    closed: { read: instant, implied: ({ received }) => received, column: instantColumn('closed') },
    bookingId: { read: orNull(nonEmptyText), implied: () => null, column: plainColumn('booking') },
    sent: { read: jsonObject, column: jsonColumn('document', parseExact) },
    cents: { read: integer(), implied: ({ sent }) => sumSale(sent as JsonObject), column: plainColumn('cents') },
  },
  problem: ({ bookingId }, seen) =>
    bookingId === null || seen.get('booking')?.has(String(bookingId))
      ? null
      : `"bookingId" is ${JSON.stringify(bookingId)}, but no earlier line has that booking`,
})
