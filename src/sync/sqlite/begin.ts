import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { monotonicMs } from '../../base/stopwatch.ts'
import { getSqliteCode, SQLITE } from '../../base/storage/sqlite.ts'
import { busyFailure } from './trouble.ts'

/** Others write for a moment, or for as long as one large window takes. */
const LONGEST_WAIT_MS = 300_000

/** What a transaction is begun with. */
export interface Writing {
  readonly path: string
  readonly database: DatabaseSync
  readonly signal: AbortSignal
}

/** Who of this process began to write to a file last. A wait for it in SQLite itself would keep it from ever ending. */
const lastWriters = new Map<string, DatabaseSync>()

/**
 * Takes the file's one place for a writer, and lets the process live while another has it. In a transaction it does nothing.
 * Fails: LOCKED; the signal's reason.
 */
export async function begin({ database, path, signal }: Writing): Promise<void> {
  const deadline = monotonicMs() + LONGEST_WAIT_MS
  while (!database.isTransaction) {
    if (!isWritten(path) && hasBegun(database)) {
      lastWriters.set(path, database)
      return
    }
    if (monotonicMs() > deadline) throw busyFailure(path)
    // Uneven waits keep waiters apart.
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
