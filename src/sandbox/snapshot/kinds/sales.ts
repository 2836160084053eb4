import { type JsonObject, parseExact } from '../../../base/json/exact.ts'
import { putSale, sumSale } from '../../records/sales.ts'
import { asDiary } from '../../store/diary.ts'
import { id, instant, object, orNull, whole } from '../form/values.ts'
import { documentOf, isoOf, type Kind, msOf } from './kind.ts'

/** A sale: what the POS sent, the booking that it was linked to, and when it was received, by which duplicates are known. */
export const sale: Kind = {
  name: 'sale',
  select: 'SELECT * FROM sales ORDER BY rank',
  members: [
    { name: 'sale', read: id },
    { name: 'received', read: instant },
    { name: 'closed', read: instant, implied: ({ received }) => received },
    { name: 'bookingId', read: orNull(id), implied: () => null },
    { name: 'sent', read: object },
    { name: 'cents', read: whole(), implied: ({ sent }) => sumSale(sent as JsonObject) },
  ],
  toRecord: (row) => ({
    sale: row['sale_id'],
    received: isoOf(row, 'received'),
    closed: isoOf(row, 'closed'),
    bookingId: row['booking'],
    sent: parseExact(documentOf(row)),
    cents: row['cents'],
  }),
  insert: (store, record) =>
    putSale(asDiary(store), {
      saleId: String(record['sale']),
      received: msOf(record, 'received'),
      closed: msOf(record, 'closed'),
      bookingId: record['bookingId'] as string | null,
      cents: Number(record['cents']),
      sent: record['sent'] as JsonObject,
    }),
  problem: ({ bookingId }, seen) =>
    bookingId === null || seen.get('booking')?.has(String(bookingId))
      ? null
      : `"bookingId" is ${JSON.stringify(bookingId)}, and no line before has that booking`,
}
