import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { monotonicMs } from '../../base/stopwatch.ts'
import { getSqliteCode, SQLITE } from '../../base/storage/sqlite.ts'
import { busyFailure } from './failures.ts'

const LONGEST_WAIT_MS = 300_000

export type Writing = { readonly path: string; readonly database: DatabaseSync; readonly signal: AbortSignal }

/**
 * For each file, the connection in this process that last wrote to it. Waiting for that connection inside SQLite would
 * cause a deadlock.
 */
const lastWriters = new Map<string, DatabaseSync>()

/**
 * Begins a write transaction unless one is open. Does not block the process. Throws LOCKED if the database stays locked
 * for five minutes, or the signal's reason if the signal is aborted.
 */
export async function begin({ database, path, signal }: Writing): Promise<void> {
  const deadline = monotonicMs() + LONGEST_WAIT_MS
  while (!database.isTransaction) {
    if (!isWritten(path) && hasBegun(database)) {
      lastWriters.set(path, database)
      return
    }
    if (monotonicMs() > deadline) throw busyFailure(path)
    await delay(5 + Math.random() * 50)
    signal.throwIfAborted()
  }
}

function isWritten(path: string): boolean {
  const last = lastWriters.get(path)
  return last?.isOpen === true && last.isTransaction
}

function hasBegun(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (getSqliteCode(error) !== SQLITE.BUSY) throw error
    return false
  }
}
