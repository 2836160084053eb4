import type { DatabaseSync } from 'node:sqlite'
import type { Operation } from './operation.ts'
import type { Row } from './row.ts'

/** A write that was sent. An open write might not have taken effect. */
export type PastWrite = Pick<Operation, 'id' | 'command' | 'service' | 'target' | 'cents' | 'profile' | 'before'> & {
  readonly isOpen: boolean
  /** When the write was first sent, in epoch milliseconds. */
  readonly sentMs: number
}

/**
 * The table of completed card writes and accepted sales, for bookkeeping. A row moves here from `operations` when it is
 * no longer needed to explain the outcome of other writes. The table has no index, because checking one would take most
 * of the time that is needed to open the file.
 */
const PAST = `
  CREATE TABLE past (
    id TEXT PRIMARY KEY, command TEXT NOT NULL, service TEXT NOT NULL, target TEXT NOT NULL, cents INTEGER,
    profile TEXT, before TEXT, sentMs INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE past_since (sinceMs INTEGER NOT NULL) STRICT;
`
/** How long, in milliseconds, past writes are stored: a year, plus about a month for closing that year's books. */
const RETENTION_MS = 400 * 86_400_000
const ON_CARDS = /^(?:giftcards|inbound) /
/**
 * Matches the commands whose writes are stored. Includes sales, because the service might not list a sale and might
 * later accept the same ID again.
 */
const RETAINED = /^(?:giftcards|inbound|sales) /

export function isOnCards(command: string): boolean {
  return ON_CARDS.test(command)
}

/** Creates the table if it does not exist. Writes before `sinceMs` might be missing from it. */
export function createPastTable(database: DatabaseSync, sinceMs: number): void {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'past'").get()) return
  database.exec(PAST)
  database.prepare('INSERT INTO past_since (sinceMs) VALUES (?)').run(sinceMs)
}

/** Stores a completed card write or an accepted sale, before its row is removed from `operations`. */
export function storePast(database: DatabaseSync, row: Row): void {
  const { id, command, service, target, cents, profile, before, firstSent, startedAt } = row
  if (!RETAINED.test(command) || (row.state !== 'done' && row.state !== 'applied')) return
  // Each machine stores only its own past writes.
  if (row.owner.otherHost !== undefined) return
  database
    .prepare('INSERT OR REPLACE INTO past VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    .run(id, command, service, target, cents, profile, before, firstSent?.wallMs ?? startedAt)
}

/**
 * Deletes the writes that are older than the retention period, and all writes to `goneService`, which no longer exists.
 */
export function deletePast(
  database: DatabaseSync,
  { nowMs, goneService }: { nowMs?: number; goneService?: string },
): void {
  if (nowMs !== undefined) database.prepare('DELETE FROM past WHERE sentMs < ?').run(nowMs - RETENTION_MS)
  if (goneService !== undefined) database.prepare('DELETE FROM past WHERE service = ?').run(goneService)
}

/** Reads all past writes, in no particular order. No write since `sinceMs` (epoch milliseconds) is missing. */
export function readPast(
  database: DatabaseSync,
  nowMs: number,
): { readonly sinceMs: number; readonly writes: readonly PastWrite[] } {
  const writes = database.prepare('SELECT * FROM past').all().map(pastOf)
  const since = database.prepare('SELECT max(sinceMs) AS ms FROM past_since').get()
  return { sinceMs: Math.max(Number(since?.['ms'] ?? nowMs), nowMs - RETENTION_MS), writes }
}

function pastOf(row: Readonly<Record<string, unknown>>): PastWrite {
  const text = (name: string) => (row[name] === null ? null : String(row[name]))
  return {
    ...{ id: String(row['id']), command: String(row['command']), service: String(row['service']) },
    ...{ target: String(row['target']), profile: text('profile'), before: text('before'), isOpen: false },
    cents: row['cents'] === null ? null : BigInt(Number(row['cents'])),
    sentMs: Number(row['sentMs']),
  }
}
