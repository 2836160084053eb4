import { closeSync, rmSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { attempt } from '../attempt.ts'
import { Failure } from '../failure/failure.ts'
import { monotonicMs } from '../stopwatch.ts'
import { makeOwnDatabase, openOwnFile, readOwnText } from './own-file.ts'
import { getSqliteCode, loadSqlite, SQLITE } from './sqlite.ts'
import { describeSystemError, getSystemErrorCode } from './system-error.ts'

/** Who holds a lock. `since` is ISO 8601 in UTC; `command` has no arguments (`bookings sync`). */
export type LockHolder = { readonly pid: number; readonly since: string; readonly command: string }

/** A lock of this process. The system frees it when the process ends, even by `kill -9`. */
export interface Lock {
  /** May be called twice. */
  release(): void
}

export interface LockOptions {
  /** For others to read while they wait, without its arguments, which may be private. */
  readonly command?: string
  /** What the lock protects (`the profiles`); the path if absent. */
  readonly what?: string
  /** How long to wait; 0 by default. */
  readonly waitMs?: number
}

/** Protects open databases, and so their locks, from garbage collection. */
const heldDatabases = new Set<DatabaseSync>()

/**
 * Takes an exclusive lock between processes; null if it is taken, also by this process. The lock is an open write
 * transaction in an empty SQLite database, so a dead process holds nothing. No other code may open the file: closing it
 * would free the lock. Fails: USAGE if the path is something else; INTERNAL if the file cannot be made.
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
    // Nothing is ever written, so it needs no journal file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
  } catch (error) {
    if (database?.isOpen) database.close()
    const code = getSqliteCode(error)
    if (code === SQLITE.BUSY) return null
    if (code === SQLITE.NOTADB)
      throw new Failure('USAGE', `${path} is not a lock file: something else wrote to it`, { hint: `remove ${path}` })
    throw lockFileFailure(path, error)
  }
  const held = database
  heldDatabases.add(held)
  const isTold = writeHolder(path, { pid: process.pid, since: new Date().toISOString(), command })
  return {
    release() {
      if (!held.isOpen) return
      if (isTold) rmSync(getHolderPath(path), { force: true })
      held.close()
      heldDatabases.delete(held)
    },
  }
}

/** Runs `work` under a lock. Fails: LOCKED (exit 12) if it is not free in `waitMs`; as {@link tryLock}; as `work`. */
export async function withLock<T>(path: string, work: () => T | Promise<T>, options: LockOptions = {}): Promise<T> {
  const deadline = monotonicMs() + (options.waitMs ?? 0)
  let lock = tryLock(path, options)
  while (lock === null && monotonicMs() < deadline) {
    // SQLite's own wait would block the process, even Ctrl-C. Random waits keep waiters apart.
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

/** Reads the holder of a lock; null if it is free, or if the holder is not written yet. */
export function readLockHolder(path: string): LockHolder | null {
  const holder: unknown = attempt(() => JSON.parse(readOwnText(getHolderPath(path)) ?? ''), null)
  return isHolder(holder) && isAlive(holder.pid) ? holder : null
}

/** The failure (exit 12) that names the holder of a lock. */
export async function lockedFailure(path: string, what: string): Promise<Failure> {
  let holder = readLockHolder(path)
  if (holder === null) {
    // The holder writes its name just after taking the lock.
    await delay(20)
    holder = readLockHolder(path)
  }
  const who =
    holder === null ? 'another run' : `process ${holder.pid} (${holder.command || 'partner'}, since ${holder.since})`
  return new Failure('LOCKED', `${what} is locked: ${who} holds the lock`, {
    hint:
      holder === null ? 'try again when it has ended' : `try again when process ${holder.pid} has ended, or stop it`,
    details: { lock: path, holder },
  })
}

function lockFileFailure(path: string, error: unknown): Failure {
  return new Failure('INTERNAL', `cannot lock ${path}: ${describeSystemError(error)}`, {
    hint: 'check that its directory exists and that you may write to it',
    cause: error,
  })
}

/** A separate file, because others cannot see a transaction's writes before it ends. */
function getHolderPath(path: string): string {
  return `${path}.holder`
}

/** Returns whether it succeeded. The lock is valid without it. */
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
