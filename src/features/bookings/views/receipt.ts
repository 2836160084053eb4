import type { JsonObject } from '../../../base/json/exact.ts'
import type { CardView, ListView } from '../../../terminal/render/view.ts'
import { counted, isNonZero, joined, money, textAt } from '../../shared/views/wording.ts'
import { reservationCard } from '../reserving/views.ts'
import { statusCell } from './status.ts'

/** The answer to a change of status, people or tables: `{bookingId, bookingRef, amountSpent, status, pax}`. Assumed. */
export const receiptCard: CardView = {
  title: (receipt) => {
    const id = textAt(receipt, 'bookingId')
    return [
      { text: joined(['Changed', id === '' ? 'the booking' : `booking ${id}`], ' '), tone: 'good' },
      statusCell(receipt['status']),
    ]
  },
  sections: [
    {
      heading: null,
      fields: [
        { label: 'Status', paths: ['status'], cell: (receipt) => statusCell(receipt['status']) },
        { label: 'People', paths: ['pax'], cell: (receipt) => counted(receipt['pax'], 'person', 'people') },
        { label: 'Spent', paths: ['amountSpent'], cell: spent },
        { label: 'Reference', paths: ['bookingRef'] },
        { label: 'Booking ID', paths: ['bookingId'] },
      ],
    },
  ],
}

/** The same, as a row; the amount in currency units. */
export const receiptList: ListView = {
  columns: [
    { path: 'bookingId', header: 'BOOKING ID', rank: 1 },
    { path: 'bookingRef', header: 'REFERENCE', optional: true },
    { path: 'status', header: 'STATUS', cell: (receipt) => statusCell(receipt['status']), flex: 11 },
    { path: 'pax', header: 'PEOPLE', align: 'right' },
    { path: 'amountSpent', header: 'SPENT', align: 'right', cell: (receipt) => money(receipt['amountSpent']) },
  ],
  csvPaths: ['bookingId', 'bookingRef', 'status', 'pax', 'amountSpent'],
  empty: 'Nothing was changed.',
  one: 'change',
  many: 'changes',
}

/** What was spent so far; at most changes that is nothing, and then it is not said. */
function spent(receipt: JsonObject): string {
  return isNonZero(receipt['amountSpent']) ? money(receipt['amountSpent']) : ''
}

/** The answer to changing a booking: the same as to creating one. Assumed. */
export const changedReservationCard: CardView = {
  title: (booking) => [
    { text: joined(['Changed booking', textAt(booking, 'bookingId')], ' '), tone: 'good' },
    statusCell(booking['bookingStatus']),
  ],
  sections: reservationCard.sections,
}
