import { literal } from '../../postgres/literal.ts'
import { type Dialect, isoText } from '../../sync/tables/ddl.ts'
import {
  buildBookedSql,
  buildNightCondition,
  buildNightTable,
  buildSeatedCondition,
  type FigureParameters,
} from './booked.ts'
import { DIALECT_SQL } from './dialects.ts'

interface Figure {
  readonly name: string
  readonly says: string
  readonly needs: readonly Resource[]
  /** A single complete SQL statement without the final `;`. */
  readonly sql: (dialect: Dialect, question: FigureParameters) => string
}

export type Resource = 'bookings' | 'sales'

const COUNTS = `count(CASE WHEN b.kind = 'cover' THEN 1 END) AS bookings,
  coalesce(sum(CASE WHEN b.kind = 'cover' THEN b.people END), 0) AS covers,
  count(CASE WHEN b.kind = 'no-show' THEN 1 END) AS no_shows,
  coalesce(sum(CASE WHEN b.kind = 'no-show' THEN b.people END), 0) AS no_show_people,
  count(CASE WHEN b.kind = 'cancelled' THEN 1 END) AS cancelled,
  count(CASE WHEN b.kind = 'cover' AND b.people IS NULL THEN 1 END) AS without_people`

const DUE = `count(*) AS bookings, sum(b.amount_due_cents) AS due_cents,
  coalesce(sum(CASE WHEN b.kind = 'no-show' THEN b.amount_due_cents END), 0) AS no_show_due_cents
FROM booked b
WHERE b.kind <> 'cancelled' AND b.amount_due_cents > 0`

const TAKEN = `count(o.id) AS sales, coalesce(sum(o.total_cents), 0) AS total_cents,
  count(CASE WHEN o.id IS NOT NULL AND o.total_cents IS NULL THEN 1 END) AS without_total`

const GUEST = `coalesce(
    nullif(trim(coalesce(b.customer_first_name, '') || ' ' || coalesce(b.customer_last_name, '')), ''),
    nullif(trim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')), ''),
    c.full_name) AS guest`
const WITH_CUSTOMER = 'LEFT JOIN customers c ON c.source = b.source AND c.id = b.customer_id'

/**
 * All figures that are queried from the copy, in the order that the page shows them. The sync lag is queried
 * separately, before the figures.
 */
