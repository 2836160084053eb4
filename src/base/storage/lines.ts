import { read } from 'node:fs'
import { promisify } from 'node:util'
import { withoutByteOrderMark } from '../json/bytes.ts'

/** One line of a file, without its line break. */
export interface RawLine {
  /** The line number, starting at 1. Blank lines are counted. */
  readonly line: number
  /** The content of the line; `null` if the line is too long. */
  readonly bytes: Uint8Array | null
  /** The number of bytes from the start of the file to the end of the line, including its line break. */
  readonly end: number
  /** Whether the line ends with a line break. Only the last line of a file may lack one. */
  readonly isEnded: boolean
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Splits a stream into lines, which end in LF or CRLF, and yields them in batches. Drops the byte order mark. Memory
 * use does not grow with the file.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<RawLine[]> {
  let pending: Uint8Array[] = []
  let length = 0
  let line = 0
  let end = 0
  const cut = (isEnded: boolean): RawLine => {
    line++
    const isLong = length > maxBytes
    const bytes = isLong ? null : withoutEnds(Buffer.concat(pending), line === 1)
    pending = []
    length = 0
    return { line, bytes, end, isEnded }
  }
  const take = (bytes: Uint8Array) => {
    length += bytes.byteLength
    end += bytes.byteLength
    if (length <= maxBytes) pending.push(bytes)
    else pending = []
  }
  for await (const chunk of chunks) {
    const lines: RawLine[] = []
    let start = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      take(chunk.subarray(start, at))
      end++
      lines.push(cut(true))
      start = at + 1
    }
    if (start < chunk.byteLength) take(chunk.subarray(start))
    if (lines.length > 0) yield lines
  }
  if (length > 0) yield [cut(false)]
}

function withoutEnds(bytes: Buffer, isFirst: boolean): Uint8Array {
  const line = isFirst ? withoutByteOrderMark(bytes) : bytes
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line
}

const CHUNK_BYTES = 64 * 1024

/**
 * Reads an open file from offset `from` to offset `to`, or to its end if that comes first. Does not close the file.
 * Throws system errors.
 */
export async function* readChunks(
  descriptor: number,
  to = Number.POSITIVE_INFINITY,
  from = 0,
): AsyncGenerator<Uint8Array> {
  for (let position = from; position < to; ) {
    const { bytesRead, buffer } = await promisify(read)(descriptor, {
      buffer: Buffer.allocUnsafe(Math.min(CHUNK_BYTES, to - position)),
      position,
    })
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
