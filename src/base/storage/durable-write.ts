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

/** Errors of `fsync` on a directory when the file system cannot do that. The rename has happened by then. */
const NO_DIRECTORY_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'EBADF'])

/** On Windows, a rename over a file fails while another program (a virus scanner, a reader) has it open. */
const RENAME_ATTEMPTS = IS_WINDOWS ? 20 : 1

/**
 * Replaces a file with a text (UTF-8) or bytes. At every moment, also after a power cut, the file is wholly the old one or wholly the
 * new one. It ends with `mode`, whatever the umask and its mode before.
 * Refuses a symbolic link: following it would write where nobody looks, and replacing it would quietly part a linked
 * configuration from its original.
 * Fails: USAGE when the path is a link or no plain file; INTERNAL, with the path and the reason (a full disk), when the text
 * cannot be written; the old file is then untouched.
 */
export function writeFileDurably(path: string, content: string | Uint8Array, mode = 0o600): void {
  const replacement = openReplacement(path, mode)
  try {
    replacement.write(typeof content === 'string' ? Buffer.from(content) : content)
    replacement.put()
  } finally {
    replacement.drop()
  }
}

/** A file that is being written, and is to take the place of another one. */
export interface Replacement {
  /** Its descriptor, to read what was written. */
  readonly descriptor: number
  /** Fails: INTERNAL. */
  write(bytes: Uint8Array): void
  /** Puts it in place, whole and lasting. Fails: INTERNAL; the other file is then untouched. */
  put(): void
  /** Removes it, unless it was put in place. */
  drop(): void
}

/** Begins a file that is to replace the one at a path, piece by piece, as {@link writeFileDurably} does at once. Fails: the same. */
export function openReplacement(path: string, mode = 0o600): Replacement {
  try {
    refuseUnlessPlainFile(path)
  } catch (error) {
    throw error instanceof Failure ? error : writeFailure(path, error)
  }
  const temporary = `${getTemporaryPrefix(path)}${process.pid}-${Math.random().toString(36).slice(2)}.tmp`
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw writeFailure(path, error)
    }
  }
  const descriptor = attempt(() => openSync(temporary, flags, mode))
  let size = 0
  let isOpen = true
  let isPut = false
  const close = () => {
    if (isOpen) closeSync(descriptor)
    isOpen = false
  }
  return {
    descriptor,
    write: (bytes) => {
      attempt(() => writeAll(descriptor, bytes))
      size += bytes.byteLength
    },
    put: () => {
      attempt(() => {
        if (!IS_WINDOWS) fchmodSync(descriptor, mode)
        requireWhole(descriptor, size)
        close()
        renameOver(temporary, path)
      })
      isPut = true
      syncDirectory(path)
    },
    drop: () => {
      close()
      if (!isPut) rmSync(temporary, { force: true })
    },
  }
}

/**
 * Removes the copies, perhaps with secrets in them, that writers of this file left behind when they were killed.
 * The caller must hold the lock for writing the file, or this would remove the copy of a running writer.
 */
export function removeAbandonedWrites(path: string): void {
  const prefix = basename(getTemporaryPrefix(path))
  try {
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(prefix) && name.endsWith('.tmp')) rmSync(join(dirname(path), name), { force: true })
    }
  } catch {
    // A copy that stays harms nobody, and the write itself will report what is wrong here.
  }
}

/** Short enough that the name with its suffix fits the file system. */
function getTemporaryPrefix(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, 60)}.`)
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  let offset = 0
  // On a disk that fills up, one call may write fewer bytes than it was given, without an error.
  while (offset < bytes.length) offset += writeSync(descriptor, bytes, offset)
}

function requireWhole(descriptor: number, length: number): void {
  fsyncSync(descriptor)
  const { size } = fstatSync(descriptor)
  if (size !== length) throw new Error(`${size} of ${length} bytes arrived on the disk`)
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
    if (!NO_DIRECTORY_SYNC.has(getSystemErrorCode(error) ?? '')) throw writeFailure(path, error)
  }
}

function writeFailure(path: string, error: unknown): Failure {
  const code = getSystemErrorCode(error)
  const hint =
    code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
      ? 'free some space and run it again; the file is as it was'
      : 'the file is as it was; make its directory writable for you and run it again'
  return new Failure('INTERNAL', `cannot write ${path}: ${describeSystemError(error)}`, { hint, cause: error })
}
