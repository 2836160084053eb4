import { closeSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { stripFormulaGuard } from '../../base/csv.ts'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseExact, parseExactOrNull } from '../../base/json/exact.ts'
import { type GivenFile, openGivenFile } from '../../base/storage/given-file.ts'
import { readChunks, splitLines } from '../../base/storage/lines.ts'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'
import { refuseUtf16, withoutUtf16 } from '../../base/utf8.ts'
import type { CardChange, TargetContext } from '../../sync/copy.ts'
import { databaseKind } from '../../sync/database-kind.ts'
import { readCsvRows } from '../../sync/files/csv-rows.ts'
import { openToRead } from '../../sync/open-target.ts'
import type { Seen } from './entry.ts'
import { textIn } from './values.ts'

const MOST_BYTES = 64 * 1024 * 1024

type Kind = 'booking' | 'sale' | 'card'

/** A record that was found in a copy. `where` is the database's name, or the file's name with the line or row. */
interface FoundRecord extends Seen {
  readonly kind: Kind
  /** The time up to which a database is complete, in epoch milliseconds; `null` for a file. */
  readonly asOfMs: number | null
}

interface CopyResults {
  readonly records: FoundRecord[]
  /** The card's changes between snapshots, for each database. */
  readonly changes: { readonly changes: readonly CardChange[]; readonly where: string }[]
}

interface CopyQuery {
  readonly ids: ReadonlySet<string>
  readonly kinds: readonly Kind[]
  /** Whether to accept a database that has no copy of any of these kinds. By default, it causes a USAGE failure. */
  readonly isOptional?: boolean
}

/** The names of the copies to search, and the context for opening those that are databases. */
export type Copies = { readonly copies: readonly string[]; readonly place: Omit<TargetContext, 'resource'> }

/**
 * Searches copies for records with these IDs. Finds all versions in .ndjson files, and only the newest version in other
 * copies. Throws if a copy cannot be read.
 */
export async function searchCopies({ copies, place }: Copies, sought: CopyQuery): Promise<CopyResults> {
  const found: CopyResults = { records: [], changes: [] }
  for (const name of copies)
    if (databaseKind(name) !== null) await searchDatabase(name, place, sought, found)
    else found.records.push(...(await searchFile(name, sought)))
  return found
}

/**
 * Searches a database for records with these IDs and for changes to these cards. Adds them to `found`. Throws USAGE if
 * the database has none of the required copies. Also throws if the database cannot be read.
 */
async function searchDatabase(
  name: string,
  place: Copies['place'],
  { ids, kinds, isOptional = false }: CopyQuery,
  found: CopyResults,
): Promise<void> {
  const isPostgres = /^postgres/i.test(name)
  const where = isPostgres ? 'database' : basename(name)
  let has = isOptional
  for (const kind of kinds) {
    const copy = await openToRead(name, '--copy', { ...place, resource: RESOURCE_OF[kind] })
    try {
      const state = await copy.state()
      if (state?.cursorMs == null) continue
      has = true
      for await (const batch of copy.records())
        for (const { text } of batch) {
          const record = parseExact(text)
          if (isJsonObject(record) && isSought(record, kind, ids))
            found.records.push({ kind, record, where, asOfMs: state.cursorMs })
        }
      if (kind !== 'card') continue
      const history = await copy.snapshots?.(Number.NEGATIVE_INFINITY)
      const changes = history?.changes.filter(({ id }) => ids.has(id.toUpperCase())) ?? []
      if (changes.length > 0) found.changes.push({ changes, where })
    } finally {
      await copy.close()
    }
  }
  if (has) return
  // Do not quote a PostgreSQL address, because it might contain a password.
  const named = isPostgres ? 'in PostgreSQL' : name
  throw usageFailure(
    [`--copy ${named} has no ${kinds.map((kind) => RESOURCE_OF[kind]).join(' or ')} of ${place.source}`],
    'use --source NAME if its records have a different source, or use a different copy',
  )
}

/**
 * Searches an NDJSON or CSV file for records with these IDs. The file's sync state is not needed. Throws USAGE if the
 * file cannot be read or is not a copy.
 */
