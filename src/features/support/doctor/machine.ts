import { closeSync, fsyncSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { counted } from '../../../base/counted.ts'
import { Failure } from '../../../base/failure/failure.ts'
import { shellWord } from '../../../base/failure/shell-word.ts'
import { cacheDirectory, dataDirectory, ensurePrivateDirectory } from '../../../base/storage/directories.ts'
import { nearestExisting } from '../../../base/storage/own-file.ts'
import { isDamaged } from '../../../base/storage/sqlite.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { REMEMBERED_MS } from '../../../client/calls/pace.ts'
import { type RememberedLimit, readPaceFile } from '../../../client/pace-file.ts'
import type { Section } from './examination.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const [NODE, DIRECTORY, DISK, PACE] = ['node', 'data directory', 'disk', 'pace file'] as const
/** As in package.json. */
const LEAST_NODE = [22, 19] as const
/** The space that recording one money write needs: the database, its journal, and the directory. Bytes. */
const TRIED_BYTES = 256 * 1024
/** Less free space than this is a warning. Bytes. */
const LITTLE_BYTES = 64 * 1024 * 1024
/** The tolerance for clocks of one machine. Milliseconds. */
const SLACK_MS = 60_000

/** Checks the version of Node. */
export const nodeSection: Section = {
  rows: [NODE],
  needs: [],
  *examine({ around }) {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])
    const running = `Node.js ${process.version}, partner ${around.version}`
    yield isEnough
      ? ok(NODE, running)
      : warn(NODE, `${running}; Node.js ${LEAST_NODE.join('.')} or newer is needed`, 'node --version')
  },
}

/** Checks that open operations, cursors and the sandbox can be stored. */
export const dataDirectorySection: Section = {
  rows: [DIRECTORY, DISK],
  needs: [],
  *examine({ around }) {
    const path = dataDirectory(around.env)
    const made = missingParts(path)
    try {
      const loose = ensurePrivateDirectory(path)
      if (loose !== null) yield warn(DIRECTORY, loose, `ls -ld ${shellWord(path)}`)
      else if (made.length > 0)
        yield ok(DIRECTORY, `${path} is not there yet; the first command that needs it makes it`)
      else yield ok(DIRECTORY, `${path} is yours alone`)
      yield diskRow(path)
    } finally {
      // The doctor may run as another user, such as root, who must not own the directory afterwards.
      for (const part of made) removeEmpty(part)
    }
  },
}

/** The missing directories of a path, innermost first. */
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
    // It was never made, or another process uses it already.
  }
}

function diskRow(path: string): Finding {
  try {
    tryToWrite(path)
  } catch (error) {
    return brokenRow(path, error)
  }
  const free = freeBytes(path)
  if (free === null) return ok(DISK, `${path} can be written`)
  const text = `${path} can be written, ${sizeText(free)} free`
  return free < LITTLE_BYTES ? warn(DISK, text, lookAt(path)) : ok(DISK, text)
}

function brokenRow(path: string, error: unknown): Finding {
  const isFull = ['ENOSPC', 'EDQUOT'].includes(getSystemErrorCode(error) ?? '')
  const why = describeSystemError(error)
  return isFull
    ? fail(DISK, `the disk of ${path} is full: ${why}; no write of money can be noted, so none is sent`, lookAt(path))
    : fail(DISK, `${path} cannot be written: ${why}`, `ls -ld ${shellWord(path)}`)
}

function lookAt(path: string): string {
  return `df -h ${shellWord(path)}`
}

/** Writes and syncs as much as a money write would, and deletes it. Fails: the system's error. */
function tryToWrite(directory: string): void {
  const path = join(directory, `.doctor-${process.pid}`)
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    const bytes = Buffer.alloc(TRIED_BYTES)
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
    rmSync(path, { force: true })
  }
}

/** The free bytes for this user. Null if the system does not say. */
function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize, blocks } = statfsSync(path)
    return blocks > 0 ? bavail * bsize : null
  } catch {
    return null
  }
}

function sizeText(bytes: number): string {
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  let [size, unit] = [bytes / 1024, 0]
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024
  return `${size < 10 ? size.toFixed(1) : Math.floor(size)} ${units[unit]}`
}

/** Checks the remembered rate limits. An outdated one makes commands wait for nothing. */
export const paceSection: Section = {
  rows: [PACE],
  needs: [],
  *examine({ around }) {
    const path = join(cacheDirectory(around.env), 'pace.db')
    const warned = (words: string) => warn(PACE, `${path} ${words}`, `rm ${shellWord(path)}`)
    let limits: readonly RememberedLimit[] | null
    try {
      limits = readPaceFile(path)
    } catch (error) {
      if (error instanceof Failure) throw error
      const why = isDamaged(error) ? 'is damaged' : 'cannot be read'
      return yield warned(`${why}, so limits are not remembered; it may be removed at any time`)
    }
    if (limits === null || limits.length === 0) return yield ok(PACE, 'no limit is remembered')
    const now = around.now()
    const count = counted(limits.length, 'limit')
    if (limits.some(({ learnedAt }) => learnedAt > now + SLACK_MS))
      yield warned('remembers a limit from the future, which it would keep until then: the clock was set back')
    else if (limits.every(({ learnedAt }) => learnedAt <= now - REMEMBERED_MS))
      yield warned(`is stale: its ${count} are more than a day old and no longer count`)
    else yield ok(PACE, `${path} remembers ${count}`)
  },
}
