import { Failure } from '../../../failure/failure.ts'
import { toSyncRecord } from '../../reading/sync-record.ts'
import type { SyncRecord } from '../../record.ts'
import type { Resource } from '../../resources.ts'
import { HashTable } from '../hash-table.ts'
import { readLines } from '../read-lines.ts'

const BATCH = 500

/** The first bytes of a file of NDJSON. */
export interface Log {
  readonly path: string
  readonly descriptor: number
  readonly length: number
  readonly resource: Resource
}

/** A line of a log, and the record that it holds. */
export interface LogLine {
  readonly line: string
  readonly record: SyncRecord
}

/** The lines of a log, each with its record. Fails: USAGE for one that is no JSON. */
export function* logLines({ path, descriptor, length, resource }: Log): Generator<LogLine> {
  let number = 0
  for (const line of readLines(descriptor, length)) {
    number++
    requireJson(line, `line ${number} of ${path}`, path)
    yield { line, record: toSyncRecord(line, resource) }
  }
}

/**
 * The newest version of each record in a log, in batches; of two with the same date the later line. The log is read twice, so that
 * memory holds a mark a line and no record.
 */
export function* newestRecords(log: Log): Generator<readonly SyncRecord[]> {
  const isNewest = marksOf(log)
  let batch: SyncRecord[] = []
  let at = 0
  for (const { record } of logLines(log)) {
    if (isNewest[at++]) batch.push(record)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** 1 for each line that has the newest version of its record. */
function marksOf(log: Log): Uint8Array {
  const places = new HashTable()
  let [lines, ms] = [new Float64Array(1024), new Float64Array(1024)]
  let count = 0
  for (const { record } of logLines(log)) {
    const line = count++
    const key = record.id ?? record.version
    const known = places.get(key)
    const place = known ?? places.size
    if (place >= lines.length) [lines, ms] = [twice(lines), twice(ms)]
    const changedMs = record.changedMs ?? Number.NEGATIVE_INFINITY
    if (known !== undefined && changedMs < (ms[place] as number)) continue
    if (known === undefined) places.set(key, place)
    lines[place] = line
    ms[place] = changedMs
  }
  const marks = new Uint8Array(count)
  for (let place = 0; place < places.size; place++) marks[lines[place] as number] = 1
  return marks
}

function twice(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}

function requireJson(line: string, what: string, path: string): void {
  try {
    JSON.parse(line)
  } catch (error) {
    throw new Failure('USAGE', `${what} is no JSON: something else wrote to it`, {
      hint: `put the file back as it was, or read everything again: --reset --yes starts ${path} anew`,
      cause: error,
    })
  }
}
