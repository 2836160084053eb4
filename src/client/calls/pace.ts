import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { ensurePrivateDirectory } from '../../base/storage/directories.ts'
import { refuseUnlessPlainDatabase } from '../../base/storage/own-file.ts'
import { isDamaged, loadSqlite, transaction } from '../../base/storage/sqlite.ts'
import type { Endpoint } from '../../contract/endpoint.ts'

/** At most `count` requests every `windowMs`, as a 429 states it. Source: "Limits". */
export type RateLimit = { readonly count: number; readonly windowMs: number }

/** A limit without room for a request now. */
export interface LearnedLimit extends RateLimit {
  /** Epoch milliseconds. */
  readonly learnedAt: number
  readonly waitMs: number
}

/**
 * Longer windows count as this long. A command waits this long by itself, so a learned limit never ends another command
 * before its first request. Only the service can say that a longer window is not over.
 */
export const LONGEST_LEARNED_WINDOW_MS = 60_000
/** When a limit that was not reached again is forgotten, because the service may have changed it. */
export const REMEMBERED_MS = 24 * 3_600_000
const BUSY_TIMEOUT_MS = 2_000

/** `ignore`: a request leaves at once, but still counts. */
export type Pacing = 'keep' | 'ignore'

/** Describes a limit: `the service allows 10 requests every 1.5 s to GET /Bookings, as it said 40 s ago`. */
export function describeLimit({ count, windowMs, learnedAt }: LearnedLimit, endpoint: Endpoint, now: number): string {
  const requests = count === 1 ? '1 request' : `${count} requests`
  const agoSeconds = Math.max(0, Math.floor((now - learnedAt) / 1000))
  return `the service allows ${requests} every ${windowMs / 1000} s to ${endpoint.method} ${endpoint.path}, as it said ${agoSeconds} s ago`
}

/** Keeps requests within limits shared by all processes of this user. Without its file, nothing is paced. */
export class Pace {
  readonly path: string
  /** The service and profile; each key has its own limits. */
  readonly scope: string
  #database: DatabaseSync | null = null

  constructor(path: string, scope: string) {
    this.path = path
    this.scope = scope
  }

  /** Takes a place in an endpoint's window. Null if the request may leave now, else the limit to wait for. */
  takePlace(endpoint: Endpoint, now: number, pacing: Pacing = 'keep'): LearnedLimit | null {
    if (!this.#database && !existsSync(this.path)) return null
    return this.#tryTransaction(null, (database) => {
      const key = this.#makeKey(endpoint)
      const limit = database
        .prepare('SELECT count, windowMs, learnedAt FROM limits WHERE key = ? AND learnedAt > ?')
        .get(key, now - REMEMBERED_MS) as Omit<LearnedLimit, 'waitMs'> | undefined
      if (!limit) return null
      const windowMs = Math.min(limit.windowMs, LONGEST_LEARNED_WINDOW_MS)
      database
        .prepare('DELETE FROM sends WHERE key = ? AND (at <= ? OR at > ?)')
        .run(key, now - windowMs, now + windowMs)
      const sends = database
        .prepare('SELECT at FROM sends WHERE key = ? ORDER BY at DESC LIMIT ?')
        .all(key, limit.count) as { at: number }[]
      const oldest = sends.at(-1)
      if (pacing === 'keep' && sends.length >= limit.count && oldest) {
        // A clock that was set back must not lengthen the wait.
        const waitMs = Math.min(Math.max(1, oldest.at + windowMs - now), windowMs)
        return { ...limit, windowMs, waitMs }
      }
      database.prepare('INSERT INTO sends (key, at) VALUES (?, ?)').run(key, now)
      return null
    })
  }

  /** Remembers a limit that was just enforced, so its window is full. `now` is in epoch milliseconds. */
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
      // A damaged file would stay damaged, and this one can be lost.
      if (isDamaged(error)) rmSync(this.path, { force: true })
      this.close()
      return otherwise
    }
  }

  #open(): DatabaseSync {
    ensurePrivateDirectory(dirname(this.path))
    refuseUnlessPlainDatabase(this.path)
    const { DatabaseSync } = loadSqlite()
    const database = new DatabaseSync(this.path, { timeout: BUSY_TIMEOUT_MS })
    database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
      CREATE TABLE IF NOT EXISTS limits (key TEXT PRIMARY KEY, count INTEGER NOT NULL, windowMs INTEGER NOT NULL, learnedAt INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS sends (key TEXT NOT NULL, at INTEGER NOT NULL);
      CREATE INDEX IF NOT EXISTS sends_of ON sends (key, at)`)
    return database
  }
}
