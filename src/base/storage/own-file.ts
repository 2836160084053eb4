import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
  statSync,
  truncateSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../failure/failure.ts'
import { getSystemErrorCode } from './system-error.ts'

// O_NONBLOCK keeps `open` from waiting for the other end of a named pipe. Windows has neither O_NONBLOCK nor
// O_NOFOLLOW.
const NONBLOCK = constants.O_NONBLOCK ?? 0
const NOFOLLOW = constants.O_NOFOLLOW ?? 0
const WRITING = constants.O_WRONLY | constants.O_CREAT | NOFOLLOW | NONBLOCK
const FLAGS = { read: constants.O_RDONLY | NONBLOCK, append: WRITING | constants.O_APPEND, replace: WRITING } as const

/**
 * Opens one of partner's own files. Never writes through a symbolic link. If the file is missing, `append` and
 * `replace` create one that only its owner can access, and `read` returns `null`. Throws USAGE if the path is not a
 * plain file. Also throws system errors.
 */
export function openOwnFile(path: string, purpose: 'append' | 'replace'): number
export function openOwnFile(path: string, purpose: 'read'): number | null
export function openOwnFile(path: string, purpose: keyof typeof FLAGS): number | null {
  let descriptor: number
  try {
    descriptor = openSync(path, FLAGS[purpose], 0o600)
  } catch (error) {
    const isMissing = getSystemErrorCode(error) === 'ENOENT'
    if (purpose === 'read' && isMissing) {
      refuseDanglingLink(path)
      return null
    }
    if (!isMissing) refuseUnlessPlain(path, purpose === 'read' ? statSync(path) : lstatSync(path))
    throw error
  }
  try {
    refuseUnlessPlain(path, fstatSync(descriptor))
    if (purpose === 'replace') ftruncateSync(descriptor)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/**
 * Truncates a file that was opened with `append`. On Windows, such a descriptor cannot truncate the file, so the file
 * is truncated by path. Throws system errors.
 */
export function truncateOwnFile(path: string, descriptor: number, length: number): void {
  if (process.platform === 'win32') truncateSync(path, length)
  else ftruncateSync(descriptor, length)
}

/**
 * Creates an empty database file unless the file exists. Does not open an existing file, because closing it would
 * release its locks. Throws USAGE if the path is not a plain file. Also throws system errors.
 */
export function makeOwnDatabase(path: string): void {
  refuseUnlessPlainDatabase(path)
  try {
    closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))
  } catch (error) {
    if (getSystemErrorCode(error) !== 'EEXIST') throw error
  }
}

/**
 * Returns the text of one of partner's own files, or `null` if the file does not exist. Throws USAGE if the path is not
 * a plain file. Also throws system errors.
 */
export function readOwnText(path: string): string | null {
  const descriptor = openOwnFile(path, 'read')
  if (descriptor === null) return null
  try {
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Checks a file before it is opened by code that would follow a link, such as SQLite. Throws USAGE if the path exists
 * but is not a plain file. Also throws system errors.
 */
export function refuseUnlessPlainFile(path: string): void {
  const stats = statsOrNone(path)
  if (stats !== undefined) refuseUnlessPlain(path, stats)
}

/** Calls {@link refuseUnlessPlainFile} for a database and for each file that SQLite opens with it. */
export function refuseUnlessPlainDatabase(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) refuseUnlessPlainFile(path + suffix)
}

/** Describes the type of a file, such as `a named pipe`. Returns `null` for a regular file. */
export function describeUnlessPlain(
  stats: Pick<Stats, 'isFile' | 'isSymbolicLink' | 'isDirectory' | 'isFIFO' | 'isSocket'>,
): string | null {
  if (stats.isFile()) return null
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a named pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

/** Returns a path with its stats. If the path does not exist, returns its nearest existing parent instead. */
export function nearestExisting(path: string): { readonly path: string; readonly stats: Stats } | null {
  for (let at = path; ; at = dirname(at)) {
    const stats = statsOrNone(at)
    if (stats !== undefined) return { path: at, stats }
    if (dirname(at) === at) return null
  }
}

/** Returns `undefined` if the file does not exist or cannot exist because a parent is a file (ENOTDIR). */
function statsOrNone(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (getSystemErrorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

function refuseUnlessPlain(path: string, stats: Stats): void {
  const kind = describeUnlessPlain(stats)
  if (kind === null) return
  if (stats.isSymbolicLink()) {
    const problem = `${path} is a symbolic link (to ${readlinkSync(path)}); partner does not write through links`
    throw new Failure('USAGE', problem, {
      hint: 'replace the link with the file itself; a link to its directory is fine',
    })
  }
  const is = stats.isDirectory() ? kind : `${kind}, not a plain file`
  throw new Failure('USAGE', `${path} is ${is}`, { hint: 'move it aside, or choose another path' })
}

/** Refuses a path that contains a dangling link, because the link's target may be only temporarily unavailable. */
function refuseDanglingLink(path: string): void {
  const nearest = nearestExisting(path)
  if (!nearest?.stats.isSymbolicLink() || statSync(nearest.path, { throwIfNoEntry: false })) return
  const problem = `${nearest.path} is a dangling symbolic link (to ${readlinkSync(nearest.path)})`
  throw new Failure('USAGE', problem, { hint: 'restore its target, or remove the link' })
}
