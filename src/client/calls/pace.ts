import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { ensurePrivateDirectory } from '../../base/storage/directories.ts'
import { refuseUnlessPlainDatabase } from '../../base/storage/own-file.ts'
import { discard } from '../../base/storage/rename-remove.ts'
import { isDamaged, loadSqlite, transaction } from '../../base/storage/sqlite.ts'
import type { Endpoint } from '../../contract/endpoint.ts'

/** A rate limit of `count` requests every `windowMs`, as reported in a 429 response. Source: "Limits". */
export type RateLimit = { readonly count: number; readonly windowMs: number }

/** A rate limit that is currently exhausted. */
export interface LearnedLimit extends RateLimit {
  /** When the service reported the limit, in epoch milliseconds. */
  readonly learnedAt: number
  readonly waitMs: number
}

/**
 * The longest rate-limit window to remember, in milliseconds. Longer windows are shortened to it. Every command waits
 * at least this long before it gives up, so a remembered limit alone never makes a command fail. If the actual window
 * is longer, the service rejects the request again.
 */
export const LONGEST_LEARNED_WINDOW_MS = 60_000
/** How long, in milliseconds, to remember a limit after it was last reached. The service may change its limits. */
export const REMEMBERED_MS = 24 * 3_600_000
const BUSY_TIMEOUT_MS = 2_000

/** Whether requests wait for a rate limit (`keep`) or not (`ignore`). Either way, they count towards the limit. */
export type Pacing = 'keep' | 'ignore'

/** Describes a limit, as in `the service allows 10 requests every 1.5 s for GET /Bookings, as reported 40 s ago`. */
export function describeLimit({ count, windowMs, learnedAt }: LearnedLimit, endpoint: Endpoint, now: number): string {
  const requests = count === 1 ? '1 request' : `${count} requests`
  const agoSeconds = Math.max(0, Math.floor((now - learnedAt) / 1000))
  return `the service allows ${requests} every ${windowMs / 1000} s for ${endpoint.method} ${endpoint.path}, as reported ${agoSeconds} s ago`
}

/** Keeps requests within the rate limits that the service has reported. All of a user's processes share one file. */
export class Pace {
  readonly path: string
  /** The service and profile that the limits apply to. Each key has its own limits. */
  readonly scope: string
  #database: DatabaseSync | null = null

  constructor(path: string, scope: string) {
    this.path = path
    this.scope = scope
  }

  /** Returns the limit that the service has reported for an endpoint, or `null` if none is remembered. */
  limitOf(endpoint: Endpoint, now: number): RateLimit | null {
    if (!this.#database && !existsSync(this.path)) return null
    return this.#tryTransaction(null, (database) => findLimit(database, this.#makeKey(endpoint), now))
  }

  /**
   * Reserves a slot in an endpoint's rate-limit window. Returns `null` if the request may be sent now, otherwise the
   * limit to wait for.
   */
  reserveSlot(endpoint: Endpoint, now: number, pacing: Pacing = 'keep'): LearnedLimit | null {
    if (!this.#database && !existsSync(this.path)) return null
    return this.#tryTransaction(null, (database) => {
      const key = this.#makeKey(endpoint)
      const limit = findLimit(database, key, now)
      if (limit === null) return null
      const { windowMs } = limit
      database
        .prepare('DELETE FROM sends WHERE key = ? AND (at <= ? OR at > ?)')
        .run(key, now - windowMs, now + windowMs)
      const sends = database
        .prepare('SELECT at FROM sends WHERE key = ? ORDER BY at DESC LIMIT ?')
        .all(key, limit.count) as { at: number }[]
      const oldest = sends.at(-1)
      if (pacing === 'keep' && sends.length >= limit.count && oldest) {
        // Even if the clock was set back, the wait must not exceed the window.
        const waitMs = Math.min(Math.max(1, oldest.at + windowMs - now), windowMs)
        return { ...limit, waitMs }
      }
      database.prepare('INSERT INTO sends (key, at) VALUES (?, ?)').run(key, now)
      return null
    })
  }

  /**
   * Remembers a limit that the service has just enforced and marks its window as full. `now` is in epoch milliseconds.
   */
  learn(endpoint: Endpoint, limit: RateLimit, now: number): void {
    this.#tryTransaction(undefined, (database) => {
      const key = this.#makeKey(endpoint)
      database
        .prepare('INSERT OR REPLACE INTO limits (key, count, windowMs, learnedAt) VALUES (?, ?, ?, ?)')
        .run(key, limit.count, limit.windowMs, now)
      const insert = database.prepare('INSERT INTO sends (key, at) VALUES (?, ?)')
      for (let filled = 0; filled < limit.count; filled++) insert.run(key, now)
      return undefined
    })
  }

  close(): void {
    this.#database?.close()
    this.#database = null
  }

  #makeKey(endpoint: Endpoint): string {
    return `${this.scope} ${endpoint.method} ${endpoint.path}`
  }

  #tryTransaction<T>(otherwise: T, work: (database: DatabaseSync) => T): T {
    try {
      this.#database ??= this.#open()
      const database = this.#database
      return transaction(database, () => work(database))
    } catch (error) {
      this.close()
      // Delete a damaged file, so that the next command creates a new one. It contains only rate-limit state.
      if (isDamaged(error)) discard(this.path, 0)
      return otherwise
    }
  }

  #open(): DatabaseSync {
    ensurePrivateDirectory(dirname(this.path))
    refuseUnlessPlainDatabase(this.path)
    const { DatabaseSync } = loadSqlite()
    const database = new DatabaseSync(this.path, { timeout: BUSY_TIMEOUT_MS })
    // Assign the database before the first query, so that `close` can close a damaged file before it is deleted.
    this.#database = database
    database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
      CREATE TABLE IF NOT EXISTS limits (key TEXT PRIMARY KEY, count INTEGER NOT NULL, windowMs INTEGER NOT NULL, learnedAt INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS sends (key TEXT NOT NULL, at INTEGER NOT NULL);
      CREATE INDEX IF NOT EXISTS sends_of ON sends (key, at)`)
    return database
  }
}

/** Returns a remembered limit, or `null`. Shortens its window to {@link LONGEST_LEARNED_WINDOW_MS}. */
function findLimit(database: DatabaseSync, key: string, now: number): Omit<LearnedLimit, 'waitMs'> | null {
  const limit = database
    .prepare('SELECT count, windowMs, learnedAt FROM limits WHERE key = ? AND learnedAt > ?')
    .get(key, now - REMEMBERED_MS) as Omit<LearnedLimit, 'waitMs'> | undefined
  return limit ? { ...limit, windowMs: Math.min(limit.windowMs, LONGEST_LEARNED_WINDOW_MS) } : null
}
