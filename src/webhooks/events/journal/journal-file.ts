import { close, closeSync, fdatasync, fstat, fstatSync, ftruncateSync, openSync, write, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { attempt } from '../../../base/attempt.ts'
import { openOwnFile, truncateOwnFile } from '../../../base/storage/own-file.ts'
import { HANDLED_DIGIT, HANDLED_OFFSET } from './entry.ts'
import type { JournalledDelivery } from './read-journal.ts'

const writeAsync = promisify(write)
const fdatasyncAsync = promisify(fdatasync)
const fstatAsync = promisify(fstat)
const closeAsync = promisify(close)

/** Records whether a delivery was handled. Must be called once for each stored delivery. Never throws. */
export type Settle = (isHandled: boolean) => Promise<void>

/** A journal's file, open for appending. */
export class JournalFile {
  readonly #path: string
  readonly #descriptor: number
  /** The same file, opened again without O_APPEND, with which all writes would go to its end. `null` if not tracked. */
  readonly #digits: number | null
  /** The offset of an incomplete line that could not be removed yet, or `null` if there is none. */
  #incompleteAt: number | null = null
  /** How many deliveries are neither handled nor rejected yet. */
  #unsettled = 0
  #onSettled: (() => void) | null = null

  /** Opens or creates the file. With `isTracked`, {@link track} can be called. Throws the system's error, or USAGE. */
  constructor(path: string, isTracked: boolean) {
    this.#path = path
    this.#descriptor = openOwnFile(path, 'append')
    try {
      this.#digits = isTracked ? openSync(path, 'r+') : null
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  /** Removes an incomplete last line. The listener that wrote it was killed before it responded to that delivery. */
  removeIncompleteLine(last: JournalledDelivery | undefined): void {
    const end = last?.end ?? 0
    if (fstatSync(this.#descriptor).size > end) this.#truncate(end)
    if (last?.isEnded === false) writeSync(this.#descriptor, '\n')
  }

  /** Removes what is left of a failed {@link append}. Throws the system's error. */
  repair(): void {
    // Otherwise, the line appended to an incomplete line would be lost as well.
    if (this.#incompleteAt !== null) this.#truncate(this.#incompleteAt)
    this.#incompleteAt = null
  }

  /**
   * Appends lines, flushes them to disk, and returns the offset of the first one. Throws the system's error; the file
   * then does not contain the lines, unless they could not be removed: see {@link repair}.
   */
  async append(bytes: Buffer): Promise<number> {
    const start = (await fstatAsync(this.#descriptor)).size
    this.#incompleteAt = start
    try {
      for (let offset = 0; offset < bytes.length; )
        offset += (await writeAsync(this.#descriptor, bytes, offset, bytes.length - offset, null)).bytesWritten
      await fdatasyncAsync(this.#descriptor)
      this.#incompleteAt = null
    } catch (error) {
      // If this fails, the incomplete line is removed when the next delivery arrives, or by the next listener.
      attempt(() => this.repair(), undefined)
      throw error
    }
    return start
  }

  /**
   * Returns a function that marks the line that ends at offset `end` as handled. It overwrites a single byte, so the
   * line is always whole. If the mark is lost, the delivery counts as not handled, which is safe.
   */
  track(end: number): Settle {
    this.#unsettled++
    return async (isHandled) => {
      if (isHandled && this.#digits !== null)
        await writeAsync(this.#digits, HANDLED_DIGIT, end - HANDLED_OFFSET, 'latin1').catch(() => undefined)
      if (--this.#unsettled === 0) this.#onSettled?.()
    }
  }

  /** Whether each tracked delivery has been settled. */
  get isSettled(): boolean {
    return this.#unsettled === 0
  }

  /** Resolves when each tracked delivery has been settled. */
  settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onSettled = resolve
    })
  }

  #truncate(length: number): void {
    // A tracked file may have been renamed since it was opened.
    if (this.#digits === null) truncateOwnFile(this.#path, this.#descriptor, length)
    else ftruncateSync(this.#digits, length)
  }

  /** Never throws, because all lines are on disk already. */
  async close(): Promise<void> {
    await closeAsync(this.#descriptor).catch(() => undefined)
    if (this.#digits !== null) await closeAsync(this.#digits).catch(() => undefined)
  }
}
