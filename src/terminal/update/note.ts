import { closeSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../base/json/parse.ts'
import { cacheDirectory, ensurePrivateDirectory, type Variables } from '../../base/storage/directories.ts'
import { replaceFile } from '../../base/storage/durable-write.ts'
import { tryLock, withLock } from '../../base/storage/lock.ts'
import { openOwnFile } from '../../base/storage/own-file.ts'
import { DAY_MS } from '../../base/time/units.ts'
import { releaseIn } from './release.ts'

/** What is remembered of updates, in a file of the cache directory. Times are epoch milliseconds, or null for never. */
export interface UpdateNote {
  /** Who was asked last, or ''. */
  readonly address: string
  readonly askedAt: number | null
  /** The newest release (`1.2.3`), or null without a usable response. */
  readonly release: string | null
  readonly toldAt: number | null
}

const NOTHING: UpdateNote = { address: '', askedAt: null, release: null, toldAt: null }

const MOST_BYTES = 8192

/** How long to wait for a command that writes the note. */
const PATIENCE_MS = 2000

/** Whether a daily task is due. A time in the future is from another clock. */
export function isDue(lastMs: number | null, nowMs: number): boolean {
  return lastMs === null || lastMs > nowMs || nowMs - lastMs >= DAY_MS
}

/** Reads the note; empty if it cannot be read. Never fails. */
export function readNote(env: Variables): UpdateNote {
  try {
    const parsed = parseJson(beginningOf(noteFile(env))) as Partial<Record<keyof UpdateNote, unknown>> | null
    const { address, askedAt, release, toldAt } = parsed ?? {}
    return {
      address: typeof address === 'string' ? address : '',
      askedAt: timeIn(askedAt),
      release: releaseIn(release),
      toldAt: timeIn(toldAt),
    }
  } catch {
    return NOTHING
  }
}

/** Changes the note. False if another process has the lock, or `change` returns null. Fails: if it cannot. */
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

/** Notes the response of an address. Fails: if the note cannot be written. */
export async function noteAnswer(env: Variables, address: string, release: string): Promise<void> {
  ensurePrivateDirectory(cacheDirectory(env))
  await withLock(lockFile(env), () => rewrite(env, (note) => ({ ...note, address, release })), { waitMs: PATIENCE_MS })
}

function rewrite(env: Variables, change: (note: UpdateNote) => UpdateNote | null): boolean {
  const next = change(readNote(env))
  // Surviving a power cut is not worth a wait for the disk.
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