export const FIGURES = [
  {
    name: 'covers',
    says: 'Covers: the guests of all bookings that are neither cancelled nor no-shows.',
    needs: ['bookings'],
    sql: (dialect, question) => `${buildBookedSql(dialect, question)}
SELECT n.source, ${COUNTS}
FROM night n
LEFT JOIN booked b ON b.source = n.source
GROUP BY n.source
ORDER BY n.source`,
  },
  {
    name: 'covers-by-service',
    says: 'Covers and no-shows by service, in the order of their first booking.',
    needs: ['bookings'],
    sql: (dialect, question) => `${buildBookedSql(dialect, question)}
SELECT b.source, b.service_name AS service, ${COUNTS}
FROM booked b
GROUP BY b.source, b.service_name
ORDER BY b.source, min(b.booking_time), b.service_name`,
  },
  {
    name: 'covers-by-hour',
    says: "Covers by booked hour, in the venue's local time.",
    needs: ['bookings'],
    sql: (dialect, question) => `${buildBookedSql(dialect, question)}
SELECT b.source, ${DIALECT_SQL[dialect].hour('b.booking_time')} AS hour, coalesce(sum(b.people), 0) AS covers
FROM booked b
WHERE b.kind = 'cover'
GROUP BY b.source, ${DIALECT_SQL[dialect].hour('b.booking_time')}
ORDER BY b.source, min(b.booking_time)`,
  },
  {
    name: 'takings',
    says: "The total of all sales that were closed during the night, in the currency of the night's bookings.",
    needs: ['sales'],
    sql: (dialect, question) => `${buildSoldSql(dialect, question)}
SELECT n.source, m.currency, ${TAKEN}
FROM night n
LEFT JOIN sold o ON o.source = n.source
LEFT JOIN money m ON m.source = n.source
GROUP BY n.source, m.currency
ORDER BY n.source`,
  },
  {
    name: 'seated-without-a-sale',
    says: 'Bookings without a linked sale whose status says that the guests were seated.',
    needs: ['bookings', 'sales'],
    sql: (dialect, question) => `${buildBookedSql(dialect, question)}
SELECT b.source, b.id AS booking_id, ${DIALECT_SQL[dialect].timeOfDay('b.booking_time')} AS time, b.people,
  b.service_name AS service, ${DIALECT_SQL[dialect].tablesOfBooking} AS tables,
  coalesce(b.status_name, b.status_code) AS status,
  ${GUEST}
FROM booked b
${WITH_CUSTOMER}
WHERE ${buildSeatedCondition(question)}
  AND NOT EXISTS (
    SELECT 1 FROM sales s WHERE s.booking_id = b.id AND ${DIALECT_SQL[dialect].withoutIndex('s.source')} = b.source)
ORDER BY b.source, b.booking_time, b.id`,
  },
  {
    name: 'sales-without-a-booking',
    says: 'Sales that were closed during the night and are not linked to a booking.',
    needs: ['sales'],
    sql: (dialect, { nights }) => `WITH ${buildNightTable(dialect, nights, ['startsUtc', 'endsUtc'])}
SELECT s.source, s.id AS sale_id, ${isoText('s.closed_at', dialect)} AS closed_at, s.status, s.total_cents,
  s.pos_name, s.staff_name
FROM sales s CROSS JOIN night n
WHERE ${buildNightCondition(dialect, nights, 'sales')}
  AND ${DIALECT_SQL[dialect].withoutIndex('s.booking_id')} = ''
ORDER BY s.source, s.closed_at, s.id`,
  },
  {
    name: 'deposits-due',
    says: 'Deposits still due on bookings that are not cancelled (no-shows included), by currency.',
    needs: ['bookings'],
    sql: (dialect, question) => `${buildBookedSql(dialect, question)}
SELECT b.source, b.currency_code AS currency, ${DUE}
GROUP BY b.source, b.currency_code
ORDER BY b.source, b.currency_code`,
  },
  {
    name: 'deposits-due-by-booking',
    says: 'The bookings with deposits due.',
    needs: ['bookings'],
    sql: (dialect, question) => `${buildBookedSql(dialect, question)}
SELECT b.source, b.id AS booking_id, ${DIALECT_SQL[dialect].timeOfDay('b.booking_time')} AS time, b.people,
  b.service_name AS service, coalesce(b.status_name, b.status_code) AS status,
  ${GUEST},
  b.currency_code AS currency, b.amount_due_cents AS due_cents
FROM booked b
${WITH_CUSTOMER}
WHERE b.kind <> 'cancelled' AND b.amount_due_cents > 0
ORDER BY b.source, b.booking_time, b.id`,
  },
  {
    name: 'covers-of-the-group',
    says: 'The covers across all venues.',
    needs: ['bookings'],
    sql: (dialect, question) => `${buildBookedSql(dialect, question)}
SELECT ${COUNTS}
FROM booked b`,
  },
  {
    name: 'takings-of-the-group',
    says: 'The takings across all venues, by currency.',
    needs: ['sales'],
    sql: (dialect, question) => `${buildSoldSql(dialect, question)}
SELECT m.currency, ${TAKEN}
FROM sold o
LEFT JOIN money m ON m.source = o.source
GROUP BY m.currency
ORDER BY m.currency`,
  },
  {
    name: 'deposits-due-of-the-group',
    says: 'The deposits due across all venues, by currency.',
    needs: ['bookings'],
    sql: (dialect, question) => `${buildBookedSql(dialect, question)}
SELECT b.currency_code AS currency, ${DUE}
GROUP BY b.currency_code
ORDER BY b.currency_code`,
  },
] as const satisfies readonly Figure[]

export type FigureName = (typeof FIGURES)[number]['name']

/** Builds SQL that reads how up to date the copy is. An empty list of venues means all venues. */
export function syncLagSql(dialect: Dialect, sources: readonly string[]): string {
  const only = sources.length === 0 ? '' : `\nWHERE source IN (${sources.map(literal).join(', ')})`
  return `SELECT source, resource, ${isoText('cursor', dialect)} AS up_to, timezone
FROM sync_state${only}
ORDER BY source, resource`
}

/**
 * Builds SQL that selects the nights, their sales and their currency. Each sale counts once. A night's currency is
 * known only if all of its bookings have the same currency.
 */
function buildSoldSql(dialect: Dialect, { nights }: FigureParameters): string {
  return `WITH ${buildNightTable(dialect, nights, ['starts', 'ends', 'startsUtc', 'endsUtc'])}, sold AS (
  SELECT n.source, s.id, max(s.total_cents) AS total_cents
  FROM sales s CROSS JOIN night n
  WHERE ${buildNightCondition(dialect, nights, 'sales')}
  GROUP BY n.source, s.id
), money AS (
  SELECT n.source, min(b.currency_code) AS currency
  FROM bookings b CROSS JOIN night n
  WHERE ${buildNightCondition(dialect, nights, 'bookings')}
    AND b.currency_code IS NOT NULL
  GROUP BY n.source
  HAVING count(DISTINCT b.currency_code) = 1
)`
}
