import { closeSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../base/json/parse.ts'
import { cacheDirectory, ensurePrivateDirectory, type Variables } from '../../base/storage/directories.ts'
import { tryLock, withLock } from '../../base/storage/lock.ts'
import { openOwnFile } from '../../base/storage/own-file.ts'
import { DAY_MS } from '../../base/time/units.ts'
import { releaseIn } from './release.ts'

/** What is remembered of updates, in one small file of the cache directory. Times are epoch milliseconds; null: never. */
export interface UpdateNote {
  /** Who was asked last; '' for nobody. */
  readonly address: string
  readonly askedAt: number | null
  /** The newest release, as was answered (`1.2.3`); null: no answer of use has come. */
  readonly release: string | null
  /** When the person was told of one. */
  readonly toldAt: number | null
}

const NOTHING: UpdateNote = { address: '', askedAt: null, release: null, toldAt: null }

const MOST_BYTES = 8192

/** How long an answer waits for a command that writes the note: it has nothing else to do. Milliseconds. */
const PATIENCE_MS = 2000

/** Whether something that is done once a day is to be done again. A time that has yet to come was written by another clock. */
export function isDue(lastMs: number | null, nowMs: number): boolean {
  return lastMs === null || lastMs > nowMs || nowMs - lastMs >= DAY_MS
}

/** The note as it stands; an empty one when there is none that can be read. It never fails. */
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

/** Changes the note under a lock. False if another process holds it, or `change` returns `null`. Fails: when it cannot be written. */
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

/** Notes what an address has answered. Fails: when the note cannot be written. */
export async function noteAnswer(env: Variables, address: string, release: string): Promise<void> {
  ensurePrivateDirectory(cacheDirectory(env))
  await withLock(lockFile(env), () => rewrite(env, (note) => ({ ...note, address, release })), { waitMs: PATIENCE_MS })
}

function rewrite(env: Variables, change: (note: UpdateNote) => UpdateNote | null): boolean {
  const next = change(readNote(env))
  if (next === null) return false
  const path = noteFile(env)
  const temporary = `${path}.${process.pid}`
  try {
    rmSync(temporary, { force: true })
    // Whole or not at all for who reads it; that it outlives a power cut is not worth waiting for a disk.
    writeFileSync(temporary, JSON.stringify(next), { mode: 0o600, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  return true
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
