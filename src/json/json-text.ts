import { isUtf8 } from 'node:buffer'
import { NEEDS_MORE, TOO_DEEP, ValueBoundary } from './boundary.ts'
import { beginsValue, showsOwnEnd, skipSpace } from './bytes.ts'
import { RecordStreamError } from './record-stream-error.ts'
import { ValueScanner } from './scan.ts'
import { isJson } from './value-reader.ts'

/** The deepest nesting of one answer, in levels. */
const MAX_DEPTH = 256
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/**
 * The text of an answer that is one JSON value (any kind, not a stream), once it is sure to parse: strict UTF-8, nested no
 * deeper than the limit, whole, and with nothing after it. A byte order mark is dropped.
 * Fails: RecordStreamError (bad-utf8, too-deep, truncated, malformed); truncated also for an empty answer.
 */
export function readJsonText(answer: Uint8Array, maxDepth: number = MAX_DEPTH): string {
  const whole = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  if (!isUtf8(whole)) throw new RecordStreamError('bad-utf8', 'the answer is not UTF-8')
  const marked = BYTE_ORDER_MARK.every((byte, at) => whole[at] === byte)
  const bytes = marked ? whole.subarray(BYTE_ORDER_MARK.length) : whole
  const text = bytes.toString('utf8')
  const start = skipSpace(bytes, 0, bytes.length)
  const end = new ValueScanner(maxDepth).findEnd(bytes, start)
  if (end > 0 && skipSpace(bytes, end, bytes.length) === bytes.length) return text
  const problem = problemOf(bytes, start, maxDepth)
  if (problem !== null) throw problem
  if (!isJson(text)) throw new RecordStreamError('malformed', 'the answer is not valid JSON')
  return text
}

/** What can be said about an answer before JSON.parse, or null. */
function problemOf(bytes: Buffer, start: number, maxDepth: number): RecordStreamError | null {
  const first = bytes[start]
  if (first === undefined) return new RecordStreamError('truncated', 'the answer is empty')
  if (!beginsValue(first)) return new RecordStreamError('malformed', 'the answer is not JSON')
  const end = new ValueBoundary(maxDepth).scan(bytes, start, bytes.length)
  if (end === TOO_DEEP) {
    return new RecordStreamError('too-deep', `the answer is nested more than ${maxDepth} levels deep`)
  }
  if (end !== NEEDS_MORE || !showsOwnEnd(first)) return null
  return new RecordStreamError('truncated', 'the answer stops before its end')
}
