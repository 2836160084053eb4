import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { Failure } from '../../base/failure/failure.ts'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'
import { statsOf } from './file-location.ts'
import { hashText } from './hash-table.ts'

const FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const TAIL_BYTES = 4096
const STEP_BYTES = 512 * 1024
const MOST_BYTES = 3

/** The buffer of the most recently closed file. It is reused, because a sync reopens its file for every window. */
let spare: Buffer | null = null

/** A copy's data file, open for appending. A new file is accessible only to its owner. */
export class DataFile {
  readonly #path: string
  readonly descriptor: number
  #length: number
  /** Encoded text that has not been written yet. Encoding each text when it is added saves memory. */
  readonly #pending: Buffer
  #pendingBytes = 0

  /**
   * Opens or creates the file. `length` is the expected length, or 0 for a new file. Throws USAGE if the length
   * differs, or INTERNAL if the file cannot be opened.
   */
  constructor(path: string, length: number) {
    this.#path = path
    this.#length = length
    if (length > 0 || statsOf(path)) requireLength(path, length)
    this.descriptor = explainingErrors(path, () => openSync(path, FLAGS, 0o600))
    this.#pending = spare ?? Buffer.allocUnsafeSlow(STEP_BYTES)
    spare = null
  }

  get length(): number {
    return this.#length
  }

  append(text: string): void {
    const most = text.length * MOST_BYTES
    if (this.#pendingBytes + most > STEP_BYTES) this.flush()
    if (most > STEP_BYTES) this.#write(Buffer.from(text))
    else this.#pendingBytes += this.#pending.write(text, this.#pendingBytes)
  }

  /** Writes pending text. Throws INTERNAL if that fails, for example because the disk is full. */
  flush(): void {
    const bytes = this.#pending.subarray(0, this.#pendingBytes)
    this.#pendingBytes = 0
    this.#write(bytes)
  }

  /** Writes pending text and flushes the file to disk. Throws INTERNAL if that fails. */
  sync(): void {
    this.flush()
    explainingErrors(this.#path, () => fdatasyncSync(this.descriptor))
  }

  /** Throws USAGE if another process has replaced the file or written to it. */
  requireUnchanged(): void {
    const [ours, there] = [fstatSync(this.descriptor), statsOf(this.#path)]
    if (there !== null && there.ino === ours.ino && there.dev === ours.dev && ours.size === this.#length) return
    throw changedFailure(this.#path, there === null)
  }

  /** Truncates the file to a length, unless another process has written to it. */
  truncateTo(length: number): void {
    this.#pendingBytes = 0
    if (fstatSync(this.descriptor).size !== this.#length) return
    this.#length = length
    explainingErrors(this.#path, () => ftruncateSync(this.descriptor, length))
  }

  close(): void {
    closeSync(this.descriptor)
    spare = this.#pending
  }

  #write(bytes: Buffer): void {
    explainingErrors(this.#path, () => {
      // On a nearly full disk, a call may write fewer bytes than requested without an error.
      for (let done = 0; done < bytes.length; ) {
        const written = writeSync(this.descriptor, bytes, done, bytes.length - done, this.#length)
        done += written
        this.#length += written
      }
    })
  }
}

/** Returns a hash of the last bytes before offset `length` in an open file. */
export function hashTail(descriptor: number, length: number): string {
  const bytes = Buffer.alloc(Math.min(TAIL_BYTES, length))
  const got = readSync(descriptor, bytes, 0, bytes.length, length - bytes.length)
  return hashText(bytes.toString('latin1', 0, got))
}

/** Opens the file at a path and returns its {@link hashTail}. */
export function hashTailOfFile(path: string, length: number): string {
  const descriptor = openSync(path, 'r')
  try {
    return hashTail(descriptor, length)
  } finally {
    closeSync(descriptor)
  }
}

/** Returns the {@link hashTail} of a file with this content. */
export function hashTailOfBytes(bytes: Buffer): string {
  return hashText(bytes.subarray(-TAIL_BYTES).toString('latin1'))
}

/** Truncates a file. Throws INTERNAL if that fails. */
export function truncateFile(path: string, length: number): void {
  explainingErrors(path, () => truncateSync(path, length))
}

/** Throws USAGE unless the file has exactly this length. */
export function requireLength(path: string, length: number): void {
  const there = statsOf(path)
  if (there !== null && there.size === length) return
  throw changedFailure(path, there === null)
}

function changedFailure(path: string, isGone: boolean): Failure {
  return new Failure('USAGE', `${path} ${isGone ? 'was deleted' : 'was changed by another program'} during the sync`, {
    hint: 'this run stored nothing; find out which other program writes to the file, then run the sync again',
  })
}

function explainingErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(getSystemErrorCode(error) ?? '')
    throw new Failure('INTERNAL', `cannot write ${path}: ${describeSystemError(error)}`, {
      hint: `${isFull ? 'free some space' : 'fix this'}, then run the sync again to continue where it stopped`,
      cause: error,
    })
  }
}
