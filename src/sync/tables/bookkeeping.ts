import { literal } from '../../postgres/literal.ts'
import type { CopyKey } from '../copy.ts'
import { kept, required, type Table } from './table.ts'

/** Each copy's cursor, holder and last run. */
export const SYNC_STATE: Table = {
  name: 'sync_state',
  columns: [
    ...required('text', 'source', 'resource'),
    // The cursor, which is a time on the service's clock, or null before the first commit.
    ...kept('instant', 'cursor'),
    ...kept('text', 'memo'),
    // The time zone used to compute instants, or null if unknown.
    ...kept('text', 'timezone'),
    // The lease, which is used if several hosts share the database.
    ...kept('text', 'holder'),
    ...kept('instant', 'held_since', 'lease_until'),
    ...required('integer', 'epoch'),
    // Statistics about the last run that committed.
    ...kept('instant', 'run_started_at'),
    ...kept('integer', 'run_requests', 'run_added', 'run_changed', 'run_unchanged'),
  ],
  key: ['source', 'resource'],
  indexes: [],
}

/**
 * The schema version of each product with tables in this database. The `product` is `partner` for copies, and a
 * different value for an inbox.
 */
export const SCHEMA_VERSION_TABLE: Table = {
  name: 'schema_version',
  columns: [...required('text', 'product'), ...required('integer', 'version'), ...required('instant', 'migrated_at')],
  key: ['product'],
  indexes: [],
}

export const PRODUCT = 'partner'

/** Returns the SQL condition for a copy's row in `sync_state`. */
export function whereKey({ source, resource }: CopyKey): string {
  return `source = ${literal(source)} AND resource = ${literal(resource)}`
}
