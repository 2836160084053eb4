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

// Opening a named pipe must not wait for its other end. Windows has neither flag.
const AT_ONCE = constants.O_NONBLOCK ?? 0
const NOT_THROUGH_LINKS = constants.O_NOFOLLOW ?? 0
const WRITING = constants.O_WRONLY | constants.O_CREAT | NOT_THROUGH_LINKS | AT_ONCE
const FLAGS = { read: constants.O_RDONLY | AT_ONCE, append: WRITING | constants.O_APPEND, replace: WRITING } as const

/**
 * Opens one of our files; never writes through a link. `append` and `replace` create it for the owner alone; `read`
 * returns null if there is none. Fails: USAGE for anything but a plain file; the system's error.
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

/** Makes a database if there is none; closing an existing one would release locks. Fails: USAGE; the system's error. */
export function makeOwnDatabase(path: string): void {
  refuseUnlessPlainDatabase(path)
  try {
    closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))
  } catch (error) {
    if (getSystemErrorCode(error) !== 'EEXIST') throw error
  }
}

/** The text of one of our files; null if there is none. Fails: as {@link openOwnFile}. */
export function readOwnText(path: string): string | null {
  const descriptor = openOwnFile(path, 'read')
  if (descriptor === null) return null
  try {
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

/** For files that others open, who would write through a link. Fails: USAGE unless plain; the system's error. */
export function refuseUnlessPlainFile(path: string): void {
  const stats = statsOrNone(path)
  if (stats !== undefined) refuseUnlessPlain(path, stats)
}

/** As {@link refuseUnlessPlainFile}, for a database and the files that SQLite opens with it. */
export function refuseUnlessPlainDatabase(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) refuseUnlessPlainFile(path + suffix)
}

/** Describes a file (`a named pipe`); null if it is plain. */
export function describeUnlessPlain(stats: Stats): string | null {
  if (stats.isFile()) return null
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a named pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

/** Finds the path or its nearest existing parent. */
export function nearestExisting(path: string): { readonly path: string; readonly stats: Stats } | null {
  for (let at = path; ; at = dirname(at)) {
    const stats = statsOrNone(at)
    if (stats !== undefined) return { path: at, stats }
    if (dirname(at) === at) return null
  }
}

/** Undefined also below a file (ENOTDIR). */
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
    const problem = `${path} is a symbolic link (to ${readlinkSync(path)}), and links are not written through`
    throw new Failure('USAGE', problem, { hint: 'put the file itself there; a link to its directory is fine' })
  }
  const is = stats.isDirectory() ? kind : `not a plain file but ${kind}`
  throw new Failure('USAGE', `${path} is ${is}`, { hint: 'move it away, or choose another path' })
}

/** A file is not just missing if a link on its path leads nowhere. */
function refuseDanglingLink(path: string): void {
  const nearest = nearestExisting(path)
  if (!nearest?.stats.isSymbolicLink() || statSync(nearest.path, { throwIfNoEntry: false })) return
  const problem = `${nearest.path} is a symbolic link that leads nowhere (to ${readlinkSync(nearest.path)})`
  throw new Failure('USAGE', problem, { hint: 'put back what it leads to, or remove the link' })
}
