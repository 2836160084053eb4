import type { JsonObject } from '../../../base/json/exact.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import type { CardView, CellOf } from '../../../terminal/render/view.ts'
import { ERROR_FIELD, onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { venueTime, weekdayOf } from '../../shared/views/moments.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { counted, isNonZero, joined, money, textAt } from '../../shared/views/wording.ts'
import { mainFields, timeField } from './booking.ts'
import { statusAt, statusCell } from './status.ts'

const tableNames: CellOf = ({ tableNames: names }) =>
  Array.isArray(names) ? joined(names.map(plainText), ', ') : plainText(names)

/** Shows the response to creating a booking as a card. Source: "POST /Reservations", response 201. */
export const reservationCard: CardView = {
  title: (reservation, context) => {
    if (reservation['isSuccess'] === false)
      return [{ text: 'Not booked', tone: 'bad' }, textAt(reservation, 'errorMessage')]
    const time = venueTime(reservation['time'], context)
    const parts = [
      counted(reservation['numOfPeople'], 'person', 'people'),
      joined([weekdayOf(time), time], ' '),
      textAt(reservation, 'serviceName'),
    ]
    const text = joined(['Booked', joined(parts, ', ')], ': ')
    return [{ text, tone: 'strong' }, statusCell(reservation['bookingStatus'])]
  },
  sections: onlyFields([
    { label: 'Booking ID', paths: ['bookingId'], blank: 'none given' },
    timeField('time'),
    { label: 'People', paths: ['numOfPeople'] },
    { label: 'Status', paths: ['bookingStatus'], cell: statusAt('bookingStatus') },
    { label: 'Tables', paths: ['tableNames'], cell: tableNames, blank: 'none assigned' },
    { label: 'Service', paths: ['serviceName'] },
    { label: 'Service ID', paths: ['serviceId'] },
    { label: 'Section ID', paths: ['sectionId'] },
    ERROR_FIELD,
  ]),
}

export const reservationList = listOf('booking', 'bookings', 'No bookings.', {
  columns: [
    { path: 'time', header: 'TIME', cell: ({ time }, context) => venueTime(time, context), rank: 2 },
    { path: 'numOfPeople', header: 'PAX', align: 'right', rank: 3 },
    { path: 'bookingStatus', header: 'STATUS', cell: statusAt('bookingStatus'), flex: 11, rank: 4 },
    { path: 'tableNames', header: 'TABLES', cell: tableNames, flex: 6, rank: 5, optional: true },
    { path: 'serviceName', header: 'SERVICE', flex: 8, rank: 6, optional: true },
    { path: 'bookingId', header: 'BOOKING ID', rank: 1 },
  ],
  csvPaths: pathsIn(`bookingId time numOfPeople bookingStatus duration tableNames serviceId serviceName sectionId
    isSuccess errorMessage`),
})

/**
 * Shows the response to changing a booking's status, party size or tables as a card. The response's members are
 * assumed: `{bookingId, bookingRef, amountSpent, status, pax}`.
 */
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

/** Shows the response to a change as a table row. `amountSpent` is in currency units. */
export const receiptList = listOf('change', 'changes', 'Nothing was changed.', {
  columns: [
    { path: 'bookingId', header: 'BOOKING ID', rank: 1 },
    { path: 'bookingRef', header: 'REFERENCE', optional: true },
    { path: 'status', header: 'STATUS', cell: statusAt('status'), flex: 11 },
    { path: 'pax', header: 'PEOPLE', align: 'right' },
    { path: 'amountSpent', header: 'SPENT', align: 'right', cell: ({ amountSpent }) => money(amountSpent) },
  ],
})

/**
 * Shows the response to `bookings update` as a card. The response is assumed to have the same members as the response
 * to creating a booking.
 */
export const changedReservationCard: CardView = {
  title: changedTitle('bookingStatus'),
  sections: reservationCard.sections,
}

export const changedBookingCard: CardView = {
  title: changedTitle('status'),
  sections: [
    { heading: null, fields: mainFields },
    // Hide the remaining guest and table members, because the fields above show the important ones.
    { heading: null, fields: [{ label: '', paths: ['customer.**', 'tables.**'], cell: () => '' }] },
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
