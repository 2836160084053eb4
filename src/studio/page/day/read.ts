import type { BookingDocument } from '../../../sandbox/records/booking.ts'
import type { Diary } from '../../../sandbox/store/diary.ts'
import { DAY } from '../../../sandbox/venue/time.ts'
import type { Zone } from '../../../sandbox/venue/zone.ts'

/** A booking in the diary of a day. Minutes count from the midnight at which the day begins, on the venue's clock. */
export interface DiaryBooking {
  readonly document: BookingDocument
  /** Empty when the booking is in nobody's name. */
  readonly guest: string
  readonly fromMinute: number
  readonly toMinute: number
  readonly tableIds: readonly string[]
}

/** The bookings of a day, the earliest first. */
export interface DiaryDay {
  readonly bookings: readonly DiaryBooking[]
  /** How many the day has, of which the latest are not read when they are too many. */
  readonly count: number
  readonly guests: number
}

/** More bookings than this are no diary that anybody could look at. */
const MOST_BOOKINGS = 600

const OF_DAY = 'FROM bookings b WHERE b.location = ? AND b.starts >= ? AND b.starts < ?'

/** Reads the bookings of a venue that start on a day of its calendar (days since 1970), by the index of their starts. */
export function readDay(diary: Diary, location: string, day: number): DiaryDay {
  const { zone } = diary
  const midnight = day * DAY
  const range = [location, zone.toInstant(midnight), zone.toInstant(midnight + DAY)] as const
  const rows = diary.all(
    `SELECT b.starts, b.ends, b.tables, b.document, (SELECT full_name FROM customers c WHERE c.id = b.customer) AS guest
     ${OF_DAY} ORDER BY b.starts, b.rank LIMIT ${MOST_BOOKINGS}`,
    ...range,
  )
  const bookings = rows.map((row) => {
    const fromMinute = minuteOf(Number(row['starts']), midnight, zone)
    return {
      document: JSON.parse(String(row['document'])) as BookingDocument,
      guest: String(row['guest'] ?? ''),
      fromMinute,
      // A night on which clocks are set back shows a later time first.
      toMinute: Math.max(fromMinute, minuteOf(Number(row['ends']), midnight, zone)),
      tableIds: JSON.parse(String(row['tables'])) as string[],
    }
  })
  const isAll = bookings.length < MOST_BOOKINGS
  const count = isAll ? bookings.length : Number(diary.get(`SELECT count(*) AS count ${OF_DAY}`, ...range)?.['count'])
  return { bookings, count, guests: bookings.reduce((sum, { document }) => sum + document.people, 0) }
}

function minuteOf(instant: number, midnight: number, zone: Zone): number {
  return Math.round((zone.toLocal(instant) - midnight) / 60_000)
}
