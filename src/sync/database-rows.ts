import type { Dialect } from './tables/ddl.ts'

/** A row of an answer, as text whatever the database: numbers are their digits. */
export type TextRow = Readonly<Record<string, string | null>>

/** A copy in a database that is only looked at. */
export interface DatabaseRows {
  readonly dialect: Dialect
  /** Fails: as the database does, in words. */
  readonly rows: (sql: string) => Promise<readonly TextRow[]>
  readonly close: () => Promise<void>
}
