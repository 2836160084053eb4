import { closeSync, rmSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { attempt } from '../attempt.ts'
import { Failure } from '../failure/failure.ts'
import { monotonicMs } from '../stopwatch.ts'
import { makeOwnDatabase, openOwnFile, readOwnText } from './own-file.ts'
import { getSqliteCode, loadSqlite, SQLITE } from './sqlite.ts'
import { describeSystemError, getSystemErrorCode } from './system-error.ts'

/** The process that holds a lock. `since` is ISO 8601 in UTC; `command` has no arguments (`bookings sync`). */
export type LockHolder = { readonly pid: number; readonly since: string; readonly command: string }

/** A lock that this process holds. The system releases it when the process ends, even by `kill -9`. */
export interface Lock {
  /** Releases the lock. Further calls have no effect. */
  release(): void
}

export interface LockOptions {
  /** The command to show to waiting processes, without its arguments, which may be private. */
  readonly command?: string
  /** The name of the locked resource (`the profiles`), for messages. Default: the path. */
  readonly what?: string
  /** How long to wait for the lock, in milliseconds. Default: 0. */
  readonly waitMs?: number
}

/** The databases of held locks. Referenced here so that garbage collection does not close them. */
const heldDatabases = new Set<DatabaseSync>()

/**
 * Acquires an exclusive lock between processes. Returns `null` if it is held, even by this process. The lock is an open
 * write transaction in an empty SQLite database, so a process that dies releases it. No other code may open the file:
 * closing it would release the lock. Throws USAGE if the path is not a lock file, or INTERNAL if it cannot be created.
 */
export function tryLock(path: string, { command = '' }: LockOptions = {}): Lock | null {
  try {
    makeOwnDatabase(path)
  } catch (error) {
    throw error instanceof Failure ? error : lockFileFailure(path, error)
  }
  const { DatabaseSync } = loadSqlite()
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 0 })
    // Nothing is ever written, so no journal file is needed.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
  } catch (error) {
    if (database?.isOpen) database.close()
    const code = getSqliteCode(error)
    if (code === SQLITE.BUSY) return null
    if (code === SQLITE.NOTADB)
      throw new Failure('USAGE', `${path} is not a lock file: another program wrote to it`, { hint: `remove ${path}` })
    throw lockFileFailure(path, error)
  }
  const held = database
  heldDatabases.add(held)
  const hasHolderFile = writeHolder(path, { pid: process.pid, since: new Date().toISOString(), command })
  return {
    release() {
      if (!held.isOpen) return
      if (hasHolderFile) rmSync(getHolderPath(path), { force: true })
      held.close()
      heldDatabases.delete(held)
    },
  }
}

/**
 * Runs `work` under a lock. Throws LOCKED (exit 12) after waiting `waitMs`, or whatever {@link tryLock} and `work`
 * throw.
 */
export async function withLock<T>(path: string, work: () => T | Promise<T>, options: LockOptions = {}): Promise<T> {
  const deadline = monotonicMs() + (options.waitMs ?? 0)
  let lock = tryLock(path, options)
  while (lock === null && monotonicMs() < deadline) {
    // SQLite's own wait would block the event loop, and with it Ctrl-C. Random waits spread out the waiting processes.
    await delay(5 + Math.random() * 20)
    lock = tryLock(path, options)
  }
  if (lock === null) throw await lockedFailure(path, options.what ?? path)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/** Returns the holder of a lock, or `null` if the lock is free or its holder is not recorded yet. */
export function readLockHolder(path: string): LockHolder | null {
  const holder: unknown = attempt(() => JSON.parse(readOwnText(getHolderPath(path)) ?? ''), null)
  return isHolder(holder) && isAlive(holder.pid) ? holder : null
}

/** Returns the failure (exit 12) that names the holder of a lock. */
export async function lockedFailure(path: string, what: string): Promise<Failure> {
  let holder = readLockHolder(path)
  if (holder === null) {
    // A process records itself as the holder just after it acquires the lock.
    await delay(20)
    holder = readLockHolder(path)
  }
  const who =
    holder === null ? 'another run' : `process ${holder.pid} (${holder.command || 'partner'}, since ${holder.since})`
  return new Failure('LOCKED', `${what} is locked: ${who} holds the lock`, {
    hint: holder === null ? 'try again after it ends' : `try again after process ${holder.pid} ends, or stop it`,
    details: { lock: path, holder },
  })
}

function lockFileFailure(path: string, error: unknown): Failure {
  return new Failure('INTERNAL', `cannot lock ${path}: ${describeSystemError(error)}`, {
    hint: 'check that its directory exists and that you may write to it',
    cause: error,
  })
}

/**
 * Returns the path of the holder file. The holder is not in the database, because its transaction is never committed.
 */
function getHolderPath(path: string): string {
  return `${path}.holder`
}

/** Records the holder of a lock, if possible, and returns whether it did. The lock is valid either way. */
function writeHolder(path: string, holder: LockHolder): boolean {
  return attempt(() => {
    const descriptor = openOwnFile(getHolderPath(path), 'replace')
    try {
      writeSync(descriptor, `${JSON.stringify(holder)}\n`)
    } finally {
      closeSync(descriptor)
    }
    return true
  }, false)
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== 'object' || value === null) return false
  const { pid, since, command } = value as Partial<Record<keyof LockHolder, unknown>>
  return Number.isSafeInteger(pid) && Number(pid) > 0 && typeof since === 'string' && typeof command === 'string'
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return getSystemErrorCode(error) === 'EPERM'
  }
}
