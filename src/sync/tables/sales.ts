import { OCCASION } from './bookings.ts'
import { type Column, given, type MainTable, members, VERSION_AND_RAW } from './table.ts'

/** Each pair of a sale and a booking is a row: a sale with two bookings has two. */
const IDENTITY_OF_SALE: readonly Column[] = [
  given('source', 'text', 'source', true),
  given('id', 'text', 'id', true),
  { name: 'booking_id', type: 'text', origin: { path: 'bookingId' }, required: true },
]

/** The table of sales. */
export const SALES: MainTable = {
  name: 'sales',
  hasChangeDate: false,
  columns: [
    ...IDENTITY_OF_SALE,
    ...members([
      ['closed_at', 'instant', 'saleDetail.transactionDateTime'],
      ['status', 'text', 'saleDetail.status'],
      ['total_cents', 'cents', 'saleDetail.total'],
      ['total_ex_tax_cents', 'cents', 'saleDetail.totalExTax'],
      ['tax_cents', 'cents', 'saleDetail.tax'],
      ['discount_cents', 'cents', 'saleDetail.discount'],
      ['tip_cents', 'cents', 'saleDetail.tipAmount'],
      ['started_at', 'instant', 'saleDetail.actualStartTime'],
      ['ended_at', 'instant', 'saleDetail.actualEndTime'],
      ['store_name', 'text', 'saleDetail.storeName'],
      ['pos_id', 'text', 'saleDetail.posId'],
      ['pos_name', 'text', 'saleDetail.posName'],
      ['staff_id', 'text', 'saleDetail.staffId'],
      ['staff_name', 'text', 'saleDetail.staffName'],
      ['method', 'text', 'method'],
    ]),
    ...OCCASION,
    ...members([
      ['booking_status_code', 'text', 'status.code'],
      ['customer_id', 'text', 'customer.id'],
      ['booking_last_modified', 'instant', 'lastModifiedDate'],
    ]),
    ...VERSION_AND_RAW,
  ],
  key: ['source', 'id', 'booking_id'],
  indexes: [['closed_at'], ['booking_id'], ['customer_id'], ['status', 'closed_at'], ['booking_last_modified']],
  children: [],
}
