import { closeSync, rmSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../failure/failure.ts'
import { makeOwnDatabase, openOwnFile, readOwnText } from './own-file.ts'
import { loadSqlite } from './sqlite.ts'
import { describeSystemError, getSystemErrorCode } from './system-error.ts'

/** Who holds a lock: a process id, when it took the lock (ISO 8601, UTC), and what it is doing (`bookings sync`). */
export interface LockHolder {
  readonly pid: number
  readonly since: string
  readonly command: string
}

/** A lock that is held. The system frees it too when the process ends in any way, `kill -9` included. */
export interface Lock {
  /** Gives the lock back; a second call does nothing. */
  release(): void
}

export interface LockOptions {
  /** What this run is doing, for others to read while they wait. Never put arguments in it, they may be private. */
  readonly command?: string
  /** What the lock protects, in the middle of a sentence: `the profiles`. */
  readonly what?: string
  /** How long to wait for the lock, in milliseconds; 0, the default, gives up at once. */
  readonly waitMs?: number
}

/** Kept reachable: a lock whose owner dropped the object must not end when the garbage is collected. */
const heldDatabases = new Set<DatabaseSync>()

const SQLITE_BUSY = 5
const SQLITE_NOTADB = 26

/**
 * Takes an exclusive lock between processes, or returns null at once when another one (or this one) has it.
 * The lock is an empty SQLite database with a write transaction open: the system's own file lock, so a dead owner holds
 * nothing. Nothing else may open the lock file, as closing it anywhere in the process would drop the lock.
 * Fails: USAGE when something else is at the path, INTERNAL when the file cannot be made.
 */
export function tryLock(path: string, options: LockOptions = {}): Lock | null {
  try {
    makeOwnDatabase(path)
  } catch (error) {
    throw error instanceof Failure ? error : cannotLock(path, error)
  }
  const { DatabaseSync } = loadSqlite()
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 0 })
    // Nothing is ever written in it, so it needs no journal file, which SQLite would otherwise put beside it.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
  } catch (error) {
    if (database?.isOpen) database.close()
    const errcode = (error as { errcode?: number }).errcode ?? 0
    if ((errcode & 0xff) === SQLITE_BUSY) return null
    if (errcode === SQLITE_NOTADB) {
      throw new Failure('USAGE', `${path} is not a lock file: something else wrote into it`, { hint: `remove ${path}` })
    }
    throw cannotLock(path, error)
  }
  const held = database
  heldDatabases.add(held)
  const isTold = writeHolder(path, {
    pid: process.pid,
    since: new Date().toISOString(),
    command: options.command ?? '',
  })
  return {
    release() {
      if (!held.isOpen) return
      if (isTold) rmSync(holderPath(path), { force: true })
      held.close()
      heldDatabases.delete(held)
    },
  }
}

/**
 * Runs a piece of work while no other process runs under the same lock, and gives the lock back whatever happens.
 * Fails: LOCKED (exit 12), naming the holder, when the lock was not free within `waitMs`; as {@link tryLock}; as the work.
 */
export async function withLock<T>(path: string, work: () => T | Promise<T>, options: LockOptions = {}): Promise<T> {
  const deadline = performance.now() + (options.waitMs ?? 0)
  let lock = tryLock(path, options)
  while (lock === null && performance.now() < deadline) {
    // SQLite's own waiting would hold up the whole process, Ctrl-C included; uneven waits keep waiters apart.
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

/** Who holds the lock now; null when nobody does or when the holder has not said yet. */
export function readLockHolder(path: string): LockHolder | null {
  try {
    const holder: unknown = JSON.parse(readOwnText(holderPath(path)) ?? '')
    if (!isHolder(holder) || !isAlive(holder.pid)) return null
    return holder
  } catch {
    return null
  }
}

/** The refusal of a second run: exit 12, in words that name the first one. */
export async function lockedFailure(path: string, what: string): Promise<Failure> {
  let holder = readLockHolder(path)
  if (holder === null) {
    // The holder writes its name right after it took the lock.
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

function cannotLock(path: string, error: unknown): Failure {
  return new Failure('INTERNAL', `cannot lock ${path}: ${describeSystemError(error)}`, {
    hint: 'see that its directory is there and that you may write to it',
    cause: error,
  })
}

/** In a file of its own, as a transaction's writes are invisible to others until it ends. */
function holderPath(path: string): string {
  return `${path}.holder`
}

/** Whether it could be written: the lock itself is held, this is a courtesy to whoever waits. */
function writeHolder(path: string, holder: LockHolder): boolean {
  try {
    const descriptor = openOwnFile(holderPath(path), 'replace')
    try {
      writeSync(descriptor, `${JSON.stringify(holder)}\n`)
    } finally {
      closeSync(descriptor)
    }
    return true
  } catch {
    return false
  }
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
