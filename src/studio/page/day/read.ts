import type { BookingDocument } from '../../../sandbox/records/booking.ts'
import type { Diary } from '../../../sandbox/store/diary.ts'
import { DAY } from '../../../sandbox/venue/time.ts'
import type { Zone } from '../../../sandbox/venue/zone.ts'

/**
 * A day's bookings, ordered by time. If there are too many, the latest ones are left out, but `count` includes them.
 */
export type DiaryDay = Readonly<ReturnType<typeof readDay>>

/**
 * A booking on the page. Minutes are counted from midnight at the venue. `guest` is empty if the booking has no
 * customer.
 */
export type DiaryBooking = Readonly<DiaryDay['bookings'][number]>

/** The maximum number of bookings on the page. A page with more would be unreadable. */
const MAX_BOOKINGS = 600

const OF_DAY = 'FROM bookings b WHERE b.location = ? AND b.starts >= ? AND b.starts < ?'

/** Reads a venue's bookings for a day (in days since 1970). Uses the index on start times. */
export function readDay(diary: Diary, location: string, day: number) {
  const { zone } = diary
  const midnight = day * DAY
  const range = [location, zone.toInstant(midnight), zone.toInstant(midnight + DAY)] as const
  const rows = diary.all(
    `SELECT b.starts, b.ends, b.tables, b.document, (SELECT full_name FROM customers c WHERE c.id = b.customer) AS guest
     ${OF_DAY} ORDER BY b.starts, b.rank LIMIT ${MAX_BOOKINGS}`,
    ...range,
  )
  const bookings = rows.map((row) => {
    const fromMinute = minuteOf(Number(row['starts']), midnight, zone)
    return {
      document: JSON.parse(String(row['document'])) as BookingDocument,
      guest: String(row['guest'] ?? ''),
      fromMinute,
      // If clocks go back during a booking, its local end time can be earlier than its start time.
      toMinute: Math.max(fromMinute, minuteOf(Number(row['ends']), midnight, zone)),
      tableIds: JSON.parse(String(row['tables'])) as string[],
    }
  })
  const isAll = bookings.length < MAX_BOOKINGS
  const count = isAll ? bookings.length : Number(diary.get(`SELECT count(*) AS count ${OF_DAY}`, ...range)?.['count'])
  return { bookings, count, guests: bookings.reduce((sum, { document }) => sum + document.people, 0) }
}

function minuteOf(instant: number, midnight: number, zone: Zone): number {
  return Math.round((zone.toLocal(instant) - midnight) / 60_000)
}
