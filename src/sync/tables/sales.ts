import { BOOKING_DETAILS } from './bookings.ts'
import { type Column, given, type MainTable, members, VERSION_AND_RAW } from './table.ts'

/** The key columns of the sales table. A sale with two bookings has two rows. */
const IDENTITY_OF_SALE: readonly Column[] = [
  given('source', 'text', 'source', true),
  given('id', 'text', 'id', true),
  { name: 'booking_id', type: 'text', origin: { path: 'bookingId' }, required: true },
]

export const SALES: MainTable = {
  name: 'sales',
  hasChangeDate: false,
  columns: [
    ...IDENTITY_OF_SALE,
    ...members('instant', { closed_at: 'saleDetail.transactionDateTime' }),
    ...members('text', { status: 'saleDetail.status' }),
    ...members('cents', { total_cents: 'saleDetail.total', total_ex_tax_cents: 'saleDetail.totalExTax' }),
    ...members('cents', { tax_cents: 'saleDetail.tax', discount_cents: 'saleDetail.discount' }),
    ...members('cents', { tip_cents: 'saleDetail.tipAmount' }),
    ...members('instant', { started_at: 'saleDetail.actualStartTime', ended_at: 'saleDetail.actualEndTime' }),
    ...members('text', { store_name: 'saleDetail.storeName' }),
    ...members('text', { pos_id: 'saleDetail.posId', pos_name: 'saleDetail.posName' }),
    ...members('text', { staff_id: 'saleDetail.staffId', staff_name: 'saleDetail.staffName', method: 'method' }),
    ...BOOKING_DETAILS,
    ...members('text', { booking_status_code: 'status.code', customer_id: 'customer.id' }),
    ...members('instant', { booking_last_modified: 'lastModifiedDate' }),
    ...VERSION_AND_RAW,
  ],
  key: ['source', 'id', 'booking_id'],
  indexes: [['closed_at'], ['booking_id'], ['customer_id'], ['status', 'closed_at'], ['booking_last_modified']],
  children: [],
}
