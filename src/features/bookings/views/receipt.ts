import type { JsonObject } from '../../../base/json/exact.ts'
import type { CardView } from '../../../terminal/render/view.ts'
import { onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { counted, isNonZero, money, textAt } from '../../shared/views/wording.ts'
import { reservationCard } from '../reserving/views.ts'
import { gist } from './booking.ts'
import { statusAt, statusCell } from './status.ts'

/** The answer to a change of status, people or tables: `{bookingId, bookingRef, amountSpent, status, pax}`. Assumed. */
export const receiptCard: CardView = {
  title: changedTitle('status', 'Changed the booking'),
  sections: onlyFields([
    { label: 'Status', paths: ['status'], cell: statusAt('status') },
    { label: 'People', paths: ['pax'], cell: ({ pax }) => counted(pax, 'person', 'people') },
    { label: 'Spent', paths: ['amountSpent'], cell: spent },
    { label: 'Reference', paths: ['bookingRef'] },
    { label: 'Booking ID', paths: ['bookingId'] },
  ]),
}

/** A receipt as a row. The amount is in currency units. */
export const receiptList = listOf('change', 'changes', 'Nothing was changed.', {
  columns: [
    { path: 'bookingId', header: 'BOOKING ID', rank: 1 },
    { path: 'bookingRef', header: 'REFERENCE', optional: true },
    { path: 'status', header: 'STATUS', cell: statusAt('status'), flex: 11 },
    { path: 'pax', header: 'PEOPLE', align: 'right' },
    { path: 'amountSpent', header: 'SPENT', align: 'right', cell: ({ amountSpent }) => money(amountSpent) },
  ],
})

/** The answer to changing a booking: the same as to creating one. Assumed. */
export const changedReservationCard: CardView = {
  title: changedTitle('bookingStatus'),
  sections: reservationCard.sections,
}

/** A whole booking after a change. */
export const changedBookingCard: CardView = {
  title: changedTitle('status'),
  sections: [
    { heading: null, fields: gist },
    {
      heading: null,
      // The fields above show these members already, as far as they matter to a person.
      fields: [{ label: '', paths: ['customer.**', 'tables.**'], cell: () => '' }],
    },
  ],
}

function changedTitle(status: string, withoutId = 'Changed booking'): CardView['title'] {
  return (booking) => {
    const id = textAt(booking, 'bookingId')
    const text = id === '' ? withoutId : `Changed booking ${id}`
    return [{ text, tone: 'good' }, statusCell(booking[status])]
  }
}

function spent({ amountSpent }: JsonObject): string {
  return isNonZero(amountSpent) ? money(amountSpent) : ''
}
