import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ensurePrivateDirectory } from '../../storage/directories.ts'
import { refuseUnlessPlainDatabase } from '../../storage/own-file.ts'
import { loadSqlite } from '../../storage/sqlite.ts'

/** At most so many requests in so many milliseconds. Source: "Limits", as the 429 message states it. */
export interface RateLimit {
  readonly count: number
  readonly windowMs: number
}

/** A limit that stands in the way: what the service said, when, and how long it takes until there is a place. */
export interface LearnedLimit extends RateLimit {
  /** Epoch milliseconds. */
  readonly learnedAt: number
  /** From now. */
  readonly waitMs: number
}

/**
 * A limit that names a longer window is kept to as if it named this one. Milliseconds. A command waits so long by itself, so
 * what one was told never ends another before it has asked: the service alone can say that a longer window is not over yet.
 */
export const LONGEST_LEARNED_WINDOW_MS = 60_000
/** A limit that was not met for so long is forgotten: the service may have changed it. Milliseconds. */
const REMEMBERED_MS = 24 * 3_600_000
const BUSY_TIMEOUT_MS = 2_000

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26])

/** Whether a request waits for its place. `ignore`: it leaves at once, and takes one all the same. */
export type Pacing = 'keep' | 'ignore'

/** The limit as a person reads it: `10 requests every 1.5 s to GET /Bookings, as it said 40 s ago`. */
export function describeLimit({ count, windowMs, learnedAt }: LearnedLimit, endpoint: Endpoint, now: number): string {
  const requests = count === 1 ? '1 request' : `${count} requests`
  const agoSeconds = Math.max(0, Math.floor((now - learnedAt) / 1000))
  return `the service allows ${requests} every ${windowMs / 1000} s to ${endpoint.method} ${endpoint.path}, as it said ${agoSeconds} s ago`
}

/**
 * Keeps requests within the limits that the service has named, for every process of this user: what one learns from a 429
 * paces the others. Without a limit learned it costs one look for a file. It only ever advises: when its memory cannot be
 * used, nothing is paced.
 */
export class Pace {
  /** The file of its memory. */
  readonly path: string
  readonly #scope: string
  #database: DatabaseSync | null = null

  /** @param scope whose limits these are: the service and the profile, as limits hold for each key. */
  constructor(path: string, scope: string) {
    this.path = path
    this.#scope = scope
  }

  /**
   * Takes a place in the window of an endpoint. Null: taken, it may be sent now; else none was free, and it may be asked for
   * again after `waitMs`. With `ignore` one is taken in any case.
   */
  takePlace(endpoint: Endpoint, now: number, pacing: Pacing = 'keep'): LearnedLimit | null {
    if (!this.#database && !existsSync(this.path)) return null
    return this.#advised(null, (database) => {
      const key = this.#keyOf(endpoint)
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
        // A clock that was put back must not make it longer.
        const waitMs = Math.min(Math.max(1, oldest.at + windowMs - now), windowMs)
        return { ...limit, windowMs, waitMs }
      }
      database.prepare('INSERT INTO sends (key, at) VALUES (?, ?)').run(key, now)
      return null
    })
  }

  /** Remembers a limit that was met just now: its window is full. */
  learn(endpoint: Endpoint, limit: RateLimit, now: number): void {
    this.#advised(undefined, (database) => {
      const key = this.#keyOf(endpoint)
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

  #keyOf(endpoint: Endpoint): string {
    return `${this.#scope} ${endpoint.method} ${endpoint.path}`
  }

  #advised<T>(otherwise: T, work: (database: DatabaseSync) => T): T {
    try {
      this.#database ??= this.#open()
      this.#database.exec('BEGIN IMMEDIATE')
      try {
        const result = work(this.#database)
        this.#database.exec('COMMIT')
        return result
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
        throw error
      }
    } catch (error) {
      // A damaged memory would stay so for ever; this one may be lost at any time.
      if (DAMAGED.has(((error as { errcode?: number }).errcode ?? 0) & 0xff)) rmSync(this.path, { force: true })
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
