import { Failure } from '../../base/failure/failure.ts'
import type { NotStored } from '../copy.ts'
import type { Resource } from '../resources.ts'

const LONGEST_ID = 60
const MOST_NAMED = 100

export function notStoredText({ one }: Pick<Resource, 'one'>, { id, why }: NotStored): string {
  return `${one} ${id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id} was not stored in the copy: ${why}`
}

/**
 * Returns the failure (exit code 13) for a run that could not store some records, or `null` if it stored all of them.
 */
export function notStoredFailure(resource: Pick<Resource, 'name' | 'one'>, all: readonly NotStored[]): Failure | null {
  const [first] = all
  if (first === undefined) return null
  const more = all.length === 1 ? '' : ` (and ${all.length - 1} more ${resource.name} were not)`
  return new Failure('INCOMPLETE', `${notStoredText(resource, first)}${more}`, {
    hint: 'all other records were stored, and the next run continues after them; copies in SQLite (x.db) and NDJSON do not have this limitation',
    details: { count: all.length, notStored: all.slice(0, MOST_NAMED).map(({ id, why }) => ({ id, why })) },
  })
}
