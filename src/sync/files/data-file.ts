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
import { statsOf } from './file-place.ts'
import { hashText } from './hash-table.ts'

const FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const TAIL_BYTES = 4096
const STEP_BYTES = 512 * 1024
const MOST_BYTES = 3

/** The buffer of the last closed file, reused because a sync opens its file for each window. */
let spare: Buffer | null = null

/** The file of a copy, open for appending. Created for its owner alone. */
export class DataFile {
  readonly #path: string
  readonly descriptor: number
  #length: number
  /** Text is encoded at once: strings that wait would be copied twice more. */
  readonly #pending: Buffer
  #pendingBytes = 0

  /** `length` must be that of the file; 0 if it is missing. Fails: USAGE if it is not; INTERNAL. */
  constructor(path: string, length: number) {
    this.#path = path
    this.#length = length
    if (length > 0 || statsOf(path)) requireLength(path, length)
    this.descriptor = attempt(path, () => openSync(path, FLAGS, 0o600))
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

  /** Fails: INTERNAL if it cannot be written (a full disk). */
  flush(): void {
    const bytes = this.#pending.subarray(0, this.#pendingBytes)
    this.#pendingBytes = 0
    this.#write(bytes)
  }

  /** Flushes to disk. Fails: INTERNAL. */
  sync(): void {
    this.flush()
    attempt(this.#path, () => fdatasyncSync(this.descriptor))
  }

  /** Fails: USAGE if the file was replaced or something else wrote to it. */
  requireUntouched(): void {
    const [ours, there] = [fstatSync(this.descriptor), statsOf(this.#path)]
    if (there !== null && there.ino === ours.ino && there.dev === ours.dev && ours.size === this.#length) return
    throw touchedFailure(this.#path, there === null)
  }

  /** Truncates to a length, unless something else wrote to the file as well. */
  cutTo(length: number): void {
    this.#pendingBytes = 0
    if (fstatSync(this.descriptor).size !== this.#length) return
    this.#length = length
    attempt(this.#path, () => ftruncateSync(this.descriptor, length))
  }

  close(): void {
    closeSync(this.descriptor)
    spare = this.#pending
  }

  #write(bytes: Buffer): void {
    attempt(this.#path, () => {
      // On a nearly full disk, one call may write fewer bytes than it was given, without an error.
      for (let done = 0; done < bytes.length; ) {
        const written = writeSync(this.descriptor, bytes, done, bytes.length - done, this.#length)
        done += written
        this.#length += written
      }
    })
  }
}

/** Returns a hash of the end of the first `length` bytes. */
export function tailOf(descriptor: number, length: number): string {
  const bytes = Buffer.alloc(Math.min(TAIL_BYTES, length))
  const got = readSync(descriptor, bytes, 0, bytes.length, length - bytes.length)
  return hashText(bytes.toString('latin1', 0, got))
}

/** {@link tailOf} the file at a path. */
export function tailIn(path: string, length: number): string {
  const descriptor = openSync(path, 'r')
  try {
    return tailOf(descriptor, length)
  } finally {
    closeSync(descriptor)
  }
}

/** {@link tailOf} a file with this content. */
export function tailOfBytes(bytes: Buffer): string {
  return hashText(bytes.subarray(-TAIL_BYTES).toString('latin1'))
}

/** Truncates a file. Fails: INTERNAL. */
export function cutFile(path: string, length: number): void {
  attempt(path, () => truncateSync(path, length))
}

/** Fails: USAGE if the file does not have this length. */
export function requireLength(path: string, length: number): void {
  const there = statsOf(path)
  if (there !== null && there.size === length) return
  throw touchedFailure(path, there === null)
}

function touchedFailure(path: string, isGone: boolean): Failure {
  return new Failure('USAGE', `${path} ${isGone ? 'is gone' : 'was changed by something else'} during the sync`, {
    hint: 'nothing of this run was kept; see what else writes there, and run it again',
  })
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(getSystemErrorCode(error) ?? '')
    throw new Failure('INTERNAL', `cannot write ${path}: ${describeSystemError(error)}`, {
      hint: `${isFull ? 'free some space' : 'see to that'} and run it again: it goes on where it stood`,
      cause: error,
    })
  }
}
