import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const LINE_FEED = 0x0a
/** The maximum number of bytes to read from a line to find its time. */
const LINE_BYTES = 64 * 1024
/** The search stops when the result is known to within this many bytes. */
const PRECISION = 1024

/**
 * Estimates how many bytes have been appended to a line-based file since a given time. The times in the lines must be
 * roughly in order. A binary search reads only a few lines, even of a large file. Throws system errors.
 */
export function bytesSince(path: string, sinceMs: number, timeOf: (line: string) => number | null): number {
  const descriptor = openSync(path, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const isRecentAt = (start: number) => (timeOf(readLine(descriptor, start)) ?? Number.NEGATIVE_INFINITY) >= sinceMs
    if (size === 0 || isRecentAt(0)) return size
    let [from, to] = [0, size]
    while (to - from > PRECISION) {
      const middle = Math.floor((from + to) / 2)
      const start = findLine(descriptor, middle, to)
      if (start === null || isRecentAt(start)) to = middle
      else from = start
    }
    return size - to
  } finally {
    closeSync(descriptor)
  }
}

/** Returns the offset of the first line that starts between two offsets, or `null` if there is none. */
function findLine(descriptor: number, from: number, to: number): number | null {
  const bytes = Buffer.allocUnsafe(LINE_BYTES)
  for (let at = from; at < to; ) {
    const got = readSync(descriptor, bytes, 0, Math.min(bytes.length, to - at), at)
    if (got === 0) return null
    const feed = bytes.subarray(0, got).indexOf(LINE_FEED)
    if (feed >= 0) return at + feed + 1 < to ? at + feed + 1 : null
    at += got
  }
  return null
}

/** Reads the line at an offset. Truncates a long line. */
function readLine(descriptor: number, start: number): string {
  const bytes = Buffer.allocUnsafe(LINE_BYTES)
  const got = readSync(descriptor, bytes, 0, bytes.length, start)
  const feed = bytes.subarray(0, got).indexOf(LINE_FEED)
  return bytes.toString('utf8', 0, feed < 0 ? got : feed)
}
