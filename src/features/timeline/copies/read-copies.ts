import { databaseKind } from '../../../sync/database-kind.ts'
import { type InDatabase, recordsInDatabase, type Sought } from './database.ts'
import { recordsInFile } from './lines.ts'

/** All that copies have of what is looked for: every version that a .ndjson has, of the others the newest. Fails: USAGE; as a copy does. */
export async function readCopies(names: readonly string[], sought: Sought): Promise<InDatabase> {
  const all: InDatabase = { records: [], changes: [] }
  for (const name of names) {
    if (databaseKind(name) !== null) {
      const { records, changes } = await recordsInDatabase(name, sought)
      all.records.push(...records)
      all.changes.push(...changes)
    } else {
      const records = await recordsInFile(name, sought.ids)
      all.records.push(...records.filter(({ kind }) => sought.kinds.includes(kind)))
    }
  }
  return all
}
