import type { SyncRecord } from '../record.ts'
import { NumberTable } from './hash-table.ts'
import { readLines } from './read-lines.ts'

const BATCH = 500

/**
 * The newest version of each record in the first bytes of a file of NDJSON: the last that was appended. What has no ID is a record
 * of its own. It reads the file twice, and holds a mark for each line.
 */
export function* newestIn(
  descriptor: number,
  length: number,
  toRecord: (line: string) => SyncRecord,
): Generator<readonly SyncRecord[]> {
  const isNewest = marksOf(descriptor, length, toRecord)
  yield* batchesOf(readLines(descriptor, length), (line, row) => (isNewest[row] ? toRecord(line) : null))
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

/** 1 for each line that has the newest version of its record. */
function marksOf(descriptor: number, length: number, toRecord: (line: string) => SyncRecord): Uint8Array {
  const lastOf = new NumberTable()
  let marks = new Uint8Array(1024)
  let row = 0
  for (const line of readLines(descriptor, length)) {
    if (row === marks.length) {
      const more = new Uint8Array(marks.length * 2)
      more.set(marks)
      marks = more
    }
    const { id } = toRecord(line)
    const last = id === null ? undefined : lastOf.get(id)
    if (last !== undefined) marks[last] = 0
    marks[row] = 1
    if (id !== null) lastOf.set(id, row)
    row++
  }
  return marks
}
