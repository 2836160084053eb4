import { closeSync, createReadStream, openSync, type Stats, statSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { type GivenFile, openGivenFile } from '../../../base/storage/given-file.ts'
import { type RawLine, readChunks, splitLines } from '../../../base/storage/lines.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { withoutUtf16 } from '../../../base/utf8.ts'
import { type ClosedPart, readablePartsOf } from './closed-days.ts'
import { type Delivery, readDelivery } from './entry.ts'

/** A stored delivery with its line number or row ID. */
export interface StoredDelivery extends Delivery {
  /**
   * The line number in a journal, starting at 1, or the row's ID in an inbox. Line numbers include the lines of closed
   * days.
   */
  readonly line: number
}

/** A delivery with its position in a file. */
export interface JournalledDelivery extends StoredDelivery {
  /** The byte offset of the end of the delivery's line. */
  readonly end: number
  /** Whether the line ends with a line break. Only the last line may lack a line break. */
  readonly isEnded: boolean
}

const MOST_BYTES = 64 * 1024 * 1024

/**
 * Reads a journal's deliveries in batches, oldest first, including those of closed days. Reads each delivery exactly
 * once, even if a listener closes a day meanwhile, but may miss deliveries that the listener drops. Stops at the size
 * that the current file had at the start, because the caller may be sending to a listener that appends to it. Skips an
 * incomplete last line, because that delivery was never acknowledged. Throws USAGE if a file cannot be read, or if a
 * line is not a delivery.
 */
export async function* readJournal(path: string): AsyncGenerator<readonly StoredDelivery[]> {
  const { closed, current } = await explainingErrors(path, () => openJournal(path))
  try {
    let line = 0
    for (const part of closed) line = yield* numberedFrom(line, readClosedPart(part))
    if (current !== null) yield* numberedFrom(line, deliveriesIn(path, chunksOf(current)))
  } finally {
    if (current !== null) close(current)
  }
}

/** Reads one file of a journal in batches. Throws the same errors as {@link readJournal}. */
export async function* readJournalFile(path: string): AsyncGenerator<readonly JournalledDelivery[]> {
  const file = await explainingErrors(path, () => openGivenFile(path))
  try {
    yield* deliveriesIn(path, chunksOf(file))
  } finally {
    close(file)
  }
}

/** Reads the deliveries of a closed part. Yields nothing if the listener has dropped the part. */
export async function* readClosedPart(part: ClosedPart): AsyncGenerator<readonly JournalledDelivery[]> {
  const opened = openClosedPart(part)
  if (opened !== null) yield* deliveriesIn(opened.path, opened.chunks)
}

/** Reads the lines of a closed part in batches. Throws USAGE if the part cannot be read. */
export async function* readClosedLines(part: ClosedPart): AsyncGenerator<readonly RawLine[]> {
  const opened = openClosedPart(part)
  if (opened !== null) yield* linesIn(opened.path, opened.chunks)
}

interface OpenJournal {
  readonly closed: readonly ClosedPart[]
  /**
   * The file, or `null` if it does not exist. It is missing if a listener was killed after closing a file and before
   * creating the next.
   */
  readonly current: GivenFile | null
}

/** Opens a journal's current file and lists its closed days. Throws system errors. */
async function openJournal(path: string): Promise<OpenJournal> {
  if (path.endsWith('.gz') && statSync(path).isFile()) return { closed: [partAt(path)], current: null }
  for (;;) {
    const current = await openUnlessMissing(path)
    try {
      if (current !== null && !current.stats.isFile()) return { closed: [], current }
      const closed = listWhileClosing(path)
      if (current === null && closed.length === 0) statSync(path)
      // If the listener has just closed the file, `closed` may already contain it, so start over.
      if (isSameFile(statSync(path, { throwIfNoEntry: false }), current?.stats)) return { closed, current }
    } catch (error) {
      if (current !== null) close(current)
      throw error
    }
    if (current !== null) close(current)
  }
}

/** Returns the closed part for a compressed file that the user named, such as `hooks.ndjson.2026-11-27.gz`. */
function partAt(compressed: string): ClosedPart {
  return { day: 0, number: 1, plain: compressed, compressed, hasPlain: false, hasCompressed: true }
}

async function openUnlessMissing(path: string): Promise<GivenFile | null> {
  try {
    return await openGivenFile(path)
  } catch (error) {
    if (getSystemErrorCode(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Lists the closed parts until two consecutive lists are equal. A list can miss a day that is compressed while the
 * directory is being read, but the next list contains it, because each day is compressed only once.
 */
function listWhileClosing(path: string): readonly ClosedPart[] {
  const names = (parts: readonly ClosedPart[]) => parts.map(({ plain }) => plain).join('\n')
  for (let before = readablePartsOf(path); ; ) {
    const closed = readablePartsOf(path)
    if (names(closed) === names(before)) return closed
    before = closed
  }
}

function isSameFile(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.dev === other?.dev && one?.ino === other?.ino
}

/**
 * Opens a closed part, compressed or not. Tries the compressed file again at the end, because a listener may have just
 * compressed the part. Returns `null` if the part no longer exists.
 */
function openClosedPart({ plain, compressed }: ClosedPart) {
  for (const path of [compressed, plain, compressed])
    try {
      const descriptor = openSync(path, 'r')
      return { path, chunks: path === compressed ? unzip(descriptor) : readAndClose(descriptor) }
    } catch (error) {
      if (getSystemErrorCode(error) !== 'ENOENT')
        throw usageFailure([`cannot read ${path}: ${describeSystemError(error)}`])
    }
  return null
}

async function* readAndClose(descriptor: number): AsyncGenerator<Uint8Array> {
  try {
    yield* readChunks(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

async function* unzip(descriptor: number): AsyncGenerator<Uint8Array> {
  const { createGunzip } = await import('node:zlib')
  // Iterating over the pipeline throws the errors of both streams. At the end, the pipeline destroys both streams.
  yield* pipeline(createReadStream('', { fd: descriptor }), createGunzip(), () => {})
}

function chunksOf({ descriptor, stream, stats }: GivenFile): AsyncIterable<Uint8Array> {
  return stream ?? readChunks(descriptor, stats.isFile() ? stats.size : undefined)
}

function close({ descriptor, stream }: GivenFile): void {
  if (stream) stream.destroy()
  else closeSync(descriptor)
}

/** Adds `before` to each delivery's line number. Returns the last line number. */
async function* numberedFrom(before: number, batches: AsyncIterable<readonly JournalledDelivery[]>) {
  let last = before
  for await (const batch of batches) {
    last = before + (batch.at(-1)?.line ?? 0)
    yield before === 0 ? batch : batch.map((delivery) => ({ ...delivery, line: before + delivery.line }))
  }
  return last
}

async function* deliveriesIn(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly JournalledDelivery[]> {
  for await (const lines of linesIn(path, chunks)) {
    const deliveries: JournalledDelivery[] = []
    for (const { line, bytes, end, isEnded } of lines) {
      if (bytes?.byteLength === 0) continue
      const delivery = bytes === null ? null : readDelivery(Buffer.from(bytes).toString('utf8'))
      if (delivery === null && !isEnded) break
      if (delivery === null)
        throw usageFailure(
          [`${path}: line ${line} is not a delivery`],
          'pass a journal written by webhooks listen; if that line is damaged, remove it to read the rest',
        )
      deliveries.push({ ...delivery, line, end, isEnded })
    }
    if (deliveries.length > 0) yield deliveries
  }
}

async function* linesIn(path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly RawLine[]> {
  try {
    yield* splitLines(withoutUtf16(chunks, path), MOST_BYTES)
  } catch (error) {
    throw readFailure(path, error)
  }
}

async function explainingErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw readFailure(path, error)
  }
}

function readFailure(path: string, error: unknown): unknown {
  const code = getSystemErrorCode(error)
  if (error instanceof Failure || code === null) return error
  if (code.startsWith('Z_')) return usageFailure([`cannot read ${path}: it is damaged (${code})`], DAMAGED)
  return usageFailure([`cannot read ${path}: ${describeSystemError(error)}`])
}

const DAMAGED = 'restore the file from a backup, or move it aside to read the rest of the journal'
