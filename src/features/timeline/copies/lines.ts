import { closeSync } from 'node:fs'
import { basename } from 'node:path'
import { unguarded } from '../../../base/csv.ts'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseExactOrNull } from '../../../base/json/exact.ts'
import { type GivenFile, openGiven } from '../../../base/storage/given-file.ts'
import { readChunks, splitLines } from '../../../base/storage/lines.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { readCsvRows } from '../../../sync/files/csv-rows.ts'
import { type FoundRecord, isSought, kindOf, type SoughtIds } from './found.ts'

/** The longest line. */
const MOST_BYTES = 64 * 1024 * 1024

/** Finds records by ID in NDJSON or CSV. Does not need the sync state. Fails: USAGE if it cannot be read, or is not a copy. */
export async function recordsInFile(path: string, ids: SoughtIds): Promise<FoundRecord[]> {
  const found: FoundRecord[] = []
  const take = (record: JsonValue, line: number) => {
    const kind = kindIn(record)
    if (kind !== null && isJsonObject(record) && isSought(record, kind, ids))
      found.push({ kind, record, where: `${basename(path)}:${line}`, asOfMs: null })
  }
  try {
    const file = await openGiven(path)
    try {
      if (path.endsWith('.csv')) takeCsv(path, file, take)
      else await takeNdjson(path, file, lookFor(ids), take)
    } finally {
      if (file.stream) file.stream.destroy()
      else closeSync(file.descriptor)
    }
    return found
  } catch (error) {
    if (error instanceof Failure || getSystemErrorCode(error) === null) throw error
    throw usageFailure([`cannot read ${path}: ${describeSystemError(error)}`])
  }
}

type Take = (record: JsonValue, line: number) => void

async function takeNdjson(
  path: string,
  { descriptor, stream }: GivenFile,
  mayBe: (text: string) => boolean,
  take: Take,
): Promise<void> {
  let isFirst = true
  for await (const lines of splitLines(stream ?? readChunks(descriptor), MOST_BYTES))
    for (const { line, bytes } of lines) {
      if (bytes === null || bytes.byteLength === 0) continue
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
      if (isFirst && kindIn(parseExactOrNull(text)) === null)
        throw noCopy(path, `line ${line} is no booking, sale or gift card`)
      isFirst = false
      // Null for half a line, which a killed sync leaves.
      if (mayBe(text)) take(parseExactOrNull(text), line)
    }
}

function takeCsv(path: string, { descriptor, stream, stats }: GivenFile, take: Take): void {
  if (stream !== null) throw noCopy(path, 'CSV is read from a plain file')
  let paths: readonly string[] | null = null
  let row = 0
  for (const { fields } of readCsvRows(descriptor, stats.size)) {
    row++
    if (paths !== null) take(recordOf(paths, fields), row)
    else if (kindOf(Object.fromEntries(fields.map((one) => [one, '']))) === null)
      throw noCopy(path, 'its columns are not those of bookings or sales')
    else paths = fields
  }
}

/** A CSV row as a record with dotted member names, without the guards against spreadsheet formulas. */
function recordOf(paths: readonly string[], fields: readonly string[]): JsonObject {
  const values = paths.map((path, at) => [path, unguarded(fields[at] ?? '')])
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/** A quick filter for lines. IDs with characters that JSON may escape cannot be filtered. */
function lookFor(ids: SoughtIds): (text: string) => boolean {
  if (![...ids].every((id) => /^[\w.:~-]+$/.test(id))) return () => true
  return (text) => [...ids].some((id) => text.includes(id) || text.includes(id.toLowerCase()))
}

function kindIn(record: JsonValue): FoundRecord['kind'] | null {
  return isJsonObject(record) ? kindOf(record) : null
}

function noCopy(path: string, why: string): Failure {
  return usageFailure([`--copy ${path} is no copy: ${why}`], 'name a copy that bookings sync, or another sync, keeps')
}
