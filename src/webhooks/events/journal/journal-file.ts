import {
  close,
  closeSync,
  fdatasync,
  fstat,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  write,
  writeSync,
} from 'node:fs'
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
   * A second descriptor of the file, without O_APPEND, for overwriting digits. `null` if deliveries are not tracked.
   */
  readonly #digits: number | null
  readonly #identity: { readonly dev: bigint; readonly ino: bigint }
  /** The size of the file after the last append. If the file is smaller, another program has truncated it. */
  #size = 0
  #truncations = 0
  /** The offset of an incomplete line that could not be removed yet, or `null` if there is none. */
  #incompleteAt: number | null = null
  /** How many tracked deliveries have not been settled yet. */
  #unsettled = 0
  #onSettled: (() => void) | null = null

  /**
   * Opens or creates the file. {@link track} can be called only if `isTracked` is true. Throws system errors, or
   * USAGE if the path is not a plain file.
   */
  constructor(path: string, isTracked: boolean) {
    this.#path = path
    this.#descriptor = openOwnFile(path, 'append')
    try {
      this.#identity = fstatSync(this.#descriptor, { bigint: true })
      this.#digits = isTracked ? openSync(path, 'r+') : null
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  /**
   * Returns whether the file still has this path, which means that it was not deleted, moved or replaced. Throws a
   * system error.
   */
  isAt(path: string): boolean {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats?.dev === this.#identity.dev && stats.ino === this.#identity.ino
  }

  /** Removes an incomplete last line, which is left over if a listener is killed before it responds to the delivery. */
  removeIncompleteLine(last: JournalledDelivery | undefined): void {
    const end = last?.end ?? 0
    this.#truncate(end)
    if (last?.isEnded === false) writeSync(this.#descriptor, '\n')
  }

  /** Removes the incomplete data of a failed {@link append}. Throws system errors. */
  repair(): void {
    // Appending to the incomplete line would make the next line unreadable too.
    if (this.#incompleteAt !== null) this.#truncate(this.#incompleteAt)
    this.#incompleteAt = null
  }

  /**
   * Appends lines, flushes them to disk, and returns the offset of the first one. If that fails, throws a system error
   * and removes the lines from the file. If they cannot be removed immediately, {@link repair} removes them
   * later.
   */
  async append(bytes: Buffer): Promise<number> {
    const start = (await fstatAsync(this.#descriptor)).size
    if (start < this.#size) this.#truncations++
    this.#incompleteAt = start
    try {
      for (let offset = 0; offset < bytes.length; )
        offset += (await writeAsync(this.#descriptor, bytes, offset, bytes.length - offset, null)).bytesWritten
      await fdatasyncAsync(this.#descriptor)
      this.#incompleteAt = null
      this.#size = start + bytes.length
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
    const truncations = this.#truncations
    return async (isHandled) => {
      if (isHandled && truncations === this.#truncations) await this.#mark(end).catch(() => undefined)
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

  /** Marks the delivery whose line ends at offset `end` as handled, unless that line was truncated. */
  async #mark(end: number): Promise<void> {
    if (this.#digits === null || (await fstatAsync(this.#digits)).size < end) return
    await writeAsync(this.#digits, HANDLED_DIGIT, end - HANDLED_OFFSET, 'latin1')
  }

  /** Shortens the file. Does nothing if the file is already shorter, because `ftruncate` would extend it with zeros. */
  #truncate(length: number): void {
    if (fstatSync(this.#descriptor).size <= length) return
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
