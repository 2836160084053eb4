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

/** How much of the end of a file is looked at to see whether it is the same. */
const TAIL_BYTES = 4096

const STEP_BYTES = 512 * 1024
/** One character of a string takes no more in UTF-8. */
const MOST_BYTES = 3

/** The one of a file that was closed, for the next: a sync opens its file for each window. */
let spare: Buffer | null = null

/** The file of a copy, open for appending. Made for its owner alone when it is missing. */
export class DataFile {
  readonly #path: string
  readonly #descriptor: number
  #length: number
  /** Text is turned into bytes as it comes: strings that waited for one another would be copied twice more. */
  readonly #pending: Buffer
  #pendingBytes = 0

  /** Opens a file of this length; none is as good as an empty one. Fails: USAGE when it has another; INTERNAL. */
  constructor(path: string, length: number) {
    this.#path = path
    this.#length = length
    if (length > 0 || statsOf(path)) requireLength(path, length)
    this.#descriptor = attempt(path, () => openSync(path, FLAGS, 0o600))
    this.#pending = spare ?? Buffer.allocUnsafeSlow(STEP_BYTES)
    spare = null
  }

  get descriptor(): number {
    return this.#descriptor
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

  /** Writes what was appended. Fails: INTERNAL when it cannot be written (a full disk). */
  flush(): void {
    const bytes = this.#pending.subarray(0, this.#pendingBytes)
    this.#pendingBytes = 0
    this.#write(bytes)
  }

  /** Makes what was appended lasting. Fails: INTERNAL. */
  sync(): void {
    this.flush()
    attempt(this.#path, () => fdatasyncSync(this.#descriptor))
  }

  /** Fails: USAGE when another file is at the path by now, or somebody else wrote to this one. */
  requireUntouched(): void {
    const [ours, there] = [fstatSync(this.#descriptor), statsOf(this.#path)]
    if (there !== null && there.ino === ours.ino && there.dev === ours.dev && ours.size === this.#length) return
    throw touchedFailure(this.#path, there === null)
  }

  /** Takes back what was appended beyond a length, unless somebody else wrote as well. */
  cutTo(length: number): void {
    this.#pendingBytes = 0
    if (fstatSync(this.#descriptor).size !== this.#length) return
    this.#length = length
    attempt(this.#path, () => ftruncateSync(this.#descriptor, length))
  }

  close(): void {
    closeSync(this.#descriptor)
    spare = this.#pending
  }

  #write(bytes: Buffer): void {
    attempt(this.#path, () => {
      // On a disk that fills up, one call may write fewer bytes than it was given, without an error.
      for (let done = 0; done < bytes.length; ) {
        const written = writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#length)
        done += written
        this.#length += written
      }
    })
  }
}

/** Names the last of the first `length` bytes of a file: another text there has another name. */
export function tailOf(descriptor: number, length: number): string {
  const bytes = Buffer.alloc(Math.min(TAIL_BYTES, length))
  const got = readSync(descriptor, bytes, 0, bytes.length, length - bytes.length)
  return hashText(bytes.toString('latin1', 0, got))
}

/** The same for the file at a path. */
export function tailIn(path: string, length: number): string {
  const descriptor = openSync(path, 'r')
  try {
    return tailOf(descriptor, length)
  } finally {
    closeSync(descriptor)
  }
}

/** The same for a file that has these bytes. */
export function tailOfBytes(bytes: Buffer): string {
  return hashText(bytes.subarray(-TAIL_BYTES).toString('latin1'))
}

/** Cuts off what is beyond a length. Fails: INTERNAL. */
export function cutFile(path: string, length: number): void {
  attempt(path, () => truncateSync(path, length))
}

/** Fails: USAGE when the file at a path has not this length. */
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
