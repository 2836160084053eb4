import { Failure } from '../../base/failure/failure.ts'
import { MAX_DEPTH, refuseTooDeep } from '../../base/json/parse.ts'
import { ValueScanner } from '../../base/json/scan.ts'
import { LazyRecord } from '../reading/lazy-record.ts'
import { toSyncRecord } from '../reading/sync-record.ts'
import type { SyncRecord } from '../record.ts'
import type { Resource } from '../resources.ts'
import { NumberTable } from './hash-table.ts'
import { LINE_FEED, readLines, readPieces } from './read-lines.ts'

const BATCH = 500
/**
 * The number of records per batch of {@link allRecords}. Small batches become garbage before the garbage collector
 * moves them to the old generation.
 */
const SMALL_BATCH = 50

/** The first `length` bytes of an NDJSON file. Each line is one version of a record. */
export interface Log {
  readonly path: string
  readonly resource: Resource
  readonly descriptor: number
  readonly length: number
}

/** Yields a log's lines with their records. Throws USAGE if a line is not JSON. */
export function* logLines(log: Log): Generator<{ readonly line: string; readonly record: SyncRecord }> {
  for (const line of readLines(log.descriptor, log.length)) yield { line, record: recordOf(line, log) }
}

/** Yields the newest version of each record, in file order. Throws the same errors as {@link logLines}. */
export function* newestRecords(log: Log): Generator<readonly SyncRecord[]> {
  const isNewest = newestIn(log)
  let batch: SyncRecord[] = []
  let row = 0
  for (const { record } of logLines(log)) {
    if (isNewest(record, row++)) batch.push(record)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * Yields all versions in file order. A reference to a record keeps its whole batch in memory. Throws the same errors as
 * {@link logLines}.
 */
export function* allRecords(log: Log): Generator<readonly SyncRecord[]> {
  const scanner = new ValueScanner(MAX_DEPTH)
  for (const piece of readPieces(log.descriptor, log.length)) {
    let batch: SyncRecord[] = []
    for (let from = 0; from < piece.length; ) {
      const feed = piece.indexOf(LINE_FEED, from)
      const to = feed < 0 ? piece.length : feed
      const bytes = piece.subarray(from, to)
      const isValid = scanner.findEnd(piece, from) === to
      batch.push(isValid ? new LazyRecord(bytes, log.resource) : recordOf(bytes.toString('utf8'), log))
      from = to + 1
      if (batch.length < SMALL_BATCH) continue
      yield batch
      batch = []
    }
    yield batch
  }
}

/** Returns a predicate that accepts only the newest version of each record, and every record without an ID. */
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
    throw new Failure('USAGE', `a line that another program wrote to ${path} is not JSON: ${line.slice(0, 60)}`, {
      hint: `restore the file, or use --reset --yes to empty ${path} and read everything again`,
      cause: error,
    })
  }
}
