import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import type { Readable } from 'node:stream'

export interface GivenFileReading {
  /** The maximum length of the file, in bytes. A longer file is an error. */
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

const STEP_BYTES = 64 * 1024

/**
 * Reads a file or pipe without blocking. Throws an Error if the file is too long, or the signal's reason if the signal
 * is aborted. Also throws system errors.
 */
export async function readGivenFile(
  path: string,
  reading: GivenFileReading,
): Promise<{ readonly bytes: Uint8Array; readonly stats: Stats }> {
  const { descriptor, stats, stream } = await openGivenFile(path)
  try {
    const bytes = stream ? await readToEnd(stream, reading) : readNow(descriptor, stats.size, reading.maxBytes)
    return { bytes, stats }
  } finally {
    if (stream) stream.destroy()
    else closeSync(descriptor)
  }
}

/** A file that the user named, opened for reading. */
export interface GivenFile {
  readonly descriptor: number
  readonly stats: Stats
  /**
   * The stream that reads from a pipe or terminal and then closes the descriptor. `null` for a regular file, because
   * reading one never blocks.
   */
  readonly stream: Readable | null
}

/** Opens a file that the user named, without blocking. Throws system errors. */
export async function openGivenFile(path: string): Promise<GivenFile> {
  // Without O_NONBLOCK, opening a pipe blocks until another process opens it for writing.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(descriptor)
    return { descriptor, stats, stream: await streamOf(descriptor, stats) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/**
 * Reads a stream to its end. Throws an Error if the content is too long, the signal's reason if the signal is aborted,
 * or the stream's error.
 */
export async function readToEnd(stream: Readable, { maxBytes, signal }: GivenFileReading): Promise<Uint8Array> {
  const stop = () => stream.destroy(signal?.reason)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength
      if (length > maxBytes) throw tooLong(maxBytes)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Returns a stream for a pipe or terminal, where reading may have to wait. Returns `null` for other files. */
async function streamOf(descriptor: number, stats: Stats): Promise<Readable | null> {
  if (stats.isFIFO()) return new (await import('node:net')).Socket({ fd: descriptor, readable: true, writable: false })
  if (!stats.isCharacterDevice()) return null
  const { isatty, ReadStream } = await import('node:tty')
  return isatty(descriptor) ? new ReadStream(descriptor) : null
}

/** Reads a file to its end. `size` is only a hint: it is 0 for files in `/proc` and for devices. */
function readNow(descriptor: number, size: number, maxBytes: number): Uint8Array {
  let bytes = Buffer.alloc(Math.min(size, maxBytes) + STEP_BYTES)
  for (let length = 0; ; ) {
    if (length === bytes.length) bytes = Buffer.concat([bytes], 2 * length)
    const got = readSync(descriptor, bytes, length, bytes.length - length, null)
    if (got === 0) return bytes.subarray(0, length)
    length += got
    if (length > maxBytes) throw tooLong(maxBytes)
  }
}

function tooLong(maxBytes: number): Error {
  return new Error(`it is longer than ${maxBytes} bytes`)
}
