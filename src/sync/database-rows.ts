import type { TextRow } from '../base/storage/text-row.ts'
import type { Dialect } from './tables/ddl.ts'

/** A database that is open for reading only. */
export interface DatabaseRows {
  readonly dialect: Dialect
  /** Runs a query. Throws database errors with an explanation added. */
  readonly rows: (sql: string) => Promise<readonly TextRow[]>
  /** Runs a query whose result may be large. Yields the result in batches. Throws the same errors as {@link rows}. */
  readonly batches: (sql: string) => AsyncIterable<readonly TextRow[]>
  readonly close: () => Promise<void>
}
