import { closeSync, fsyncSync, openSync, rmdirSync, statfsSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatCount } from '../../../base/counted.ts'
import { Failure } from '../../../base/failure/failure.ts'
import { quoteShellWord, removeFileCommand } from '../../../base/failure/shell-word.ts'
import { cacheDirectory, dataDirectory, ensurePrivateDirectory } from '../../../base/storage/directories.ts'
import { nearestExisting } from '../../../base/storage/own-file.ts'
import { removeFile } from '../../../base/storage/rename-remove.ts'
import { isDamaged } from '../../../base/storage/sqlite.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { findOthersWithAccess, restrictCommand } from '../../../base/storage/windows-access.ts'
import { REMEMBERED_MS } from '../../../client/calls/pace.ts'
import { type RememberedLimit, readPaceFile } from '../../../client/pace-file.ts'
import type { Section } from './examination.ts'
import { type Finding, fail, ok, skip, warn } from './finding.ts'

const [NODE, DIRECTORY, DISK, PACE] = ['node', 'data directory', 'disk', 'pace file'] as const
/** The minimum version of Node. It must match package.json. */
const MIN_NODE = [22, 19] as const
/** The disk space, in bytes, needed to record one money write: for the database, its journal and the directory. */
const TEST_BYTES = 256 * 1024
/** The doctor warns if the free disk space is below this limit, in bytes. */
const LOW_SPACE_BYTES = 64 * 1024 * 1024
/** A stored time may be this many milliseconds in the future without a warning, to allow for clock corrections. */
const CLOCK_TOLERANCE_MS = 60_000

/** Checks the Node version. */
export const nodeSection: Section = {
  rows: [NODE],
  needs: [],
  *examine({ around }) {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])
    const running = `Node.js ${process.version}, partner ${around.version}`
    yield isEnough
      ? ok(NODE, running)
      : warn(NODE, `${running}; Node.js ${MIN_NODE.join('.')} or newer is needed`, 'node --version')
  },
}

/** Checks that the data directory can store open operations, cursors and the sandbox. */
export const dataDirectorySection: Section = {
  rows: [DIRECTORY, DISK],
  needs: [],
  *examine({ around }) {
    const path = dataDirectory(around.env)
    const made = missingParts(path)
    try {
      const loose = ensurePrivateDirectory(path)
      if (loose !== null) yield warn(DIRECTORY, loose, permissionsCommand(path))
      else if (made.length > 0)
        yield ok(DIRECTORY, `${path} does not exist yet; the first command that needs it creates it`)
      else yield accessRow(path)
      yield diskRow(path)
    } finally {
      // Remove the directories again. The doctor might run as a different user, such as root, who must not end up
      // owning them.
      for (const part of made) removeEmpty(part)
    }
  },
}

function accessRow(path: string): Finding {
  const others = process.platform === 'win32' ? findOthersWithAccess(path) : []
  if (others === null) return skip(DIRECTORY, `${path} exists; Windows did not report who can access it`)
  if (others.length === 0) return ok(DIRECTORY, `only you can access ${path}`)
  return warn(DIRECTORY, `others can access ${path}: ${others.join(', ')}`, restrictCommand(path, true))
}

/** Returns the directories on a path that do not exist yet, innermost first. */
function missingParts(path: string): string[] {
  const present = nearestExisting(path)?.path
  const parts: string[] = []
  for (let at = path; at !== present && at !== dirname(at); at = dirname(at)) parts.push(at)
  return parts
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    // Ignore the error: the directory was never created, or another process is already using it.
  }
}

function diskRow(path: string): Finding {
  try {
    tryToWrite(path)
  } catch (error) {
    return unwritableRow(path, error)
  }
  const free = freeBytes(path)
  if (free === null) return ok(DISK, `${path} can be written`)
  const text = `${path} can be written to, ${sizeText(free)} free`
  return free < LOW_SPACE_BYTES ? warn(DISK, text, diskUsageCommand(path)) : ok(DISK, text)
}

function unwritableRow(path: string, error: unknown): Finding {
  const isFull = ['ENOSPC', 'EDQUOT'].includes(getSystemErrorCode(error) ?? '')
  const why = describeSystemError(error)
  return isFull
    ? fail(
        DISK,
        `the disk that contains ${path} is full: ${why}; no money write can be recorded, so none is sent`,
        diskUsageCommand(path),
      )
    : fail(DISK, `${path} cannot be written: ${why}`, permissionsCommand(path))
}

function permissionsCommand(path: string): string {
  return `${process.platform === 'win32' ? 'icacls' : 'ls -ld'} ${quoteShellWord(path)}`
}

/** Returns a command that shows the free space of a path's disk. */
export function diskUsageCommand(path: string): string {
  return process.platform === 'win32' ? 'Get-PSDrive -PSProvider FileSystem' : `df -h ${quoteShellWord(path)}`
}

/**
 * Writes as many bytes as a money write would, syncs them to disk, and then deletes them. Throws system errors.
 */
function tryToWrite(directory: string): void {
  const path = join(directory, `.doctor-${process.pid}`)
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    const bytes = Buffer.alloc(TEST_BYTES)
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
    removeFile(path)
  }
}

/** Returns the number of bytes that this user can still write, or `null` if the system does not report it. */
export function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize, blocks } = statfsSync(path)
    return blocks > 0 ? bavail * bsize : null
  } catch {
    return null
  }
}

/** Formats a number of bytes, such as `1.5 GiB`. */
export function sizeText(bytes: number): string {
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  let [size, unit] = [bytes / 1024, 0]
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024
  return `${size < 10 ? size.toFixed(1) : Math.floor(size)} ${units[unit]}`
}

/** Checks the rate limits that partner remembers. Outdated limits make commands wait unnecessarily. */
export const paceSection: Section = {
  rows: [PACE],
  needs: [],
  *examine({ around }) {
    const path = join(cacheDirectory(around.env), 'pace.db')
    const warned = (words: string) => warn(PACE, `${path} ${words}`, removeFileCommand(path))
    let limits: readonly RememberedLimit[] | null
    try {
      limits = readPaceFile(path)
    } catch (error) {
      if (error instanceof Failure) throw error
      const why = isDamaged(error) ? 'is damaged' : 'cannot be read'
      return yield warned(`${why}, so rate limits are not remembered; you can safely remove the file`)
    }
    if (limits === null || limits.length === 0) return yield ok(PACE, 'no rate limits are stored')
    const now = around.now()
    const count = formatCount(limits.length, 'rate limit')
    if (limits.some(({ learnedAt }) => learnedAt > now + CLOCK_TOLERANCE_MS))
      yield warned('contains a rate limit with a time in the future, because the clock was set back')
    else if (limits.every(({ learnedAt }) => learnedAt <= now - REMEMBERED_MS))
      yield warned(`is stale: ${count}, last updated more than a day ago`)
    else yield ok(PACE, `${path} contains ${count}`)
  },
}
