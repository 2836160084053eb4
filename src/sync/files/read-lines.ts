import { readSync, writeSync } from 'node:fs'

const STEP_BYTES = 256 * 1024
export const LINE_FEED = 0x0a

/** Yields the first `length` bytes of a file in chunks of whole lines. The last line may lack a newline. */
export function* readPieces(descriptor: number, length: number): Generator<Buffer> {
  let rest = Buffer.alloc(0)
  for (let at = 0; at < length; ) {
    const piece = Buffer.allocUnsafe(Math.min(STEP_BYTES, length - at))
    const got = readSync(descriptor, piece, 0, piece.length, at)
    if (got === 0) break
    at += got
    const bytes = rest.length === 0 ? piece.subarray(0, got) : Buffer.concat([rest, piece.subarray(0, got)])
    const end = bytes.lastIndexOf(LINE_FEED) + 1
    if (end > 0) yield bytes.subarray(0, end)
    rest = bytes.subarray(end)
  }
  if (rest.length > 0) yield rest
}

/** Yields the lines in the first `length` bytes of a file, without their line breaks. */
export function* readLines(descriptor: number, length: number): Generator<string> {
  for (const piece of readPieces(descriptor, length)) {
    const lines = piece.toString('utf8').split('\n')
    if (lines.at(-1) === '') lines.pop()
    yield* lines
  }
}

/**
 * Copies a range of bytes from one open file to another, starting at the offset `position`. If `position` is `null`,
 * the target must be open for appending. Throws system errors.
 */
export function copyBytes(
  from: number,
  range: { readonly from: number; readonly to: number },
  to: number,
  position: number | null,
): void {
  const bytes = Buffer.allocUnsafe(STEP_BYTES)
  for (let at = range.from; at < range.to; ) {
    const got = readSync(from, bytes, 0, Math.min(bytes.length, range.to - at), at)
    if (got === 0) return
    for (let done = 0; done < got; )
      done += writeSync(to, bytes, done, got - done, position === null ? null : position + at - range.from + done)
    at += got
  }
}
