import { closeSync } from 'node:fs'
import { basename } from 'node:path'
import { unguarded } from '../../../base/csv.ts'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseExactOrNull } from '../../../base/json/exact.ts'
import { openGiven } from '../../../base/storage/given-file.ts'
import { readChunks, splitLines } from '../../../base/storage/lines.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { readCsvRows } from '../../../sync/files/csv-rows.ts'
import { type FoundRecord, isSought, kindOf, type SoughtIds } from './found.ts'

/** A record of a booking is some KiB. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * The records of a file of NDJSON or CSV that have one of the IDs, whether its state is beside it or not: a copy of it on another
 * machine does. Fails: USAGE when it cannot be read, or is no copy.
 */
export async function recordsInFile(path: string, ids: SoughtIds): Promise<FoundRecord[]> {
  try {
    return await (path.endsWith('.csv') ? inCsv(path, ids) : inNdjson(path, ids))
  } catch (error) {
    if (error instanceof Failure || getSystemErrorCode(error) === null) throw error
    throw usageFailure([`cannot read ${path}: ${describeSystemError(error)}`])
  }
}

async function inNdjson(path: string, ids: SoughtIds): Promise<FoundRecord[]> {
  const found: FoundRecord[] = []
  const mayBe = lookFor(ids)
  let isFirst = true
  const { descriptor, stream } = await openGiven(path)
  try {
    for await (const lines of splitLines(stream ?? readChunks(descriptor), MOST_BYTES))
      for (const { line, bytes } of lines) {
        if (bytes === null || bytes.byteLength === 0) continue
        const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
        if (isFirst && kindOfText(text) === null) throw noCopy(path, `line ${line} is no booking, sale or gift card`)
        isFirst = false
        // Null for half a line, as a sync that was killed leaves it.
        if (mayBe(text)) take(found, parseExactOrNull(text), { path, line, ids })
      }
  } finally {
    if (stream) stream.destroy()
    else closeSync(descriptor)
  }
  return found
}

async function inCsv(path: string, ids: SoughtIds): Promise<FoundRecord[]> {
  const found: FoundRecord[] = []
  const { descriptor, stream, stats } = await openGiven(path)
  try {
    if (stream !== null) throw noCopy(path, 'CSV is read from a plain file')
    let paths: readonly string[] | null = null
    let row = 0
    for (const { fields } of readCsvRows(descriptor, stats.size)) {
      row++
      if (paths === null) {
        paths = fields
        const header = Object.fromEntries(paths.map((one) => [one, '']))
        if (kindOf(header) === null) throw noCopy(path, 'its columns are not those of bookings or sales')
      } else take(found, recordOf(paths, fields), { path, line: row, ids })
    }
  } finally {
    if (stream) stream.destroy()
    else closeSync(descriptor)
  }
  return found
}

function take(
  found: FoundRecord[],
  record: JsonValue,
  { path, line, ids }: { readonly path: string; readonly line: number; readonly ids: SoughtIds },
): void {
  const kind = isJsonObject(record) ? kindOf(record) : null
  if (kind === null || !isJsonObject(record) || !isSought(record, kind, ids)) return
  found.push({ kind, record, where: `${basename(path)}:${line}`, asOfMs: null })
}

/** A row of CSV as a record whose members are named by dotted paths. Text is as it was before it was made safe for a spreadsheet. */
function recordOf(paths: readonly string[], fields: readonly string[]): JsonObject {
  const values = paths.map((path, at) => [path, unguarded(fields[at] ?? '')])
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/** A quick look, as most lines have none of the IDs: an ID with characters that JSON may write otherwise needs a longer one. */
function lookFor(ids: SoughtIds): (text: string) => boolean {
  if (![...ids].every((id) => /^[\w.:~-]+$/.test(id))) return () => true
  return (text) => [...ids].some((id) => text.includes(id) || text.includes(id.toLowerCase()))
}

function kindOfText(text: string): FoundRecord['kind'] | null {
  const value = parseExactOrNull(text)
  return isJsonObject(value) ? kindOf(value) : null
}

function noCopy(path: string, why: string): Failure {
  return usageFailure([`--copy ${path} is no copy: ${why}`], 'name a copy that bookings sync, or another sync, keeps')
}
