import { closeSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../base/json/parse.ts'
import { cacheDirectory, ensurePrivateDirectory, type Variables } from '../../base/storage/directories.ts'
import { replaceFile } from '../../base/storage/durable-write.ts'
import { tryLock, withLock } from '../../base/storage/lock.ts'
import { openOwnFile } from '../../base/storage/own-file.ts'
import { DAY_MS } from '../../base/time/units.ts'
import { parseRelease } from './release.ts'

/**
 * The state of the update checks, stored in the cache directory. Times are in milliseconds since 1970, or `null` for
 * never.
 */
export interface UpdateNote {
  /** The URL that was last requested, or ''. */
  readonly address: string
  readonly askedAt: number | null
  /** The latest release (`1.2.3`), or `null` if there has been no usable response. */
  readonly release: string | null
  readonly toldAt: number | null
}

const EMPTY_NOTE: UpdateNote = { address: '', askedAt: null, release: null, toldAt: null }

const MOST_BYTES = 8192

/** How long to wait for another process that is writing the state file. */
const LOCK_WAIT_MS = 2000

/**
 * Returns whether a daily task is due. If `lastMs` is in the future, the clock was wrong at that time, so the task is
 * due.
 */
export function isDue(lastMs: number | null, nowMs: number): boolean {
  return lastMs === null || lastMs > nowMs || nowMs - lastMs >= DAY_MS
}

/** Reads the stored state. Returns an empty state if it cannot be read. Never fails. */
export function readNote(env: Variables): UpdateNote {
  try {
    const parsed = parseJson(beginningOf(noteFile(env))) as Partial<Record<keyof UpdateNote, unknown>> | null
    const { address, askedAt, release, toldAt } = parsed ?? {}
    return {
      address: typeof address === 'string' ? address : '',
      askedAt: timeIn(askedAt),
      release: parseRelease(release),
      toldAt: timeIn(toldAt),
    }
  } catch {
    return EMPTY_NOTE
  }
}

/**
 * Changes the stored state. Returns false if another process holds the lock or `change` returns `null`. Throws if the
 * file cannot be written.
 */
export function changeNote(env: Variables, change: (note: UpdateNote) => UpdateNote | null): boolean {
  ensurePrivateDirectory(cacheDirectory(env))
  const lock = tryLock(lockFile(env))
  if (lock === null) return false
  try {
    return rewrite(env, change)
  } finally {
    lock.release()
  }
}

/** Stores the release that a URL returned. Throws if the file cannot be written. */
export async function noteAnswer(env: Variables, address: string, release: string): Promise<void> {
  ensurePrivateDirectory(cacheDirectory(env))
  await withLock(lockFile(env), () => rewrite(env, (note) => ({ ...note, address, release })), { waitMs: LOCK_WAIT_MS })
}

function rewrite(env: Variables, change: (note: UpdateNote) => UpdateNote | null): boolean {
  const next = change(readNote(env))
  // The file is not synced to disk, because losing it in a power cut does no harm.
  if (next !== null) replaceFile(noteFile(env), JSON.stringify(next))
  return next !== null
}

function beginningOf(path: string): string {
  const descriptor = openOwnFile(path, 'read')
  if (descriptor === null) return ''
  try {
    const bytes = Buffer.alloc(MOST_BYTES)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, MOST_BYTES, 0))
  } finally {
    closeSync(descriptor)
  }
}

function timeIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function noteFile(env: Variables): string {
  return join(cacheDirectory(env), 'update.json')
}

function lockFile(env: Variables): string {
  return join(cacheDirectory(env), 'update.lock')
}
