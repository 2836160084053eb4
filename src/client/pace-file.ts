import { existsSync } from 'node:fs'
import { refuseUnlessPlainDatabase } from '../base/storage/own-file.ts'
import { loadSqlite } from '../base/storage/sqlite.ts'
import { type RateLimit, REMEMBERED_MS } from './calls/pace.ts'

/** A limit as the pace file remembers it. */
export interface RememberedLimit extends RateLimit {
  /** The service and profile that it belongs to, as `Pace` has them. */
  readonly scope: string
  /** `GET /Bookings` */
  readonly endpoint: string
  /** When the service named it, epoch milliseconds. */
  readonly learnedAt: number
}

/**
 * All that the pace file remembers, the newest first, also what no longer counts; null: there is none. Nothing is written.
 * Fails: USAGE when it is no plain file; SQLite's error when it is damaged.
 */
export function readPaceFile(path: string): RememberedLimit[] | null {
  if (!existsSync(path)) return null
  refuseUnlessPlainDatabase(path)
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = database.prepare('SELECT key, count, windowMs, learnedAt FROM limits ORDER BY learnedAt DESC').all()
    return (rows as unknown as (RateLimit & { key: string; learnedAt: number })[]).map(({ key, ...limit }) => {
      const [, scope = key, endpoint = ''] = /^(.*) ([A-Z]+ \S+)$/s.exec(key) ?? []
      return { scope, endpoint, count: limit.count, windowMs: limit.windowMs, learnedAt: limit.learnedAt }
    })
  } finally {
    database.close()
  }
}

/** What the pace file remembers that still counts; nothing when it cannot be read. `now` in epoch milliseconds. */
export function learnedLimits(path: string, now: number): RememberedLimit[] {
  try {
    return (readPaceFile(path) ?? []).filter(({ learnedAt }) => learnedAt > now - REMEMBERED_MS)
  } catch {
    return []
  }
}
