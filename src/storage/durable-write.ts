import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../failure/failure.ts'
import { refuseUnlessPlainFile } from './own-file.ts'
import { describeSystemError, getSystemErrorCode } from './system-error.ts'

const IS_WINDOWS = process.platform === 'win32'

/** What `fsync` of a directory answers where the file system has no such thing; the rename itself has happened by then. */
const NO_DIRECTORY_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'EBADF'])

/** Other programs (a virus scanner, a reader) hold a file open for moments on Windows, and a rename over it fails meanwhile. */
const RENAME_ATTEMPTS = IS_WINDOWS ? 20 : 1

/**
 * Replaces a file by a text (UTF-8), so that at every moment, also after a power cut, the file is wholly the old one or
 * wholly the new one. `mode` is what the file ends with, whatever the umask and whatever it had before.
 * A symbolic link at the path is refused rather than followed or replaced: the first would write where nobody looked,
 * the second would quietly part a linked configuration from its original.
 * Fails: USAGE when the path is a link or no plain file; INTERNAL with the path and the reason (a full disk) when the
 * text cannot be written, the old file then being untouched.
 */
export function writeFileDurably(path: string, text: string, mode = 0o600): void {
  try {
    refuseUnlessPlainFile(path)
  } catch (error) {
    throw error instanceof Failure ? error : cannotWrite(path, error)
  }
  const temporary = `${temporaryPrefix(path)}${process.pid}-${Math.random().toString(36).slice(2)}.tmp`
  let made = false
  try {
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)
    const descriptor = openSync(temporary, flags, mode)
    made = true
    try {
      if (!IS_WINDOWS) fchmodSync(descriptor, mode)
      writeWhole(descriptor, Buffer.from(text))
    } finally {
      closeSync(descriptor)
    }
    renameOver(temporary, path)
  } catch (error) {
    if (made) rmSync(temporary, { force: true })
    throw cannotWrite(path, error)
  }
  syncDirectory(path)
}

/**
 * Removes what writers of this file left behind when they were killed half-way: copies that may hold secrets.
 * Only for a caller that holds the lock under which the file is written, else it takes a living writer's file away.
 */
export function removeAbandonedWrites(path: string): void {
  const prefix = basename(temporaryPrefix(path))
  try {
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(prefix) && name.endsWith('.tmp')) rmSync(join(dirname(path), name), { force: true })
    }
  } catch {
    // Tidying only: what cannot be removed harms nobody, and the write itself will say what is wrong here.
  }
}

/** Cut short so that a name of full length plus the suffix still is a name the file system takes. */
function temporaryPrefix(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, 60)}.`)
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  let offset = 0
  // One write may take fewer bytes than it was given (a disk that fills up) without calling that an error.
  while (offset < bytes.length) offset += writeSync(descriptor, bytes, offset)
  fsyncSync(descriptor)
  const { size } = fstatSync(descriptor)
  if (size !== bytes.length) throw new Error(`${size} of ${bytes.length} bytes arrived on the disk`)
}

function renameOver(temporary: string, path: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(temporary, path)
      return
    } catch (error) {
      if (attempt >= RENAME_ATTEMPTS || !['EPERM', 'EACCES', 'EBUSY'].includes(getSystemErrorCode(error) ?? ''))
        throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
  }
}

function syncDirectory(path: string): void {
  if (IS_WINDOWS) return
  try {
    const descriptor = openSync(dirname(path), constants.O_RDONLY)
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!NO_DIRECTORY_SYNC.has(getSystemErrorCode(error) ?? '')) throw cannotWrite(path, error)
  }
}

function cannotWrite(path: string, error: unknown): Failure {
  const code = getSystemErrorCode(error)
  const hint =
    code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
      ? 'free some space and run it again; the file is as it was'
      : 'the file is as it was; make its directory writable for you and run it again'
  return new Failure('INTERNAL', `cannot write ${path}: ${describeSystemError(error)}`, { hint, cause: error })
}
