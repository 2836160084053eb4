import { literal } from '../../postgres/literal.ts'
import type { Dialect } from '../../sync/tables/ddl.ts'
import type { Night } from './business-day.ts'
import { DIALECT_SQL } from './dialects.ts'

/** The parameters for querying a night's figures. */
export interface FigureParameters {
  /** The nights. Must not be empty. */
  readonly nights: readonly Night[]
  /** Additional status codes of no-shows. No-shows are also recognized by the words in their status. */
  readonly noShow: readonly string[]
  /** Additional status codes of seated guests. Seated guests are also recognized by the words in their status. */
  readonly seated: readonly string[]
}

/**
 * Words that appear in the statuses of seated guests. Each venue names its own statuses, so there are no fixed codes.
 */
const SEATED_WORDS = ['seated', 'finished', 'completed', 'departed'] as const

/**
 * Builds SQL that selects the nights and their bookings. `kind` is `no-show` or `cancelled` if a booking's status says
 * so, and `cover` otherwise.
 */
export function buildBookedSql(dialect: Dialect, { nights, noShow }: FigureParameters): string {
  return `WITH ${buildNightTable(dialect, nights, ['starts', 'ends'])}, said AS (
  SELECT b.*, ${stripSeparators(`coalesce(b.status_type, '') || '|' || coalesce(b.status_code, '') || '|' || coalesce(b.status_name, '')`)} AS words
  FROM bookings b CROSS JOIN night n
  WHERE ${buildNightCondition(dialect, nights, 'bookings')}
), booked AS MATERIALIZED (
  SELECT s.*, CASE
    WHEN s.words LIKE '%noshow%'${orCode(noShow)} THEN 'no-show'
    WHEN s.words LIKE '%cancel%' THEN 'cancelled'
    ELSE 'cover'
  END AS kind
  FROM said s
)`
}

type NightTime = 'starts' | 'ends' | 'startsUtc' | 'endsUtc'

function columnOf(time: NightTime): string {
  return time.replace('Utc', '_utc')
}

/** Builds SQL that defines a table `night` with one row per night and one column for each of `times`. */
export function buildNightTable(dialect: Dialect, nights: readonly Night[], times: readonly NightTime[]): string {
  const { wall, instant } = DIALECT_SQL[dialect]
  const rows = nights.map((night) => {
    const values = times.map((time) => (time.endsWith('Utc') ? instant : wall)(night[time]))
    return `(${[literal(night.source), ...values].join(', ')})`
  })
  return `night (${['source', ...times.map(columnOf)].join(', ')}) AS (
  VALUES ${rows.join(',\n    ')}
)`
}

/**
 * Builds the SQL condition that is true if a booking `b` or sale `s` belongs to the night `n`. It starts with the range
 * of all nights, which the database can read from an index. Join the tables with `CROSS JOIN night n`: SQLite never
 * reorders such a join, so it reads the range once instead of once per venue.
 */
export function buildNightCondition(dialect: Dialect, nights: readonly Night[], rows: 'bookings' | 'sales'): string {
  const { wall, instant, withoutIndex } = DIALECT_SQL[dialect]
  const [row, time, from, to, literalOf] =
    rows === 'bookings'
      ? (['b', 'b.booking_time', 'starts', 'ends', wall] as const)
      : (['s', 's.closed_at', 'startsUtc', 'endsUtc', instant] as const)
  const starts = nights.map((night) => night[from]).sort()
  const ends = nights.map((night) => night[to]).sort()
  return `${time} >= ${literalOf(starts[0] ?? '')} AND ${time} < ${literalOf(ends.at(-1) ?? '')}
    AND ${withoutIndex(`${row}.source`)} = n.source
    AND ${withoutIndex(time)} >= n.${columnOf(from)} AND ${withoutIndex(time)} < n.${columnOf(to)}`
}

/** Builds the SQL condition for bookings `b` whose guests were seated. */
export function buildSeatedCondition({ seated }: FigureParameters): string {
  const says = SEATED_WORDS.map((word) => `b.words LIKE '%${word}%'`).join(' OR ')
  return `b.kind = 'cover' AND (${says}${orCode(seated, 'b')})`
}

/** Builds SQL that converts text to lower case and removes its separators. */
function stripSeparators(expression: string): string {
  return ['-', '_', ' '].reduce((inner, sign) => `replace(${inner}, '${sign}', '')`, `lower(${expression})`)
}

function orCode(codes: readonly string[], alias = 's'): string {
  if (codes.length === 0) return ''
  return ` OR lower(${alias}.status_code) IN (${codes.map((code) => `lower(${literal(code)})`).join(', ')})`
}
