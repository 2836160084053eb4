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

/** Settles a delivery: records whether it was handled. Must be called once for each stored delivery. Never throws. */
export type Settle = (isHandled: boolean) => Promise<void>

/** A journal's file, open for appending. */
export class JournalFile {
  readonly #path: string
  readonly #descriptor: number
  /**
   * The same file, opened again without O_APPEND, so that digits can be overwritten. `null` if deliveries are not
   * tracked.
   */
  readonly #digits: number | null
  /** The offset of an incomplete line that could not be removed yet, or `null` if there is none. */
  #incompleteAt: number | null = null
  /** How many tracked deliveries have not been settled yet. */
  #unsettled = 0
  #onSettled: (() => void) | null = null

  /**
   * Opens or creates the file. {@link track} can be called only if `isTracked` is true. Throws USAGE if the path is not
   * a plain file, or the system's error.
   */
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

  /** Removes an incomplete last line, which is left over if a listener is killed before it responds to the delivery. */
  removeIncompleteLine(last: JournalledDelivery | undefined): void {
    const end = last?.end ?? 0
    if (fstatSync(this.#descriptor).size > end) this.#truncate(end)
    if (last?.isEnded === false) writeSync(this.#descriptor, '\n')
  }

  /** Removes what is left of a failed {@link append}. Throws the system's error. */
  repair(): void {
    // Appending to the incomplete line would make the next line unreadable too.
    if (this.#incompleteAt !== null) this.#truncate(this.#incompleteAt)
    this.#incompleteAt = null
  }

  /**
   * Appends lines, flushes them to disk, and returns the offset of the first one. If that fails, throws the system's
   * error and removes the lines from the file. If they cannot be removed immediately, {@link repair} removes them
   * later.
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
      // If this fails, the incomplete line is removed when the next delivery arrives or when the next listener starts.
      attempt(() => this.repair(), undefined)
      throw error
    }
    return start
  }

  /**
   * Returns a function that settles the delivery whose line ends at offset `end`. To mark it as handled, the function
   * overwrites a single byte, so the line always remains valid. If the mark is lost, the delivery counts as not
   * handled, which is safe.
   */
  track(end: number): Settle {
    this.#unsettled++
    return async (isHandled) => {
      if (isHandled && this.#digits !== null)
        await writeAsync(this.#digits, HANDLED_DIGIT, end - HANDLED_OFFSET, 'latin1').catch(() => undefined)
      if (--this.#unsettled === 0) this.#onSettled?.()
    }
  }

  /** Whether all tracked deliveries have been settled. */
  get isSettled(): boolean {
    return this.#unsettled === 0
  }

  /** Resolves when all tracked deliveries have been settled. */
  settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onSettled = resolve
    })
  }

  #truncate(length: number): void {
    // Tracked files are truncated by descriptor, because they may have been renamed since they were opened.
    if (this.#digits === null) truncateOwnFile(this.#path, this.#descriptor, length)
    else ftruncateSync(this.#digits, length)
  }

  /** Never throws, because all lines are on disk already. */
  async close(): Promise<void> {
    await closeAsync(this.#descriptor).catch(() => undefined)
    if (this.#digits !== null) await closeAsync(this.#digits).catch(() => undefined)
  }
}
