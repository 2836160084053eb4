import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import type { Readable } from 'node:stream'

/** How a file is read that a person has named. */
export interface GivenFileReading {
  /** More of it is an error. */
  readonly maxBytes: number
  /** Ends the wait for a pipe, with its reason. */
  readonly signal?: AbortSignal | undefined
}

/** Larger steps gain nothing, and smaller ones cost. */
const STEP_BYTES = 64 * 1024

/**
 * Reads the whole of a file that a person has named. That may be a pipe (`<(pass show key)`, `/dev/stdin`), which is read to
 * its end without holding up the process, however long nobody writes.
 * Fails: the system's error; an Error that says in its message that it is too long; the signal's reason.
 */
export async function readGivenFile(
  path: string,
  reading: GivenFileReading,
): Promise<{ readonly bytes: Uint8Array; readonly stats: Stats }> {
  const { descriptor, stats, stream } = await openGiven(path)
  try {
    const bytes = stream ? await readToEnd(stream, reading) : readNow(descriptor, reading.maxBytes)
    return { bytes, stats }
  } finally {
    if (stream) stream.destroy()
    else closeSync(descriptor)
  }
}

/** A file that a person has named, open for reading. */
export interface GivenFile {
  readonly descriptor: number
  readonly stats: Stats
  /** For what can make a reader wait, such as a pipe; it closes the descriptor. Null: everything is there at once. */
  readonly stream: Readable | null
}

/** Opens a file that a person has named. Fails: the system's error. */
export async function openGiven(path: string): Promise<GivenFile> {
  // A pipe that nobody writes to would be opened only when somebody does, and nothing could end that.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(descriptor)
    return { descriptor, stats, stream: await streamOf(descriptor, stats) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Reads a stream to its end. Fails: as the stream does; as {@link readGivenFile}. */
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

/** What can make a reader wait, as a stream; null for everything that is there at once. */
async function streamOf(descriptor: number, stats: Stats): Promise<Readable | null> {
  if (stats.isFIFO()) return new (await import('node:net')).Socket({ fd: descriptor, readable: true, writable: false })
  if (!stats.isCharacterDevice()) return null
  const { isatty, ReadStream } = await import('node:tty')
  return isatty(descriptor) ? new ReadStream(descriptor) : null
}

/** The size of a file says nothing where there is none, as below `/proc`, or no end, as of `/dev/zero`. */
function readNow(descriptor: number, maxBytes: number): Uint8Array {
  const chunks: Uint8Array[] = []
  for (let length = 0; ; ) {
    const chunk = Buffer.alloc(STEP_BYTES)
    const got = readSync(descriptor, chunk, 0, STEP_BYTES, null)
    if (got === 0) return Buffer.concat(chunks)
    length += got
    if (length > maxBytes) throw tooLong(maxBytes)
    chunks.push(chunk.subarray(0, got))
  }
}

function tooLong(maxBytes: number): Error {
  return new Error(`it is longer than ${maxBytes} bytes`)
}
