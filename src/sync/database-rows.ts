import type { Dialect } from './tables/ddl.ts'

/** A result row of either database. Every value is text; numbers are their digits. */
export type TextRow = Readonly<Record<string, string | null>>

/** A database opened for reading only. */
export interface DatabaseRows {
  readonly dialect: Dialect
  /** Fails: as the database does, explained. */
  readonly rows: (sql: string) => Promise<readonly TextRow[]>
  readonly close: () => Promise<void>
}
