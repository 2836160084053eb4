import { literal } from '../../postgres/literal.ts'
import type { Dialect } from '../../sync/tables/ddl.ts'

/** Functions that build SQL for one kind of database. All arguments are SQL expressions, except `text`. */
export interface DialectSql {
  readonly wall: (text: string) => string
  readonly instant: (text: string) => string
  /** Extracts the time of day, such as `19:30`, from a local time. */
  readonly timeOfDay: (expression: string) => string
  /** Extracts the hour, such as `19`, from a local time. */
  readonly hour: (expression: string) => string
  /**
   * Prevents the database from using an index on a column. SQLite would otherwise choose an index that makes it read
   * all of a venue's rows instead of a single time range.
   */
  readonly withoutIndex: (column: string) => string
  /** The table names of a booking `b`, joined into one string in their stored order. */
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
