import { closeSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { attempt } from '../attempt.ts'
import { Failure } from '../failure/failure.ts'
import { monotonicMs } from '../stopwatch.ts'
import { makeOwnDatabase, openOwnFile, readOwnText } from './own-file.ts'
import { getCurrentOwner, getLiveness, type Owner } from './owner.ts'
import { discard } from './rename-remove.ts'
import { getSqliteCode, loadSqlite, SQLITE } from './sqlite.ts'
import { describeSystemError } from './system-error.ts'

/**
 * The process that holds a lock. `since` is an ISO 8601 time in UTC. `command` is a command without its arguments, such
 * as `bookings sync`.
 */
export type LockHolder = { readonly pid: number; readonly since: string; readonly command: string }

/** A lock that this process holds. The operating system releases it when the process exits, even after `kill -9`. */
export interface Lock {
  /** Releases the lock. Further calls have no effect. */
  release(): void
}

export interface LockOptions {
  /** The command to show to processes that wait for the lock. Its arguments are omitted because they may be private. */
  readonly command?: string
  /** The name of the locked resource in messages, such as `the profiles`. Default: the path. */
  readonly what?: string
  /** How long to wait for the lock, in milliseconds. Default: 0. */
  readonly waitMs?: number
}

/** The `Owner` members that version 0.2.0 did not record. */
const UNKNOWN = { born: null, boot: null, pidNamespace: null }

/** The open databases of held locks. This set keeps the garbage collector from closing them. */
const heldDatabases = new Set<DatabaseSync>()

/**
 * Acquires a lock that excludes other processes. Returns `null` if it is already held, even by this process. The lock
 * is an open write transaction in an empty SQLite database, so it is released when its process dies. No other code may
 * open the file, because closing it would release the lock. Throws USAGE if the path is not a lock file, or
 * INTERNAL if it cannot be created.
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
    // The transaction never writes anything, so it needs no journal file.
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
  const hasHolderFile = writeHolder(path, { ...getCurrentOwner(), since: new Date().toISOString(), command })
  return {
    release() {
      if (!held.isOpen) return
      if (hasHolderFile) discard(getHolderPath(path), 0)
      held.close()
      heldDatabases.delete(held)
    },
  }
}

/**
 * Runs `work` while holding a lock. Throws LOCKED (exit code 12) if the lock is still held after `waitMs`. Also throws
 * any error from {@link tryLock} or `work`.
 */
export async function withLock<T>(path: string, work: () => T | Promise<T>, options: LockOptions = {}): Promise<T> {
  const deadline = monotonicMs() + (options.waitMs ?? 0)
  let lock = tryLock(path, options)
  while (lock === null && monotonicMs() < deadline) {
    // Waiting in SQLite would block the event loop, and Ctrl-C with it. Random delays keep processes from retrying at
    // the same time.
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

/** Returns the process that holds a lock, or `null` if the lock is free or its holder is not recorded yet. */
export function readLockHolder(path: string): LockHolder | null {
  const holder: unknown = attempt(() => JSON.parse(readOwnText(getHolderPath(path)) ?? ''), null)
  if (!isHolder(holder)) return null
  const { pid, since, command } = holder
  const liveness = getLiveness({ ...UNKNOWN, ...holder })
  return liveness === 'running' || liveness === 'this-process' ? { pid, since, command } : null
}

/** Returns a failure (exit code 12) that names the process that holds a lock. */
export async function lockedFailure(path: string, what: string): Promise<Failure> {
  let holder = readLockHolder(path)
  if (holder === null) {
    // A process records itself as the holder just after it acquires the lock, so the record may still be missing.
    await delay(20)
    holder = readLockHolder(path)
  }
  const who =
    holder === null ? 'another run' : `process ${holder.pid} (${holder.command || 'partner'}, since ${holder.since})`
  return new Failure('LOCKED', `${what} is locked: ${who} holds the lock`, {
    hint: holder === null ? 'try again after it ends' : `try again after process ${holder.pid} exits, or stop it`,
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
 * Returns the path of the file that names the lock's holder. The database cannot store the name, because its
 * transaction is never committed.
 */
function getHolderPath(path: string): string {
  return `${path}.holder`
}

/** Tries to record the holder of a lock, and returns whether that succeeded. The lock is valid in either case. */
function writeHolder(path: string, holder: LockHolder & Owner): boolean {
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
