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
 * Replaces a file with a text (UTF-8). At every moment, also after a power cut, the file is wholly the old one or wholly the
 * new one. It ends with `mode`, whatever the umask and its mode before.
 * Refuses a symbolic link: following it would write where nobody looks, and replacing it would quietly part a linked
 * configuration from its original.
 * Fails: USAGE when the path is a link or no plain file; INTERNAL, with the path and the reason (a full disk), when the text
 * cannot be written; the old file is then untouched.
 */
export function writeFileDurably(path: string, text: string, mode = 0o600): void {
  try {
    refuseUnlessPlainFile(path)
  } catch (error) {
    throw error instanceof Failure ? error : writeFailure(path, error)
  }
  const temporary = `${getTemporaryPrefix(path)}${process.pid}-${Math.random().toString(36).slice(2)}.tmp`
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
    throw writeFailure(path, error)
  }
  syncDirectory(path)
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

function writeWhole(descriptor: number, bytes: Buffer): void {
  let offset = 0
  // On a disk that fills up, one call may write fewer bytes than it was given, without an error.
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
