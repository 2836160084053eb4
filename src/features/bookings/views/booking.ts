import type { CardView, ListView } from '../../../terminal/render/view.ts'
import { sectionNamesText, tableNamesText } from '../../shared/views/booked-tables.ts'
import { CUSTOMER_COLUMNS, customerFields } from '../../shared/views/customer-fields.ts'
import { customerName } from '../../shared/views/customer-names.ts'
import { onItsDay, timesNote, venueTime, weekdayOf } from '../../shared/views/moments.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { counted, joined } from '../../shared/views/wording.ts'
import { dueCell, gist, payment, preOrders, trail } from './card-sections.ts'
import { statusAt, statusCell } from './status.ts'

/** The list of bookings. Source: "Booking". */
export const bookingList: ListView = {
  columns: [
    {
      path: 'bookingTime',
      header: 'TIME',
      cell: ({ bookingTime }, context) => onItsDay(venueTime(bookingTime, context), context),
      rank: 2,
    },
    {
      path: 'customer.lastName',
      header: 'GUEST',
      cell: ({ customer }) => customerName(customer),
      flex: 10,
      rank: 4,
      optional: true,
    },
    { path: 'people', header: 'PAX', align: 'right', rank: 3 },
    { path: 'status.name', header: 'STATUS', cell: statusAt('status'), flex: 9, firm: 6, rank: 5 },
    {
      path: 'tables',
      header: 'TABLES',
      cell: ({ tables }) => tableNamesText(tables),
      flex: 6,
      rank: 6,
      optional: true,
    },
    {
      path: 'tables.0.sectionName',
      header: 'SECTION',
      cell: ({ tables }) => sectionNamesText(tables),
      flex: 8,
      rank: 7,
      optional: true,
    },
    { path: 'serviceName', header: 'SERVICE', flex: 8, rank: 8, optional: true },
    { path: 'paymentSummary.amountDue', header: 'DUE', align: 'right', cell: dueCell, rank: 10, optional: true },
    { path: 'notes', header: 'NOTES', flex: 12, rank: 9, optional: true },
    { path: 'bookingId', header: 'BOOKING ID', rank: 1 },
  ],
  csvPaths: [
    ...pathsIn('bookingId bookingTime people duration status.code status.name status.statusType'),
    ...CUSTOMER_COLUMNS,
    ...pathsIn(`tables serviceId serviceName serviceType notes tags method locationId bookedAt lastModifiedDate
      paymentSummary.paymentType paymentSummary.amount paymentSummary.amountDue paymentSummary.amountPaid
      paymentSummary.currencyCode paymentSummary.paymentDate paymentSummary.transactionId items`),
  ],
  empty: 'No bookings.',
  one: 'booking',
  many: 'bookings',
  get card() {
    return bookingCard
  },
  footnote: (context) => timesNote(context, context.timezone),
}

/** One booking. Source: "Booking", "Customer", "Supporting objects". */
export const bookingCard: CardView = {
  title: (booking, context) => {
    const time = venueTime(booking['bookingTime'], context)
    const who = customerName(booking['customer']) || 'Booking'
    const party = counted(booking['people'], 'person', 'people')
    const text = joined([who, party, joined([weekdayOf(time), time], ' ')], ', ')
    return [{ text, tone: 'strong' }, statusCell(booking['status'])]
  },
  sections: [
    { heading: null, fields: gist },
    { heading: 'Payment', fields: payment },
    preOrders,
    { heading: 'Guest', fields: customerFields('customer') },
    { heading: 'Record', fields: trail },
  ],
}
