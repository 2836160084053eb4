import { basename } from 'node:path'
import { usageFailure } from '../../../base/failure/failure.ts'
import { isJsonObject, parseExact } from '../../../base/json/exact.ts'
import type { TargetPlace } from '../../../sync/copy.ts'
import { type CopyToRead, openToRead } from '../../../sync/open-target.ts'
import { type FoundChanges, type FoundRecord, isSought, RESOURCE_OF, type SoughtIds } from './found.ts'

/** The records and card changes found in a database. */
export interface InDatabase {
  readonly records: FoundRecord[]
  readonly changes: FoundChanges[]
}

/** A search in a database. */
export interface Sought {
  readonly ids: SoughtIds
  readonly kinds: readonly FoundRecord['kind'][]
  readonly place: Omit<TargetPlace, 'resource'>
  /** Whether the database may lack all of these kinds. */
  readonly isOptional?: boolean
}

/** Finds records by ID, and the snapshot changes of a card. Fails: USAGE if there is no such copy; as the copy does. */
export async function recordsInDatabase(
  name: string,
  { ids, kinds, place, isOptional = false }: Sought,
): Promise<InDatabase> {
  const isPostgres = /^postgres/i.test(name)
  const where = isPostgres ? 'database' : basename(name)
  const found: InDatabase = { records: [], changes: [] }
  let has = false
  for (const kind of kinds) {
    const copy = await openToRead(name, '--copy', { ...place, resource: RESOURCE_OF[kind] })
    try {
      const state = await copy.state()
      if (state?.cursorMs == null) continue
      has = true
      for await (const batch of copy.records())
        for (const { text } of batch) {
          const record = parseExact(text)
          if (isJsonObject(record) && isSought(record, kind, ids))
            found.records.push({ kind, record, where, asOfMs: state.cursorMs })
        }
      if (kind === 'card') found.changes.push(...(await changesIn(copy, ids, where)))
    } finally {
      await copy.close()
    }
  }
  if (has || isOptional) return found
  // The address may contain a password.
  const named = isPostgres ? 'in PostgreSQL' : name
  throw usageFailure(
    [`--copy ${named} has no ${kinds.map((kind) => RESOURCE_OF[kind]).join(' or ')} of ${place.source}`],
    'name the source of its records with --source NAME, or another copy',
  )
}

async function changesIn(copy: CopyToRead, ids: SoughtIds, where: string): Promise<FoundChanges[]> {
  const history = await copy.snapshots?.(Number.NEGATIVE_INFINITY)
  const changes = history?.changes.filter(({ id }) => ids.has(id.toUpperCase())) ?? []
  return changes.length === 0 ? [] : [{ changes, where }]
}
