import { Failure } from '../../base/failure/failure.ts'
import { refuseTooDeep } from '../../base/json/parse.ts'
import { toSyncRecord } from '../reading/sync-record.ts'
import type { SyncRecord } from '../record.ts'
import type { Resource } from '../resources.ts'
import { NumberTable } from './hash-table.ts'
import { readLines } from './read-lines.ts'

const BATCH = 500

/** The first bytes of an NDJSON file, with one version of a record on each line. */
export interface Log {
  readonly path: string
  readonly resource: Resource
  readonly descriptor: number
  readonly length: number
}

/** Fails: USAGE for a line that is not JSON. */
export function* logLines(log: Log): Generator<{ readonly line: string; readonly record: SyncRecord }> {
  for (const line of readLines(log.descriptor, log.length)) yield { line, record: recordOf(line, log) }
}

/** Yields all versions, or the newest of each record, in file order. Fails: as {@link logLines}. */
export function* logRecords(log: Log, which: 'newest' | 'all'): Generator<readonly SyncRecord[]> {
  const isWanted = which === 'all' ? () => true : newestIn(log)
  let batch: SyncRecord[] = []
  let row = 0
  for (const { record } of logLines(log)) {
    if (isWanted(record, row++)) batch.push(record)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** A record without an ID has one version. */
function newestIn(log: Log): (record: SyncRecord, row: number) => boolean {
  const lastRows = new NumberTable()
  let row = 0
  for (const { record } of logLines(log)) {
    if (record.id !== null) lastRows.set(record.id, row)
    row++
  }
  return ({ id }, at) => id === null || lastRows.get(id) === at
}

function recordOf(line: string, { path, resource }: Log): SyncRecord {
  try {
    refuseTooDeep(line)
    const { parsed, ...record } = toSyncRecord(line, resource, true)
    return record
  } catch (error) {
    throw new Failure('USAGE', `a line of ${path} is no JSON: something else wrote to it: ${line.slice(0, 60)}`, {
      hint: `put the file back as it was, or read everything again: --reset --yes starts ${path} anew`,
      cause: error,
    })
  }
}
