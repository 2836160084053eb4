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
} from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../failure/failure.ts'
import { getSystemErrorCode } from './system-error.ts'

// Whoever opens a named pipe waits for the other end, and could not even be stopped meanwhile. Windows has neither of them.
const AT_ONCE = constants.O_NONBLOCK ?? 0
const NOT_THROUGH_LINKS = constants.O_NOFOLLOW ?? 0
const WRITING = constants.O_WRONLY | constants.O_CREAT | NOT_THROUGH_LINKS | AT_ONCE
const FLAGS = { read: constants.O_RDONLY | AT_ONCE, append: WRITING | constants.O_APPEND, replace: WRITING } as const

/**
 * Opens one of our own files, which nobody but us has a reason to put there, and gives its descriptor. It is read through a
 * symbolic link, and never written through one. With `append` and `replace` it is made when it is missing, for its owner
 * alone; with `read`, null: there is none.
 * Fails: USAGE when anything but a plain file is there; the system's error when it cannot be opened.
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
 * Makes an empty database at a path where nothing is, for its owner alone. One that is there is not opened: closing it again
 * would take away the locks that this process has on it.
 * Fails: USAGE when anything but a plain file is there, or beside it where SQLite opens more; the system's error.
 */
export function makeOwnDatabase(path: string): void {
  refuseUnlessPlainDatabase(path)
  try {
    closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))
  } catch (error) {
    if (getSystemErrorCode(error) !== 'EEXIST') throw error
  }
}

/** The text of one of our own files; null when there is none. Fails: as {@link openOwnFile}. */
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
 * Fails: USAGE when something other than a plain file, a link among it, is at this path; the system's error when that cannot be
 * seen. A missing file is fine, and so is a missing directory: whoever makes it says what stands in its way. For what is opened by others, who would write through the link.
 */
export function refuseUnlessPlainFile(path: string): void {
  const stats = statsOrNone(path)
  if (stats !== undefined) refuseUnlessPlain(path, stats)
}

/** As {@link refuseUnlessPlainFile}, for a SQLite database and the files that SQLite opens beside it. */
export function refuseUnlessPlainDatabase(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) refuseUnlessPlainFile(path + suffix)
}

/** What stands at a path, in words: `a named pipe`. Null: a plain file. */
export function describeUnlessPlain(stats: Stats): string | null {
  if (stats.isFile()) return null
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a named pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

/** What stands in the way of a path: the path itself, or the nearest part of it that is there at all. */
export function nearestExisting(path: string): { readonly path: string; readonly stats: Stats } | null {
  for (let at = path; ; at = dirname(at)) {
    const stats = statsOrNone(at)
    if (stats !== undefined) return { path: at, stats }
    if (dirname(at) === at) return null
  }
}

/** Below a file there is nothing. */
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
  if (stats.isSymbolicLink())
    throw new Failure(
      'USAGE',
      `${path} is a symbolic link (to ${readlinkSync(path)}), and links are not written through`,
      { hint: 'put the file itself there; a link to its directory is fine' },
    )
  const is = stats.isDirectory() ? kind : `not a plain file but ${kind}`
  throw new Failure('USAGE', `${path} is ${is}`, { hint: 'move it away, or choose another path' })
}

/** A file that is missing because a link on the way to it leads nowhere is one that somebody counts on. */
function refuseDanglingLink(path: string): void {
  const nearest = nearestExisting(path)
  if (!nearest?.stats.isSymbolicLink() || statSync(nearest.path, { throwIfNoEntry: false })) return
  throw new Failure(
    'USAGE',
    `${nearest.path} is a symbolic link that leads nowhere (to ${readlinkSync(nearest.path)})`,
    {
      hint: 'put back what it leads to, or remove the link',
    },
  )
}
