import type { Dialect } from './tables/ddl.ts'

/** A result row from SQLite or PostgreSQL. Every value is text; numbers are decimal digits. */
export type TextRow = Readonly<Record<string, string | null>>

/** A database opened for reading only. */
export interface DatabaseRows {
  readonly dialect: Dialect
  /** Runs a query. Throws whatever the database does, with an explanation throws. */
  readonly rows: (sql: string) => Promise<readonly TextRow[]>
  /** Runs a query whose result may be large, and yields it in batches. Throws whatever {@link rows} throws. */
  readonly batches: (sql: string) => AsyncIterable<readonly TextRow[]>
  readonly close: () => Promise<void>
}
