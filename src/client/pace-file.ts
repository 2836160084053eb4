import { existsSync } from 'node:fs'
import { attempt } from '../base/attempt.ts'
import { refuseUnlessPlainDatabase } from '../base/storage/own-file.ts'
import { loadSqlite } from '../base/storage/sqlite.ts'
import { type RateLimit, REMEMBERED_MS } from './calls/pace.ts'

export interface RememberedLimit extends RateLimit {
  /** The service and profile, in the same format as `Pace.scope`. */
  readonly scope: string
  readonly endpoint: string
  /** When the service reported the limit, in epoch milliseconds. */
  readonly learnedAt: number
}

/**
 * Reads all limits, newest first. Returns `null` if the file does not exist. Throws USAGE if it is not a plain file, or
 * a SQLite error if it cannot be read.
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

/**
 * Returns the limits that still apply, or an empty array if the file cannot be read. `now` is in epoch milliseconds.
 */
export function readLearnedLimits(path: string, now: number): RememberedLimit[] {
  const limits = attempt(() => readPaceFile(path), null) ?? []
  return limits.filter(({ learnedAt }) => learnedAt > now - REMEMBERED_MS)
}
