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
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../failure/failure.ts'
import { refuseUnlessPlainFile } from './own-file.ts'
import { describeSystemError, getSystemErrorCode } from './system-error.ts'

const IS_WINDOWS = process.platform === 'win32'

/** Errors of `fsync` on a directory where the file system does not support it. The rename has succeeded by then. */
const NO_DIRECTORY_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'EBADF'])

/** On Windows, renaming over a file fails while another program, such as a virus scanner, has it open. */
const RENAME_ATTEMPTS = IS_WINDOWS ? 20 : 1

/**
 * Replaces a file atomically, even in a power cut, and sets its mode despite the umask. Refuses a symbolic link:
 * following it would write elsewhere, replacing it would quietly detach a linked configuration. Fails: USAGE for a link
 * or anything but a plain file; INTERNAL if it cannot be written, with the old file untouched.
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

/** A file that is being written and will replace another one. */
export interface Replacement {
  readonly descriptor: number
  /** Fails: INTERNAL. */
  write(bytes: Uint8Array): void
  /** Puts it in place durably. Fails: INTERNAL; the other file is then untouched. */
  put(): void
  drop(): void
}

/** As {@link writeFileDurably}, piece by piece. Fails: the same. */
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
      // Unlike `writeSync`, it continues after a call that wrote only some bytes.
      attempt(() => writeFileSync(descriptor, bytes))
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

/** Replaces a file atomically for readers, but not durably: a power cut may lose it. Fails: the system's error. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}`
  try {
    rmSync(temporary, { force: true })
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Removes copies, perhaps with secrets, of killed writers. The caller must hold the lock for the file. */
export function removeAbandonedWrites(path: string): void {
  const prefix = basename(getTemporaryPrefix(path))
  try {
    for (const name of readdirSync(dirname(path)))
      if (name.startsWith(prefix) && name.endsWith('.tmp')) rmSync(join(dirname(path), name), { force: true })
  } catch {
    // A remaining copy does no harm, and the write itself will report any problem.
  }
}

/** The name fits the file system with its suffix. */
function getTemporaryPrefix(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, 60)}.`)
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
