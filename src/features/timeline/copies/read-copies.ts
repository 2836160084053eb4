import { type InDatabase, recordsInDatabase, type Sought } from './database.ts'
import { recordsInFile } from './lines.ts'

/** True for the name of a copy in a database, whose records belong to a source. */
export function isInDatabase(name: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(name) || name.endsWith('.db')
}

/** All that copies have of what is looked for: every version that a .ndjson has, of the others the newest. Fails: USAGE; as a copy does. */
export async function readCopies(names: readonly string[], sought: Sought): Promise<InDatabase> {
  const all: InDatabase = { records: [], changes: [] }
  for (const name of names) {
    if (isInDatabase(name)) {
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
