import type { SyncRecord } from '../record.ts'
import { readLines } from './read-lines.ts'

const BATCH = 500

/**
 * The newest version of each record in the first bytes of a file of NDJSON: the last that was appended. What has no ID is a record
 * of its own. It reads the file twice, and holds a number for each ID.
 */
export function* newestIn(
  descriptor: number,
  length: number,
  toRecord: (line: string) => SyncRecord,
): Generator<readonly SyncRecord[]> {
  const lastOf = new Map<string, number>()
  let row = 0
  for (const line of readLines(descriptor, length)) {
    const { id } = toRecord(line)
    if (id !== null) lastOf.set(id, row)
    row++
  }
  let batch: SyncRecord[] = []
  row = 0
  for (const line of readLines(descriptor, length)) {
    const record = toRecord(line)
    if (record.id === null || lastOf.get(record.id) === row) batch.push(record)
    row++
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
