import { isUtf8 } from 'node:buffer'
import { type Failure, usageFailure } from './failure/failure.ts'

/** The number of bytes at the start of a file that are checked for UTF-16. */
const START_BYTES = 8
/** Matches a UTF-16 byte order mark, in either byte order. */
const WIDE_MARK = /^(?:\xff\xfe|\xfe\xff)/
/** Matches at least two ASCII characters in little-endian UTF-16, where every second byte is NUL. */
const WIDE_ASCII = /^(?:[\t\n\r -~]\0){2,}[\t\n\r -~]?$/

export const UTF16_HINT =
  'save it as UTF-8 (in PowerShell: … | Set-Content -Encoding utf8 FILE), or convert it: iconv -f UTF-16 -t UTF-8'

/** Returns whether a text seems to be UTF-16. Detects a byte order mark, or ASCII characters at the start. */
export function isUtf16(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString('latin1')
  return WIDE_MARK.test(start) || WIDE_ASCII.test(start)
}

/**
 * Creates the failure for a UTF-16 file. `name` is the path of the file, optionally preceded by the flag that named it.
 */
export function utf16Failure(name: string): Failure {
  return usageFailure([`${name} is UTF-16, as PowerShell's > writes it`], `${UTF16_HINT}; nothing was sent`)
}

/**
 * Throws USAGE if the bytes are UTF-16. Without this check, the user would see a misleading error about the first line.
 */
export function refuseUtf16(bytes: Uint8Array, name: string): void {
  if (isUtf16(bytes)) throw utf16Failure(name)
}

/** Yields the chunks of a file unchanged. Throws USAGE if the file is UTF-16. */
export async function* withoutUtf16(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | null = new Uint8Array()
  for await (const chunk of chunks) {
    if (start === null) yield chunk
    else {
      // Chunks from a pipe may be very short, so join chunks until they are long enough to check.
      start = start.byteLength === 0 ? chunk : Buffer.concat([start, chunk])
      refuseUtf16(start, name)
      if (start.byteLength < START_BYTES) continue
      yield start
      start = null
    }
  }
  if (start !== null && start.byteLength > 0) yield start
}

/**
 * Decodes text and removes its byte order mark. Throws USAGE if it is not UTF-8. `name` is the path of the file,
 * optionally preceded by the flag that named it.
 */
export function decodeUtf8(bytes: Uint8Array, name: string): string {
  refuseUtf16(bytes, name)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isUtf8(buffer)) return buffer.toString('utf8').replace(/^\ufeff/, '')
  let start = 0
  let line = 1
  let end = buffer.indexOf(10)
  while (end >= 0 && isUtf8(buffer.subarray(start, end))) {
    start = end + 1
    line++
    end = buffer.indexOf(10, start)
  }
  throw usageFailure(
    [`${name}: line ${line} is not UTF-8`],
    'save it as UTF-8 (in Excel, as "CSV UTF-8"), or convert it: iconv -f WINDOWS-1252 -t UTF-8; nothing was sent',
  )
}
