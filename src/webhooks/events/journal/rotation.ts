import { chmodSync, statSync } from 'node:fs'
import { getTemporaryPath, syncDirectory } from '../../../base/storage/durable-write.ts'
import { discard, renameFile } from '../../../base/storage/rename-remove.ts'
import { describeSystemError } from '../../../base/storage/system-error.ts'
import { MINUTE_MS } from '../../../base/time/units.ts'
import { dayOf, nextClosedPath } from './closed-days.ts'
import { JournalFile } from './journal-file.ts'
import { type Keeping, Upkeep } from './upkeep.ts'

const LOOK_EVERY_MS = MINUTE_MS

/**
 * A journal's file. At the end of each UTC day, it is closed, renamed and replaced with a new file, so deliveries are
 * never copied from one file to another.
 */
export class Rotation {
  /** The journal's path, without symbolic links. */
  readonly path: string
  readonly #keeping: Keeping
  readonly #upkeep: Upkeep
  /** Closed or replaced files that still have unanswered deliveries. */
  readonly #busy = new Map<string, Promise<void>>()
  /** The day of the file's last delivery, or `null` if the file is empty. */
  #day: number | null
  #file: JournalFile
  #isIdle: () => boolean = () => true
  #timer: NodeJS.Timeout | undefined
  #hasFailed = false

  constructor(path: string, file: JournalFile, day: number | null, keeping: Keeping) {
    this.path = path
    this.#file = file
    this.#day = day
    this.#keeping = keeping
    this.#upkeep = new Upkeep(path, keeping, this.#busy)
  }

  /** The file that deliveries are appended to. */
  get file(): JournalFile {
    return this.#file
  }

  /**
   * Starts compressing closed days and dropping old deliveries. `isIdle` returns whether no delivery is being written.
   */
  start(isIdle: () => boolean): void {
    this.#isIdle = isIdle
    this.#timer = setInterval(() => void this.tidy(), LOOK_EVERY_MS).unref()
    void this.tidy()
  }

  /**
   * Closes the file if its deliveries are from a day other than `day`. If that fails, reports the error and keeps the
   * file open. Does nothing if `day` is one day earlier, because the clock may have been set back at midnight.
   */
  turnTo(day: number): void {
    if (this.#day === null || day === this.#day || day === this.#day - 1) return
    try {
      // Do not rename a file that another program created at this path. The next delivery opens that file.
      if (!this.#file.isAt(this.path)) return
      this.#closeDay(this.#day)
      this.#day = null
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed)
        this.#keeping.report(
          `cannot close ${this.path} at the end of the day: ${describeSystemError(error)}; new deliveries are still added to it`,
        )
      this.#hasFailed = true
    }
  }

  /**
   * Switches to the file that is now at the journal's path. `day` is the day of that file's last delivery, or `null` if
   * it is empty.
   */
  replaceFile(file: JournalFile, day: number | null): void {
    this.#leave(this.path)
    this.#file = file
    this.#day = day
  }

  /** Records the day of deliveries that were appended to the file. */
  wrote(day: number): void {
    if (this.#day !== day + 1) this.#day = day
  }

  /** Closes the file if its day is over, compresses closed days, and drops old deliveries. Never throws. */
  async tidy(): Promise<void> {
    if (this.#isIdle()) this.turnTo(dayOf(this.#keeping.now()))
    await this.#upkeep.run()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#busy.values(), this.#file.settled()])
    await this.#upkeep.stop()
    await this.#file.close()
  }

  /**
   * Renames the file and creates a new one at its path. All steps that can fail on a full disk precede the first
   * rename. If this throws a system error, the file is unchanged.
   */
  #closeDay(day: number): void {
    const temporary = getTemporaryPath(this.path)
    const closed = nextClosedPath(this.path, day)
    let next: JournalFile | null = null
    try {
      next = new JournalFile(temporary, true)
      chmodSync(temporary, statSync(this.path).mode & 0o777)
      renameFile(this.path, closed)
      try {
        renameFile(temporary, this.path)
      } catch (error) {
        renameFile(closed, this.path)
        throw error
      }
    } catch (error) {
      void next?.close()
      discard(temporary)
      throw error
    }
    this.#leave(closed)
    this.#file = next
    syncDirectory(this.path)
  }

  /** Closes the current file once all its deliveries have been answered. Until then, `#busy` contains `path`. */
  #leave(path: string): void {
    const old = this.#file
    if (old.isSettled) {
      void old.close()
      return
    }
    const settling = old.settled().then(() => old.close())
    this.#busy.set(path, settling)
    void settling.finally(() => {
      this.#busy.delete(path)
      void this.#upkeep.run()
    })
  }
}
