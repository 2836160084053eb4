import type { CardView } from '../../../terminal/render/view.ts'
import { joined, textAt } from '../../shared/views/wording.ts'
import { gist } from './card-sections.ts'
import { statusCell } from './status.ts'

/** A booking as it is after a change. */
export const changedBookingCard: CardView = {
  title: (booking) => [
    { text: joined(['Changed booking', textAt(booking, 'bookingId')], ' '), tone: 'good' },
    statusCell(booking['status']),
  ],
  sections: [
    { heading: null, fields: gist },
    {
      heading: null,
      // What these members are is said above, or nothing to a person.
      fields: [{ label: '', paths: ['customer.**', 'tables.**'], cell: () => '' }],
    },
  ],
}
