import { isUtf8 } from 'node:buffer'
import { NEEDS_MORE, TOO_DEEP, ValueBoundary } from './boundary.ts'
import { beginsValue, hasClosingByte, skipSpace, withoutByteOrderMark } from './bytes.ts'
import { isJson } from './list/value-reader.ts'
import { MAX_DEPTH } from './parse.ts'
import { RecordStreamError } from './record-stream-error.ts'
import { ValueScanner } from './scan.ts'

/**
 * Decodes a response body that must be a single valid JSON value. Drops the byte order mark. Throws RecordStreamError.
 */
export function readJsonText(body: Uint8Array, maxDepth: number = MAX_DEPTH): string {
  const whole = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (!isUtf8(whole)) throw new RecordStreamError('bad-utf8', 'the response is not UTF-8')
  const bytes = withoutByteOrderMark(whole)
  const text = bytes.toString('utf8')
  const start = skipSpace(bytes, 0, bytes.length)
  const end = new ValueScanner(maxDepth).findEnd(bytes, start)
  if (end > 0 && skipSpace(bytes, end, bytes.length) === bytes.length) return text
  const problem = findProblem(bytes, start, maxDepth)
  if (problem !== null) throw problem
  if (!isJson(text)) throw new RecordStreamError('malformed', 'the response is not valid JSON')
  return text
}

/** Returns a problem that can be detected without parsing, or `null` if there is none. */
function findProblem(bytes: Buffer, start: number, maxDepth: number): RecordStreamError | null {
  const first = bytes[start]
  if (first === undefined) return new RecordStreamError('truncated', 'the response is empty')
  if (!beginsValue(first)) return new RecordStreamError('malformed', 'the response is not JSON')
  const end = new ValueBoundary(maxDepth).scan(bytes, start, bytes.length)
  if (end === TOO_DEEP)
    return new RecordStreamError('too-deep', `the response is nested more than ${maxDepth} levels deep`)
  if (end !== NEEDS_MORE || !hasClosingByte(first)) return null
  return new RecordStreamError('truncated', 'the response ends too early')
}
