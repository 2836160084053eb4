import { Failure } from '../../../base/failure/failure.ts'
import { parseJson } from '../../../base/json/parse.ts'
import { toSyncRecord } from '../../reading/sync-record.ts'
import type { SyncRecord } from '../../record.ts'
import type { Resource } from '../../resources.ts'
import { readLines } from '../read-lines.ts'

/** A file of NDJSON, and what its lines are. */
export interface LogPlace {
  readonly path: string
  readonly resource: Resource
}

/** The first bytes of such a file. */
export interface Log extends LogPlace {
  readonly descriptor: number
  readonly length: number
}

/** The lines of a log, each with its record. Fails: USAGE for one that is no JSON. */
export function* logLines(log: Log): Generator<{ readonly line: string; readonly record: SyncRecord }> {
  for (const line of readLines(log.descriptor, log.length)) yield { line, record: recordOf(line, log) }
}

/** The record of a line. Fails: USAGE when it is no JSON. */
export function recordOf(line: string, { path, resource }: LogPlace): SyncRecord {
  try {
    parseJson(line)
  } catch (error) {
    throw new Failure('USAGE', `a line of ${path} is no JSON: something else wrote to it: ${line.slice(0, 60)}`, {
      hint: `put the file back as it was, or read everything again: --reset --yes starts ${path} anew`,
      cause: error,
    })
  }
  return toSyncRecord(line, resource)
}
