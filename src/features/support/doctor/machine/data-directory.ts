import { closeSync, fsyncSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { shellWord } from '../../../../base/failure/shell-word.ts'
import { dataDirectory, ensurePrivateDirectory } from '../../../../base/storage/directories.ts'
import { nearestExisting } from '../../../../base/storage/own-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../../../base/storage/system-error.ts'
import type { Section } from '../examination.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'

const DIRECTORY = 'data directory'
const DISK = 'disk'
/** The space that recording one money write needs: the database, its journal, and the directory. Bytes. */
const TRIED_BYTES = 256 * 1024
/** Less free space than this is a warning. Bytes. */
const LITTLE_BYTES = 64 * 1024 * 1024

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
