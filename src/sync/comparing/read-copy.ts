import { readFileSync } from 'node:fs'
import { attempt } from '../../base/attempt.ts'
import { CsvError, type CsvRow, parseCsv, stripFormulaGuard } from '../../base/csv.ts'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { parseJson } from '../../base/json/parse.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { decodeUtf8 } from '../../base/utf8.ts'
import type { ResourceName } from '../copy.ts'
import { databaseKind } from '../database-kind.ts'
import { openRows } from '../open-target.ts'
import { MAIN_TABLES, presentRows } from '../tables/all.ts'
import type { Dialect } from '../tables/ddl.ts'
import { type CopiedRecord, copyFromJson, copyOf, type ReadCopy, recognize } from './copied-record.ts'

export interface CopyLocation {
  /** The copy's location: `http://…`, `postgres://…`, `x.db`, or another file. */
  readonly where: string
  /** The venue, if a database contains several venues, or `null` if it contains only one. */
  readonly source: string | null
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

const FLAG = '--report'
const HINT =
  'pass an http:// address, a file with the records as the service sends them, or a database that bookings sync created'

/** Throws USAGE if the location is empty, is an invalid URL, or contains credentials. */
export function checkCopyLocation(where: string): void {
  if (where === '') throw usageFailure([`${FLAG} must not be empty`], HINT)
  if (!/^https?:/i.test(where)) return
  const url = URL.parse(where)
  if (url === null) throw usageFailure([`${FLAG} ${JSON.stringify(where)} is not a valid URL`], HINT)
  if (url.username !== '' || url.password !== '')
    throw usageFailure([`${FLAG} must not contain a password: it would be visible in process lists`], HINT)
}

/**
 * Reads a copy. Throws USAGE if the location is not readable, NETWORK_ERROR if the server cannot be reached, or
 * INCOMPLETE if the content is not a list of records. Also throws database errors.
 */
export async function readCopy(place: CopyLocation): Promise<ReadCopy> {
  const { where } = place
  if (/^https?:/i.test(where)) return parseCopyText(await textFrom(place), where)
  const database = databaseKind(where)
  if (database !== null) return readDatabaseCopy(place, database)
  let bytes: Uint8Array
  try {
    bytes = readFileSync(where)
  } catch (error) {
    throw usageFailure([`${FLAG} ${where} cannot be read: ${describeSystemError(error)}`], HINT)
  }
  return parseCopyText(decodeUtf8(bytes, `${FLAG} ${where}`), where)
}

const LIMIT_MS = 30_000
/** The maximum size of a response. Real copies of the rehearsal venue are much smaller. */
const MOST_BYTES = 256 * 1024 * 1024

async function textFrom({ where, env, signal }: CopyLocation): Promise<string> {
  const [{ openTransport }, { NetworkError }] = await Promise.all([
    import('../../http/client/undici.ts'),
    import('../../http/client/errors.ts'),
  ])
  const url = new URL(where)
  const { transport, close } = await openTransport(url, env)
  try {
    const reply = await transport({
      method: 'GET',
      url,
      headers: { accept: 'application/json, application/x-ndjson, text/csv' },
      body: null,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
    })
    if (reply.status !== 200)
      throw new Failure('NETWORK_ERROR', `${FLAG}: ${url.origin}${url.pathname} answered ${reply.status}, not 200`, {
        hint: "respond to GET requests with the integration's records",
      })
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of reply.body) {
      chunks.push(Uint8Array.from(chunk))
      bytes += chunk.byteLength
      if (bytes > MOST_BYTES) throw new Failure('INCOMPLETE', `${FLAG}: the response from ${url.origin} is too large`)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    if (error instanceof Failure) throw error
    signal.throwIfAborted()
    const why = error instanceof NetworkError ? error.message : 'no complete response arrived within 30 s'
    throw new Failure('NETWORK_ERROR', `${FLAG}: ${url.origin} cannot be read: ${why}`, { cause: error })
  } finally {
    await close()
  }
}

/** Parses a copy's text. Throws INCOMPLETE if the text is not a list of records. */
function parseCopyText(text: string, name: string): ReadCopy {
  const copy = parseCopy(text.replace(/^\ufeff/, '').trim())
  if (copy !== null) return copy
  throw new Failure('INCOMPLETE', `${FLAG} ${name} contains none of the service's records`, {
    hint: "a copy is JSON, NDJSON or CSV; its records have the service's bookingId, cardNumber, id or saleDetail.transactionId",
  })
}

function parseCopy(text: string): ReadCopy | null {
  if (text === '') return copyOf([])
  const whole = tryParse(text)
  if (whole !== undefined) return copyFromJson(whole)
  if (!/^[[{]/.test(text)) return parseCsvCopy(text)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const objects = lines.map(tryParse)
  return objects.every(isJsonObject) ? copyOf(objects) : null
}

function parseCsvCopy(text: string): ReadCopy | null {
  try {
    const [header, ...rows] = parseCsv(text, ',')
    const names = header?.fields ?? []
    const toObject = ({ fields }: CsvRow) =>
      Object.fromEntries(names.map((name, at) => [name, stripFormulaGuard(fields[at] ?? '')]))
    return copyOf(rows.map(toObject), [], true)
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

function tryParse(text: string): JsonValue | undefined {
  return attempt(() => parseJson(text) as JsonValue, undefined)
}

const CREATE_ONE = 'create one: partner bookings sync --to venue.db'

async function readDatabaseCopy({ where, source, env, signal }: CopyLocation, kind: Dialect): Promise<ReadCopy> {
  const database = await openRows(where, kind, { env, signal, flag: FLAG, hint: CREATE_ONE })
  try {
    const states = await database.rows('SELECT source, resource FROM sync_state WHERE cursor IS NOT NULL')
    const sources = [...new Set(states.map((row) => row['source'] ?? ''))]
    const [chosen, ...others] = source === null ? sources : sources.filter((one) => one === source)
    if (chosen === undefined)
      throw usageFailure(
        [`${FLAG}: the database does not contain a copy${source === null ? '' : ` of ${source}`} yet`],
        CREATE_ONE,
      )
    if (others.length > 0)
      throw usageFailure(
        [`${FLAG}: the database contains copies of ${sources.join(', ')}`],
        `choose one: --source ${chosen}`,
      )
    const resources = states.flatMap((row) => {
      const resource = row['resource'] as ResourceName
      return row['source'] === chosen && resource in MAIN_TABLES ? [resource] : []
    })
    const records: CopiedRecord[] = []
    for (const resource of resources) {
      const from = presentRows({ source: chosen, resource })
      for (const { raw } of await database.rows(`SELECT CAST(raw AS text) AS raw FROM ${from}`)) {
        const record = recognize(parseJson(raw ?? 'null') as JsonObject)
        if (record !== null) records.push({ ...record, resource })
      }
    }
    return { resources: new Set(resources), records }
  } finally {
    await database.close()
  }
}
