import type { Dialect } from './tables/ddl.ts'

/** A result row of either database. Every value is text; numbers are their digits. */
export type TextRow = Readonly<Record<string, string | null>>

/** A database opened for reading only. */
export interface DatabaseRows {
  readonly dialect: Dialect
  /** Fails: as the database does, explained. */
  readonly rows: (sql: string) => Promise<readonly TextRow[]>
  /** Runs a query whose result may be large. Fails: as {@link rows}. */
  readonly batches: (sql: string) => AsyncIterable<readonly TextRow[]>
  readonly close: () => Promise<void>
}
