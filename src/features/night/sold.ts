import { literal } from '../../sync/postgres/literals.ts'
import type { Dialect } from '../../sync/tables/ddl.ts'
import type { Question } from './booked.ts'
import { WORDS } from './dialects.ts'

/**
 * The nights, the sales that were closed in them, and the money of each venue. A sale that is linked to two bookings counts once. The
 * service names no currency of a sale: it is the one that the bookings of the night are paid in, unless they name none, or several.
 */
export function sold(dialect: Dialect, { nights }: Question): string {
  const { wall, instant, notByIndex } = WORDS[dialect]
  const rows = nights.map(({ source, starts, ends, startsUtc, endsUtc }) => {
    const times = [wall(starts), wall(ends), instant(startsUtc), instant(endsUtc)]
    return `(${literal(source)}, ${times.join(', ')})`
  })
  return `WITH night (source, starts, ends, starts_utc, ends_utc) AS (
  VALUES ${rows.join(',\n    ')}
), sold AS (
  SELECT s.source, s.id, max(s.total_cents) AS total_cents
  FROM night n
  JOIN sales s ON ${notByIndex('s.source')} = n.source AND s.closed_at >= n.starts_utc AND s.closed_at < n.ends_utc
  GROUP BY s.source, s.id
), money AS (
  SELECT b.source, min(b.currency_code) AS currency
  FROM night n
  JOIN bookings b ON ${notByIndex('b.source')} = n.source AND b.booking_time >= n.starts AND b.booking_time < n.ends
  WHERE b.currency_code IS NOT NULL
  GROUP BY b.source
  HAVING count(DISTINCT b.currency_code) = 1
)`
}
