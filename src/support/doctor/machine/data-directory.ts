import { accessSync, closeSync, constants, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { shellWord } from '../../../failure/shell-word.ts'
import { dataDirectory, ensurePrivateDirectory } from '../../../storage/directories.ts'
import { nearestExisting } from '../../../storage/own-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../../storage/system-error.ts'
import type { Section } from '../examination.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'

const DIRECTORY = 'data directory'
const DISK = 'disk'
/** What noting one write of money may take for a moment: the database, its journal, and the directory. Bytes. */
const TRIED_BYTES = 256 * 1024
/** Below this the disk is full soon. Bytes. */
const LITTLE_BYTES = 64 * 1024 * 1024

/** Whether the open operations, cursors and the sandbox have a place where they can be kept. */
export const dataDirectorySection: Section = {
  rows: [DIRECTORY, DISK],
  needs: [],
  *examine({ around }) {
    const path = dataDirectory(around.env)
    // What is not there yet is made by whoever first needs it; here it is only looked at where that would be.
    const nearest = nearestExisting(path)
    if (nearest === null || nearest.path === path) {
      const loose = ensurePrivateDirectory(path)
      yield loose === null
        ? ok(DIRECTORY, `${path} is yours alone`)
        : warn(DIRECTORY, loose, `ls -ld ${shellWord(path)}`)
      yield diskRow(path, tryToWrite)
      return
    }
    if (!nearest.stats.isDirectory() && !nearest.stats.isSymbolicLink()) {
      // Says what is in the way.
      ensurePrivateDirectory(path)
      return
    }
    yield ok(DIRECTORY, `${path} is not there yet; the first command that needs it makes it`)
    yield diskRow(nearest.path, (parent) => accessSync(parent, constants.W_OK | constants.X_OK))
  },
}

function diskRow(path: string, attempt: (path: string) => void): Finding {
  try {
    attempt(path)
  } catch (error) {
    return brokenRow(path, error)
  }
  const free = freeBytes(path)
  if (free === null) return ok(DISK, `${path} can be written`)
  if (free < TRIED_BYTES) return fail(DISK, `the disk of ${path} is full: ${sizeText(free)} free`, lookAt(path))
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

/** Writes as much as a write of money would, as lastingly, and takes it away again. Fails: the system's error. */
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

/** The free space for this user; null: the system does not say. */
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
