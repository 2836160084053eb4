import type { CopyKey } from '../copy.ts'
import { literal } from '../postgres/literals.ts'
import { kept, type Table } from './table.ts'

/** How far each copy has come, who holds it, and what its last run did. */
export const SYNC_STATE: Table = {
  name: 'sync_state',
  columns: [
    kept('source', 'text', true),
    kept('resource', 'text', true),
    // The high-water mark, by the service's clock; null before the first commit.
    kept('cursor', 'instant'),
    // What the run wants to find again next time.
    kept('memo', 'text'),
    // The venue's zone, in which its local times were made instants; null: nobody knew it.
    kept('timezone', 'text'),
    // For a database that many hosts share: who holds the copy, since and until when, and how often the hold changed hands.
    kept('holder', 'text'),
    kept('held_since', 'instant'),
    kept('lease_until', 'instant'),
    kept('epoch', 'integer', true),
    // The last run that committed something.
    kept('run_started_at', 'instant'),
    kept('run_requests', 'integer'),
    kept('run_added', 'integer'),
    kept('run_changed', 'integer'),
    kept('run_unchanged', 'integer'),
  ],
  key: ['source', 'resource'],
  indexes: [],
}

/** Which form the tables have. The row of the copies has the product `partner`; an inbox in the same database has its own. */
export const SCHEMA_VERSION_TABLE: Table = {
  name: 'schema_version',
  columns: [kept('product', 'text', true), kept('version', 'integer', true), kept('migrated_at', 'instant', true)],
  key: ['product'],
  indexes: [],
}

/** What `schema_version` says of a database of ours. */
export const PRODUCT = 'partner'

/** The row of a copy in `sync_state`, as a condition. */
export function whereKey({ source, resource }: CopyKey): string {
  return `source = ${literal(source)} AND resource = ${literal(resource)}`
}
