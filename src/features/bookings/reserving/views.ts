import { plainText } from '../../../terminal/render/text/plain-text.ts'
import type { CardView, CellOf } from '../../../terminal/render/view.ts'
import { onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { venueTime, weekdayOf } from '../../shared/views/moments.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { counted, joined, textAt } from '../../shared/views/wording.ts'
import { timeField } from '../views/booking.ts'
import { statusAt, statusCell } from '../views/status.ts'

const tableNames: CellOf = ({ tableNames: names }) =>
  Array.isArray(names) ? joined(names.map(plainText), ', ') : plainText(names)

/** The answer to creating a booking. Source: "POST /Reservations", response 201. */
export const reservationCard: CardView = {
  title: (reservation, context) => {
    if (reservation['isSuccess'] === false)
      return [{ text: 'Not booked', tone: 'bad' }, textAt(reservation, 'errorMessage')]
    const time = venueTime(reservation['time'], context)
    const gist = [
      counted(reservation['numOfPeople'], 'person', 'people'),
      joined([weekdayOf(time), time], ' '),
      textAt(reservation, 'serviceName'),
    ]
    const text = joined(['Booked', joined(gist, ', ')], ': ')
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
    {
      label: 'Error',
      paths: ['errorMessage', 'isSuccess'],
      cell: (r) => ({ text: textAt(r, 'errorMessage'), tone: 'bad' }),
    },
  ]),
}

/** A created booking as a row. */
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
