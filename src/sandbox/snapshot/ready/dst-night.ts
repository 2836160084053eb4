import { seedCards } from '../../seed/cards.ts'
import type { BookingPlan, ReadySnapshot } from './scene.ts'

/** The date on which clocks go back in Sydney. The hour from 02:00 to 02:59 repeats. */
const BACK = '2027-04-04'
/** The date on which clocks go forward in Sydney. The hour from 02:00 to 02:59 is skipped. */
const FORWARD = '2027-10-03'

/** Returns a booking for a private party. It does not belong to a meal service, because none is open at night. */
function party(time: string, table: string, duration: number, guest: number, more: Partial<BookingPlan> = {}) {
  return { time, table, duration, guest, people: 2, service: null, method: 'phone', status: 'CONFIRMED', ...more }
}

export const dstNight: ReadySnapshot = {
  name: 'dst-night',
  about: 'the night the clocks go back, at 23:30: bookings before, during and after the repeated hour',
  clock: '2027-04-03T12:30:00.000Z',
  fill: (scene) => {
    seedCards(scene.diary, scene.now)
    scene.book({ time: '2027-04-03 19:00', table: 'T4', people: 4, guest: 0, status: 'FINISHED' })
    scene.book({ time: '2027-04-03 21:30', table: 'T5', people: 3, guest: 1, status: 'SEATED' })
    scene.book(party('2027-04-03 23:45', 'T1', 60, 2))
    // This booking lasts two hours, until the second 02:30, not one hour as the local times suggest.
    scene.book(party(`${BACK} 01:30`, 'T2', 120, 3, { notes: 'Spans the clock change' }))
    scene.book(party(`${BACK} 02:00`, 'T3', 30, 4))
    scene.book(party(`${BACK} 02:15`, 'P1', 30, 5, { notes: 'The first 02:15' }))
    scene.book(party(`${BACK} 02:15`, 'P1', 30, 6, { notes: 'The second 02:15', isSecond: true }))
    scene.book(party(`${BACK} 02:45`, 'P2', 30, 7, { notes: 'From the first 02:45 to the second 02:15' }))
    scene.book(party(`${BACK} 02:59`, 'B3', 1, 8, { isSecond: true, notes: 'The last minute of the repeated hour' }))
    scene.book(party(`${BACK} 03:00`, 'T3', 60, 9))
    scene.book({ time: `${BACK} 09:30`, table: 'T6', people: 4, guest: 10, status: 'CONFIRMED', service: 'brunch' })
    scene.book({ time: `${BACK} 19:00`, table: 'T1', people: 2, guest: 11, status: 'Unconfirmed' })
    // This booking lasts one hour, until 03:30, not two hours as the local times suggest.
    scene.book(party(`${FORWARD} 01:30`, 'T1', 60, 12, { notes: 'Spans the skipped hour' }))
    scene.book(party(`${FORWARD} 03:00`, 'T2', 30, 13))
  },
}
