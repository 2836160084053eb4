import type { SyncRecord } from '../record.ts'
import { NumberTable } from './hash-table.ts'
import { readLines } from './read-lines.ts'

const BATCH = 500

/**
 * The newest version of each record in the first bytes of a file of NDJSON: the last that was appended. A line without an ID is a
 * record of its own. Reads the file twice.
 */
export function* newestIn(
  descriptor: number,
  length: number,
  toRecord: (line: string) => SyncRecord,
): Generator<readonly SyncRecord[]> {
  const lastRows = new NumberTable()
  let row = 0
  for (const line of readLines(descriptor, length)) {
    const { id } = toRecord(line)
    if (id !== null) lastRows.set(id, row)
    row++
  }
  yield* batchesOf(readLines(descriptor, length), (line, row) => {
    const record = toRecord(line)
    return record.id === null || lastRows.get(record.id) === row ? record : null
  })
}

/** Every version there, in the order in which they were appended. */
export function allIn(
  descriptor: number,
  length: number,
  toRecord: (line: string) => SyncRecord,
): Generator<readonly SyncRecord[]> {
  return batchesOf(readLines(descriptor, length), toRecord)
}

function* batchesOf(
  lines: Iterable<string>,
  toRecord: (line: string, row: number) => SyncRecord | null,
): Generator<readonly SyncRecord[]> {
  let batch: SyncRecord[] = []
  let row = 0
  for (const line of lines) {
    const record = toRecord(line, row++)
    if (record) batch.push(record)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
