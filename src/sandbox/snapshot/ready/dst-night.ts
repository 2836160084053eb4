import { seedCards } from '../../seed/cards.ts'
import type { BookingPlan, ReadySnapshot } from './scene.ts'

/** Sydney's clocks go back: after 02:59 the hour from two repeats. */
const BACK = '2027-04-04'
/** They go forward: two o'clock is skipped. */
const FORWARD = '2027-10-03'

/** A private party, as no service is open at night. */
function party(time: string, table: string, duration: number, guest: number, more: Partial<BookingPlan> = {}) {
  return { time, table, duration, guest, people: 2, service: null, method: 'phone', status: 'CONFIRMED', ...more }
}

export const dstNight: ReadySnapshot = {
  name: 'dst-night',
  about: 'the night the clocks go back, at 23:30: bookings before, in and after the hour that comes twice',
  clock: '2027-04-03T12:30:00.000Z',
  fill: (scene) => {
    seedCards(scene.diary, scene.now)
    scene.book({ time: '2027-04-03 19:00', table: 'T4', people: 4, guest: 0, status: 'FINISHED' })
    scene.book({ time: '2027-04-03 21:30', table: 'T5', people: 3, guest: 1, status: 'SEATED' })
    scene.book(party('2027-04-03 23:45', 'T1', 60, 2))
    // It ends at the second 02:30: after two hours, not one.
    scene.book(party(`${BACK} 01:30`, 'T2', 120, 3, { notes: 'Over the change of the clocks' }))
    scene.book(party(`${BACK} 02:00`, 'T3', 30, 4))
    scene.book(party(`${BACK} 02:15`, 'P1', 30, 5, { notes: 'The first 02:15' }))
    scene.book(party(`${BACK} 02:15`, 'P1', 30, 6, { notes: 'The second 02:15', isSecond: true }))
    scene.book(party(`${BACK} 02:45`, 'P2', 30, 7, { notes: 'From the first 02:45 to the second 02:15' }))
    scene.book(party(`${BACK} 02:59`, 'B3', 1, 8, { isSecond: true, notes: 'The last minute that comes twice' }))
    scene.book(party(`${BACK} 03:00`, 'T3', 60, 9))
    scene.book({ time: `${BACK} 09:30`, table: 'T6', people: 4, guest: 10, status: 'CONFIRMED', service: 'brunch' })
    scene.book({ time: `${BACK} 19:00`, table: 'T1', people: 2, guest: 11, status: 'Unconfirmed' })
    // It ends at 03:30 local time, an hour after it starts.
    scene.book(party(`${FORWARD} 01:30`, 'T1', 60, 12, { notes: 'Over the hour that is left out' }))
    scene.book(party(`${FORWARD} 03:00`, 'T2', 30, 13))
  },
}
