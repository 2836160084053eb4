import { closeSync, fdatasyncSync, fstatSync, writeSync } from 'node:fs'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { CommitQueue } from '../../../base/storage/commit-queue.ts'
import { writeFileDurably } from '../../../base/storage/durable-write.ts'
import { type Lock, lockedFailure, tryLock } from '../../../base/storage/lock.ts'
import { openOwnFile, truncateOwnFile } from '../../../base/storage/own-file.ts'
import { describeSystemError } from '../../../base/storage/system-error.ts'
import type { Entry, JournalFor, JournalMoment, LineKey, WriteOutcome } from './entry.ts'
import { entryLine, headerLine, readSeal } from './entry.ts'
import { type Known, type Reading, readEntries, requireSame } from './reading.ts'

/**
 * A journal file. Each step of sending a line is saved to disk before the next step begins. If the run is killed, at
 * most the last line of the journal is incomplete.
 */
export class Journal {
  readonly path: string
  readonly #lock: Lock
  readonly #descriptor: number
  readonly #known: ReadonlyMap<string, Known>
  #end: number
  #lastSeal: string
  #trouble: Failure | null = null
  #hasBegun = false
  /** Groups entries, so that they are synced to disk together. */
  readonly #queue = new CommitQueue((work) => this.#write(work))
  #lines: string[] = []
  #mustSync = false

  private constructor(path: string, lock: Lock, descriptor: number, read: Reading) {
    this.path = path
    this.#lock = lock
    this.#descriptor = descriptor
    this.#known = read.known
    this.#end = read.end + (read.isCut ? 1 : 0)
    this.#lastSeal = read.lastSeal
  }

  /**
   * Opens or creates a journal. Throws LOCKED (exit code 12) if another run has it open, or INTERNAL if the system
   * cannot open it. Throws USAGE if it is damaged, was written by a newer release, or belongs to a different command,
   * service or profile.
   */
  static async open(path: string, what: JournalFor): Promise<Journal> {
    const lockPath = `${path}.lock`
    const lock = tryLock(lockPath, { command: what.command })
    if (lock === null) throw await lockedFailure(lockPath, path)
    try {
      let descriptor = openToRead(path)
      if (descriptor === null) {
        writeFileDurably(path, headerLine(what))
        descriptor = openToRead(path)
      }
      if (descriptor === null) throw new Failure('INTERNAL', `another program removed ${path}; nothing was sent`)
      const read = await readEntries(path, descriptor, (found) => requireSame(path, found, what))
      return new Journal(path, lock, openToWrite(path, read), read)
    } catch (error) {
      lock.release()
      throw error
    }
  }

  get size(): number {
    return this.#known.size
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  known(id: string): Known | null {
    return this.#known.get(id) ?? null
  }

  all(): Iterable<Known> {
    return this.#known.values()
  }

  /**
   * Records that a write is about to be sent. If this throws INTERNAL, the write must not be sent. A write with an
   * `operation` is already recorded durably elsewhere, so its entry is not synced to disk, and a power failure may
   * erase it.
   */
  async begin(key: LineKey, at: JournalMoment, operation: string | null): Promise<void> {
    const { line, id, digest } = key
    await this.#append({ line, id, digest, state: 'sending', at, operation }, operation === null)
    this.#hasBegun = true
  }

  /** Records the outcome of a write. If this throws INTERNAL, the next run treats the outcome as unknown. */
  end(key: LineKey, state: WriteOutcome, status: number | null, message: string | null): Promise<void> {
    const { line, id, digest } = key
    return this.#append({ line, id, digest, state, status, message }, true)
  }

  close(): void {
    closeSync(this.#descriptor)
    this.#lock.release()
  }

  #append(entry: Entry, isDurable: boolean): Promise<void> {
    return this.#queue.run(() => {
      this.#mustSync ||= isDurable
      const line = entryLine(entry, this.#lastSeal)
      this.#lines.push(line)
      this.#lastSeal = readSeal(line)
    })
  }

  #write(work: () => void): void {
    // After a failed write, the file may end with an incomplete line. Anything appended to that line would be
    // unreadable.
    if (this.#trouble) throw this.#trouble
    work()
    const bytes = Buffer.from(this.#lines.splice(0).join(''))
    try {
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(this.#descriptor, bytes, offset)
      if (this.#mustSync) fdatasyncSync(this.#descriptor)
      this.#mustSync = false
      this.#end += bytes.length
    } catch (error) {
      this.#trouble = cannotWrite(this.path, error)
      try {
        truncateOwnFile(this.path, this.#descriptor, this.#end)
      } catch {
        // If the file cannot be truncated, the next run removes the incomplete line.
      }
      throw this.#trouble
    }
  }
}

function openToRead(path: string): number | null {
  try {
    return openOwnFile(path, 'read')
  } catch (error) {
    if (error instanceof Failure) throw error
    throw usageFailure([`the journal ${path} cannot be read: ${describeSystemError(error)}; nothing was sent`])
  }
}

function openToWrite(path: string, { end, isCut }: Reading): number {
  try {
    const descriptor = openOwnFile(path, 'append')
    if (fstatSync(descriptor).size > end) truncateOwnFile(path, descriptor, end)
    if (isCut) writeSync(descriptor, '\n')
    return descriptor
  } catch (error) {
    throw error instanceof Failure ? error : cannotWrite(path, error)
  }
}

function cannotWrite(path: string, error: unknown): Failure {
  return new Failure('INTERNAL', `the journal ${path} cannot be written: ${describeSystemError(error)}`, {
    hint: 'free some disk space, or make the file writable, then run the command again: it continues where it stopped',
    outcome: 'not-applied',
    cause: error,
  })
}
