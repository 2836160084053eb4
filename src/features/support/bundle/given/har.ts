import { attempt } from '../../../../base/attempt.ts'
import { usageFailure } from '../../../../base/failure/failure.ts'
import { skipSpace } from '../../../../base/json/bytes.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../base/json/exact.ts'
import { RecordSplitter } from '../../../../base/json/list/record-splitter.ts'
import type { WireRecord } from '../../../../base/json/list/wire-record.ts'
import { MAX_DEPTH, parseJson, TooDeepError } from '../../../../base/json/parse.ts'
import { readGivenFile } from '../../../../base/storage/given-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../../../base/storage/system-error.ts'
import { decodeUtf8 } from '../../../../base/utf8.ts'

const SPACE = /[ \t\r\n]*/y

/**
 * Matches a JSON token. Each character can match in only one way. Otherwise, an unterminated string would take
 * exponential time.
 */
const TOKEN =
  /[{}[\],:]|"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** The characters that can start a JSON value. */
const VALUE = '{["-0123456789tfn'

/** A HAR entry with a validated request and response. */
export interface HarEntry extends JsonObject {
  readonly startedDateTime: string
  readonly request: JsonObject & { readonly method: string; readonly url: string }
  readonly response: JsonObject & { readonly status: number }
}

/** A validated HAR entry that is parsed each time it is read, so that only the file's bytes stay in memory. */
export interface LazyHarEntry {
  readonly startedDateTime: string
  /** The entry's size in the file, in bytes, or 0 if it is unknown. */
  readonly bytes: number
  read(): HarEntry
}

/** The maximum size of a file, in bytes. The whole file is held in memory. */
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** The nesting depth of an entry, which is inside the root object, `log` and `entries`. */
const LEVELS_ABOVE = 3
const LOG = /^[ \t\r\n]*\{[ \t\r\n]*"log"[ \t\r\n]*:/

/**
 * Reads the entries of a HAR file. Also reads a truncated file if partner wrote it and was killed before finishing.
 * Throws USAGE if the file cannot be read or is not a HAR. The message says where the problem is.
 */
export async function readHar(path: string, signal: AbortSignal): Promise<LazyHarEntry[]> {
  const bytes = await readBytes(path, signal)
  return (splitEntries(bytes) ?? parseEntries(path, bytes)).map(({ read, ...size }, at) => {
    const entry = read()
    const lacks = missingMember(entry)
    if (lacks !== null) throw notHarFailure(path, `entry ${at + 1} has no ${lacks}`)
    return { startedDateTime: (entry as HarEntry).startedDateTime, read: read as LazyHarEntry['read'], ...size }
  })
}

type UncheckedEntry = { readonly read: () => JsonValue; readonly bytes: number }

/** Finds the entries of a well-formed HAR without parsing them. Returns `null` for any other file. */
function splitEntries(bytes: Buffer): UncheckedEntry[] | null {
  const start = LOG.exec(bytes.toString('latin1', 0, 100))?.[0].length
  const end = bytes.lastIndexOf('}')
  if (start === undefined || skipSpace(bytes, end + 1, bytes.length) < bytes.length) return null
  const options = { listMember: 'entries', maxRecordBytes: MAX_FILE_BYTES, maxDepth: MAX_DEPTH - LEVELS_ABOVE }
  const splitter = new RecordSplitter(options)
  const records: WireRecord[] = []
  if (splitter.push(bytes.subarray(start, end), records) !== null) return null
  if (!attempt(() => splitter.end(), null)) return null
  return records.map((record) => {
    const { place } = record
    // No depth limit is needed here, because the splitter has already checked the depth.
    const text = () => place?.bytes.toString('utf8', place.from, place.to) ?? record.text
    return {
      read: () => parseJson(text(), Number.POSITIVE_INFINITY) as JsonValue,
      bytes: place ? place.to - place.from : 0,
    }
  })
}

function parseEntries(path: string, bytes: Buffer): UncheckedEntry[] {
  const entries = member(member(parse(path, decodeUtf8(bytes, `--har: ${path}`)), 'log'), 'entries')
  if (!Array.isArray(entries)) throw notHarFailure(path, 'it has no log.entries list')
  return entries.map((entry: JsonValue) => ({ read: () => entry, bytes: 0 }))
}

async function readBytes(path: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const { bytes } = await readGivenFile(path, { maxBytes: MAX_FILE_BYTES, signal })
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  } catch (error) {
    if (signal.aborted) throw error
    const why =
      getSystemErrorCode(error) === null && error instanceof Error ? error.message : describeSystemError(error)
    throw usageFailure([`--har: cannot read ${path}: ${why}`])
  }
}

/** The start of each HAR file that partner writes. These files have one entry per line. */
const OWN_START = '{"log":{"version":"1.2","creator":{"name":"partner"'

function parse(path: string, text: string): JsonValue {
  try {
    return parseJson(text) as JsonValue
  } catch (error) {
    if (error instanceof TooDeepError) throw notHarFailure(path, error.message)
    const finished = text.startsWith(OWN_START) ? parseTruncated(text) : null
    if (finished !== null) return finished
    throw notHarFailure(path, `it is not valid JSON at ${syntaxErrorPosition(text)}`)
  }
}

/** Parses the complete lines of a truncated HAR. Returns `null` if the file has any other error. */
function parseTruncated(text: string): JsonValue | null {
  const lines = text.split('\n')
  for (const count of [lines.length, lines.length - 1]) {
    try {
      return parseJson(`${lines.slice(0, Math.max(1, count)).join('\n').replace(/,\s*$/, '')}]}}`) as JsonValue
    } catch {
      // The last line might be incomplete, so try again without it.
    }
  }
  return null
}

function missingMember(entry: JsonValue): string | null {
  const request = member(entry, 'request')
  if (!isJsonObject(request)) return 'request'
  if (typeof request['method'] !== 'string') return 'request.method'
  if (typeof request['url'] !== 'string') return 'request.url'
  if (typeof member(member(entry, 'response'), 'status') !== 'number') return 'response.status'
  return typeof member(entry, 'startedDateTime') === 'string' ? null : 'startedDateTime'
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined
}

function notHarFailure(path: string, why: string) {
  return usageFailure(
    [`--har: ${path} is not a HAR file: ${why}`],
    'nothing was sent; pass a HAR file that was recorded with --har or saved by a browser',
  )
}

/**
 * Returns the position of the first syntax error in JSON, such as `line 2, column 13`. The error from `JSON.parse` does
 * not always contain the position.
 */
export function syntaxErrorPosition(text: string): string {
  const before = text.slice(0, syntaxErrorOffset(text)).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

function syntaxErrorOffset(text: string): number {
  /** The brackets that close the open objects and arrays, innermost last. */
  let closing = ''
  let due = VALUE
  for (let at = 0; ; ) {
    SPACE.lastIndex = at
    at += SPACE.exec(text)?.[0].length ?? 0
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0] ?? ''
    const first = token[0]
    if (first === undefined || !due.includes(first)) return at
    if (first === '"' && !due.startsWith(VALUE)) due = ':'
    else if (first === ':') due = VALUE
    else if (first === ',') due = closing.endsWith('}') ? '"' : VALUE
    else if (first === '{' || first === '[') {
      closing += first === '{' ? '}' : ']'
      due = first === '{' ? '"}' : `${VALUE}]`
    } else {
      if (first === '}' || first === ']') closing = closing.slice(0, -1)
      due = closing === '' ? '' : `,${closing.at(-1)}`
    }
    at += token.length
  }
}
