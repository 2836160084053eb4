import { closeSync, constants, fchmodSync, fstatSync, fsyncSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../failure/failure.ts'
import { refuseUnlessPlainFile } from './own-file.ts'
import { discard, removeFile, renameFile } from './rename-remove.ts'
import { describeSystemError, getSystemErrorCode } from './system-error.ts'

const IS_WINDOWS = process.platform === 'win32'

/** Errors from file systems that cannot sync a directory. They are ignored, because the file is already in place. */
const NO_DIRECTORY_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'EBADF'])

/**
 * Replaces a file atomically, even if the power fails, and sets its mode regardless of the umask. Refuses symbolic
 * links, because following a link would write elsewhere, and replacing it would silently detach a linked configuration.
 * Throws USAGE if the path is not a plain file, or INTERNAL if writing fails. Either way, the old file stays unchanged.
 */
export function writeFileDurably(path: string, content: string | Uint8Array, mode = 0o600): void {
  const replacement = openReplacement(path, mode)
  try {
    replacement.write(typeof content === 'string' ? Buffer.from(content) : content)
    replacement.put()
  } finally {
    replacement.discard()
  }
}

/** A new version of a file, which replaces the old version once it is complete. */
export interface Replacement {
  readonly descriptor: number
  /** Appends bytes to the new version. Throws INTERNAL if the bytes cannot be written. */
  write(bytes: Uint8Array): void
  /** Replaces the old file durably. If that fails, throws INTERNAL and leaves the old file unchanged. */
  put(): void
  /** Closes the new file and deletes it if it has not replaced the old one. */
  discard(): void
}

/** Works like {@link writeFileDurably}, and throws the same errors, but lets the caller write the content in pieces. */
export function openReplacement(path: string, mode = 0o600): Replacement {
  try {
    refuseUnlessPlainFile(path)
  } catch (error) {
    throw writeFailure(path, error)
  }
  const temporary = getTemporaryPath(path)
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
  let isCommitted = false
  const close = () => {
    if (isOpen) closeSync(descriptor)
    isOpen = false
  }
  return {
    descriptor,
    write: (bytes) => {
      // Unlike `writeSync`, `writeFileSync` continues after a partial write.
      attempt(() => writeFileSync(descriptor, bytes))
      size += bytes.byteLength
    },
    put: () => {
      attempt(() => {
        if (!IS_WINDOWS) fchmodSync(descriptor, mode)
        requireWhole(descriptor, size)
        if (!IS_WINDOWS) close()
        renameFile(temporary, path)
      })
      isCommitted = true
      // The file stays open, because another program might prevent it from being reopened. See docs/design/windows.md.
      if (IS_WINDOWS) attempt(() => fsyncSync(descriptor))
      syncDirectory(path)
    },
    discard: () => {
      close()
      if (!isCommitted) discard(temporary)
    },
  }
}

/** Replaces a file atomically but not durably: the content may be lost if the power fails. Throws system errors. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}`
  try {
    removeFile(temporary)
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    renameFile(temporary, path)
  } catch (error) {
    discard(temporary)
    throw error
  }
}

/**
 * Removes temporary files left behind by killed processes, because they may contain secrets. The caller must hold the
 * lock for the file.
 */
export function removeAbandonedWrites(path: string): void {
  const prefix = basename(getTemporaryPrefix(path))
  // Check the rest of the name too: another file may have a longer name with the same prefix.
  const isOwn = (name: string) => name.startsWith(prefix) && /^\d+-\w+\.tmp$/.test(name.slice(prefix.length))
  try {
    for (const name of readdirSync(dirname(path))) if (isOwn(name)) discard(join(dirname(path), name))
  } catch {
    // A temporary file that cannot be removed is harmless, and the next write will report any real problem.
  }
}

/** Returns a new path for the next version of a file. {@link removeAbandonedWrites} removes files with such paths. */
export function getTemporaryPath(path: string): string {
  return `${getTemporaryPrefix(path)}${process.pid}-${Math.random().toString(36).slice(2)}.tmp`
}

/**
 * Returns the prefix of a file's temporary names. Contains only the end of the file's name, to stay within the file
 * system's length limit. Names in a directory often differ only at the end.
 */
function getTemporaryPrefix(path: string): string {
  return join(dirname(path), `.${basename(path).slice(-60)}.`)
}

function requireWhole(descriptor: number, length: number): void {
  fsyncSync(descriptor)
  const { size } = fstatSync(descriptor)
  if (size !== length) throw new Error(`only ${size} of ${length} bytes were written to disk`)
}

/** Flushes the directory that contains a file. On Windows, this requires write access. Throws INTERNAL on failure. */
export function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(dirname(path), IS_WINDOWS ? constants.O_RDWR : constants.O_RDONLY)
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!IS_WINDOWS && !NO_DIRECTORY_SYNC.has(getSystemErrorCode(error) ?? '')) throw writeFailure(path, error)
  }
}

function writeFailure(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  const code = getSystemErrorCode(error)
  const hint =
    code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
      ? 'the file is unchanged; free some space, then run the command again'
      : 'the file is unchanged; make sure that you may write to its directory, then run the command again'
  return new Failure('INTERNAL', `cannot write ${path}: ${describeSystemError(error)}`, { hint, cause: error })
}
