import type { CopyKey } from '../copy.ts'
import { literal } from '../postgres/literals.ts'
import { kept, type Table } from './table.ts'

/** The cursor, the holder and the last run of each copy. */
export const SYNC_STATE: Table = {
  name: 'sync_state',
  columns: [
    kept('source', 'text', true),
    kept('resource', 'text', true),
    // By the service's clock; null before the first commit.
    kept('cursor', 'instant'),
    kept('memo', 'text'),
    // The zone that instants were computed in; null if unknown.
    kept('timezone', 'text'),
    // The lease, for a database that several hosts share.
    kept('holder', 'text'),
    kept('held_since', 'instant'),
    kept('lease_until', 'instant'),
    kept('epoch', 'integer', true),
    // The last run that committed.
    kept('run_started_at', 'instant'),
    kept('run_requests', 'integer'),
    kept('run_added', 'integer'),
    kept('run_changed', 'integer'),
    kept('run_unchanged', 'integer'),
  ],
  key: ['source', 'resource'],
  indexes: [],
}

/** The version of the tables. Copies have the product `partner`; an inbox in the same database has its own. */
export const SCHEMA_VERSION_TABLE: Table = {
  name: 'schema_version',
  columns: [kept('product', 'text', true), kept('version', 'integer', true), kept('migrated_at', 'instant', true)],
  key: ['product'],
  indexes: [],
}

/** The product of the copies' tables. */
export const PRODUCT = 'partner'

/** SQL condition for the row of a copy in `sync_state`. */
export function whereKey({ source, resource }: CopyKey): string {
  return `source = ${literal(source)} AND resource = ${literal(resource)}`
}