async function searchFile(path: string, { ids, kinds }: CopyQuery): Promise<FoundRecord[]> {
  const found: FoundRecord[] = []
  const take = (record: JsonValue, line: number) => {
    const kind = detectKind(record)
    if (kind !== null && kinds.includes(kind) && isJsonObject(record) && isSought(record, kind, ids))
      found.push({ kind, record, where: `${basename(path)}:${line}`, asOfMs: null })
  }
  try {
    const file = await openGivenFile(path)
    try {
      if (path.endsWith('.csv')) visitCsv(path, file, take)
      else await visitNdjson(path, file, createLineFilter(ids), take)
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

type RecordVisitor = (record: JsonValue, line: number) => void

async function visitNdjson(
  path: string,
  { descriptor, stream }: GivenFile,
  mayBe: (text: string) => boolean,
  take: RecordVisitor,
): Promise<void> {
  let isFirst = true
  const chunks = withoutUtf16(stream ?? readChunks(descriptor), `--copy ${path}`)
  for await (const lines of splitLines(chunks, MOST_BYTES))
    for (const { line, bytes } of lines) {
      if (bytes === null || bytes.byteLength === 0) continue
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
      if (isFirst && detectKind(parseExactOrNull(text)) === null)
        throw notACopyFailure(path, `line ${line} is not a booking, sale or gift card`)
      isFirst = false
      // If a sync was killed, the last line is incomplete, and its record is `null`.
      if (mayBe(text)) take(parseExactOrNull(text), line)
    }
}

function visitCsv(path: string, { descriptor, stream, stats }: GivenFile, take: RecordVisitor): void {
  if (stream !== null) throw notACopyFailure(path, 'a CSV copy must be a regular file')
  let paths: readonly string[] | null = null
  let row = 0
  const start = Buffer.alloc(8)
  refuseUtf16(start.subarray(0, readSync(descriptor, start, 0, start.length, 0)), `--copy ${path}`)
  for (const { fields: marked } of readCsvRows(descriptor, stats.size)) {
    row++
    const fields = row === 1 ? marked.map((field) => field.replace(/^\ufeff/, '')) : marked
    if (paths !== null) take(recordOf(paths, fields), row)
    else if (detectKind(Object.fromEntries(fields.map((one) => [one, '']))) === null)
      throw notACopyFailure(path, 'its columns do not match those of bookings or sales')
    else paths = fields
  }
}

/**
 * Converts a CSV row to a record with dotted member names. Removes the apostrophes that keep spreadsheets from
 * evaluating values as formulas.
 */
function recordOf(paths: readonly string[], fields: readonly string[]): JsonObject {
  const values = paths.map((path, at) => [path, stripFormulaGuard(fields[at] ?? '')])
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/**
 * Returns a fast filter that accepts all lines that might contain one of the IDs. If JSON could escape a character of
 * an ID, the filter accepts every line.
 */
function createLineFilter(ids: ReadonlySet<string>): (text: string) => boolean {
  if (![...ids].every((id) => /^[\w.:~-]+$/.test(id))) return () => true
  return (text) => [...ids].some((id) => text.includes(id) || text.includes(id.toLowerCase()))
}

function notACopyFailure(path: string, why: string): Failure {
  return usageFailure(
    [`--copy ${path} is not a copy: ${why}`],
    'pass a copy created by bookings sync or another sync command',
  )
}

/** Returns the kind of a record (booking, sale or gift card) based on its members, or `null` if it is none of these. */
function detectKind(record: JsonValue): Kind | null {
  if (!isJsonObject(record)) return null
  if (record['saleDetail'] !== undefined || record['saleDetail.transactionId'] !== undefined) return 'sale'
  if (record['cardNumber'] !== undefined) return 'card'
  return record['bookingId'] === undefined ? null : 'booking'
}

function isSought(record: JsonObject, kind: Kind, ids: ReadonlySet<string>): boolean {
  if (kind === 'card') return ids.has((textIn(record, 'cardNumber') ?? '').toUpperCase())
  const paths = kind === 'sale' ? ['saleDetail.transactionId', 'bookingId'] : ['bookingId']
  return paths.some((path) => ids.has(textIn(record, path) ?? ''))
}

const RESOURCE_OF = { booking: 'bookings', sale: 'sales', card: 'giftcards' } as const
