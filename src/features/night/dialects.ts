import { literal } from '../../sync/postgres/literals.ts'
import type { Dialect } from '../../sync/tables/ddl.ts'

/** Builders of SQL that differs between databases. Arguments are SQL expressions, except `text`. */
export interface DialectSql {
  readonly wall: (text: string) => string
  readonly instant: (text: string) => string
  /** The time of day in a local time, such as `19:30`. */
  readonly timeOfDay: (expression: string) => string
  /** The hour in a local time, such as `19`. */
  readonly hour: (expression: string) => string
  /** A column that must not use an index: with one, SQLite would read the whole venue instead of one time range. */
  readonly withoutIndex: (column: string) => string
  /** The table names of booking `b`, in order, joined into one string. */
  readonly tablesOfBooking: string
}

const OF_BOOKING = 't.source = b.source AND t.booking_id = b.id'

export const DIALECT_SQL: Readonly<Record<Dialect, DialectSql>> = {
  sqlite: {
    wall: literal,
    instant: literal,
    timeOfDay: (expression) => `substr(${expression}, 12, 5)`,
    hour: (expression) => `substr(${expression}, 12, 2)`,
    // Source: https://sqlite.org/optoverview.html, "Disqualifying WHERE Clause Terms Using Unary +"
    withoutIndex: (column) => `+${column}`,
    tablesOfBooking: `(SELECT group_concat(table_name, ', ') FROM
      (SELECT t.table_name FROM booking_tables t WHERE ${OF_BOOKING} ORDER BY t.position))`,
  },
  postgres: {
    wall: (text) => `timestamp ${literal(text)}`,
    instant: (text) => `timestamptz ${literal(text)}`,
    timeOfDay: (expression) => `to_char(${expression}, 'HH24:MI')`,
    hour: (expression) => `to_char(${expression}, 'HH24')`,
    withoutIndex: (column) => column,
    tablesOfBooking: `(SELECT string_agg(t.table_name, ', ' ORDER BY t.position) FROM booking_tables t
      WHERE ${OF_BOOKING})`,
  },
}
