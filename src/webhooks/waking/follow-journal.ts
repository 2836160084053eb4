import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { readChunks, splitLines } from '../../base/storage/lines.ts'
import { describeUnlessPlain } from '../../base/storage/own-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'
import { readDelivery } from '../events/journal/entry.ts'
import { readEvent } from '../events/read-event.ts'
import { type BookingEvent, type EventWatch, toBookingEvent, UNSEEN } from './booking-event.ts'

/** How often, in milliseconds, to check for new lines. Unlike file notifications, this works on every file system. */
const LOOK_EVERY_MS = 200
/** The maximum length of a line. A longer line counts as an event about an unknown booking. */
const MOST_BYTES = 1024 * 1024
const LINE_FEED = 0x0a

/**
 * Follows a journal that another process writes, starting at its current end. The file might not exist yet, and can be
 * truncated, replaced or rotated at any time. Lines that may have been missed are reported as one {@link UNSEEN} event.
 * The file is open only during a read, so that it can be renamed and deleted on any system. Throws USAGE if the journal
 * cannot be read or is not a plain file.
 */
export async function followJournal(path: string, { onEvents, report }: EventWatch) {
  const tail = new JournalTail(path, () =>
    report(`ignoring lines in ${path} that are not deliveries; check that this journal was written by webhooks listen`),
  )
  try {
    if (!(await tail.skipToEnd())) report(`${path} does not exist yet; waiting for webhooks listen to create it`)
  } catch (error) {
    throw usageFailure([`--wake: cannot read ${path}: ${wordsFor(error)}`], 'pass a journal written by webhooks listen')
  }
  let isClosed = false
  let trouble: string | null = null
  let timer: NodeJS.Timeout
  const look = async () => {
    try {
      const events = await tail.read()
      if (trouble !== null) report(`${path} is readable again`)
      trouble = null
      if (events.length > 0 && !isClosed) onEvents(events)
    } catch (error) {
      const words = wordsFor(error)
      if (trouble === null) report(`cannot read ${path}: ${words}; trying again`)
      trouble = words
    }
    if (!isClosed) timer = setTimeout(() => void look(), LOOK_EVERY_MS)
  }
  timer = setTimeout(() => void look(), LOOK_EVERY_MS)
  const close = async () => {
    isClosed = true
    clearTimeout(timer)
  }
  return { close }
}

/** Reads the lines that were appended to a journal since the last read. */
class JournalTail {
  readonly #path: string
  readonly #onBadLine: () => void
  /** The file that was last read, or `null` before the first read. A truncated file counts as a new file. */
  #file: { readonly device: bigint; readonly inode: bigint } | null = null
  #size = 0
  /** The offset of the start of the next line. */
  #offset = 0
  /** Whether the offset is inside a line that was incomplete when following began. */
  #isInsideLine = false
  #hasBadLine = false

  constructor(path: string, onBadLine: () => void) {
    this.#path = path
    this.#onBadLine = onBadLine
  }

  /** Skips the journal's existing lines. Returns whether the journal exists. Throws system errors. */
  async skipToEnd(): Promise<boolean> {
    return this.#withFile(false, async (handle, size) => {
      const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: Math.max(0, size - 1) })
      this.#isInsideLine = size > 0 && buffer[0] !== LINE_FEED
      this.#offset = size
      return true
    })
  }

  /** Returns the booking events in the new lines. Throws system errors. */
  async read(): Promise<readonly BookingEvent[]> {
    const before = this.#file
    return this.#withFile([], async (handle, size) => {
      const events: BookingEvent[] = before !== null && before !== this.#file ? [UNSEEN] : []
      const from = this.#offset
      for await (const lines of splitLines(readChunks(handle.fd, size, from), MOST_BYTES))
        for (const { bytes, end, isEnded } of lines) {
          // The last line is incomplete, so leave it for the next read.
          if (!isEnded) continue
          this.#offset = from + end
          const event = bytes === null ? UNSEEN : this.#readLine(bytes)
          if (event !== null) events.push(event)
        }
      return events
    })
  }

  /**
   * Opens the file and calls `act` with its size. Returns `otherwise` if the file has not changed since the last read.
   */
  async #withFile<T>(otherwise: T, act: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
    if (!(await this.#hasChanged())) return otherwise
    const handle = await open(this.#path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = await handle.stat({ bigint: true })
      const size = Number(stats.size)
      if (stats.dev !== this.#file?.device || stats.ino !== this.#file.inode || size < this.#offset) {
        this.#file = { device: stats.dev, inode: stats.ino }
        this.#offset = 0
        this.#isInsideLine = false
      }
      this.#size = size
      return await act(handle, size)
    } finally {
      await handle.close()
    }
  }

  /**
   * Returns whether the file has changed. Returns `false` if it does not exist, which can happen briefly during a
   * rotation.
   */
  async #hasChanged(): Promise<boolean> {
    try {
      const stats = await stat(this.#path, { bigint: true })
      const kind = describeUnlessPlain(stats)
      if (kind !== null) throw new Failure('USAGE', `it is ${kind}`)
      const isSame = stats.dev === this.#file?.device && stats.ino === this.#file.inode
      return !isSame || Number(stats.size) !== this.#size
    } catch (error) {
      if (getSystemErrorCode(error) === 'ENOENT') return false
      throw error
    }
  }

  #readLine(bytes: Uint8Array): BookingEvent | null {
    const isPartial = this.#isInsideLine
    this.#isInsideLine = false
    if (isPartial || bytes.byteLength === 0) return null
    const delivery = readDelivery(Buffer.from(bytes).toString('utf8'))
    const read = delivery && readEvent(delivery.body)
    if (read !== null) return toBookingEvent(read)
    if (!this.#hasBadLine) this.#onBadLine()
    this.#hasBadLine = true
    return null
  }
}

function wordsFor(error: unknown): string {
  return error instanceof Failure ? error.words : describeSystemError(error)
}
