import type { DatabaseSync } from 'node:sqlite'
import type { Operation } from './operation.ts'
import type { Row } from './row.ts'

/** A write that was sent. If it is open, it may not have been done. */
export type PastWrite = Pick<Operation, 'id' | 'command' | 'service' | 'target' | 'cents' | 'profile' | 'before'> & {
  readonly isOpen: boolean
  /** When the write was first sent, in milliseconds since 1970. */
  readonly sentMs: number
}

/**
 * The table of completed writes on cards, and of accepted sales, for bookkeeping. Their rows in `operations` are
 * removed when they no longer say anything about other writes. It has no index, because checking one would take up most
 * of the time to open the file.
 */
const PAST = `
  CREATE TABLE past (
    id TEXT PRIMARY KEY, command TEXT NOT NULL, service TEXT NOT NULL, target TEXT NOT NULL, cents INTEGER,
    profile TEXT, before TEXT, sentMs INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE past_since (sinceMs INTEGER NOT NULL) STRICT;
`
/** How long past writes are stored: a year, plus the month in which its books are closed. Milliseconds. */
const RETENTION_MS = 400 * 86_400_000
const ON_CARDS = /^(?:giftcards|inbound) /
/** Commands of stored writes. Includes sales, because the service may not list one, and later accepts its ID again. */
const RETAINED = /^(?:giftcards|inbound|sales) /

export function isOnCards(command: string): boolean {
  return ON_CARDS.test(command)
}

/** Creates the table if it is missing. Writes before `sinceMs` are unknown. */
export function createPastTable(database: DatabaseSync, sinceMs: number): void {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'past'").get()) return
  database.exec(PAST)
  database.prepare('INSERT INTO past_since (sinceMs) VALUES (?)').run(sinceMs)
}

/** Stores a completed write on a card, or an accepted sale, before its row is removed. */
export function storePast(database: DatabaseSync, row: Row): void {
  const { id, command, service, target, cents, profile, before, firstSent, startedAt } = row
  if (!RETAINED.test(command) || (row.state !== 'done' && row.state !== 'applied')) return
  database
    .prepare('INSERT OR REPLACE INTO past VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    .run(id, command, service, target, cents, profile, before, firstSent?.wallMs ?? startedAt)
}

/** Deletes old writes, and writes at a service that no longer exists. */
export function deletePast(
  database: DatabaseSync,
  { nowMs, goneService }: { nowMs?: number; goneService?: string },
): void {
  if (nowMs !== undefined) database.prepare('DELETE FROM past WHERE sentMs < ?').run(nowMs - RETENTION_MS)
  if (goneService !== undefined) database.prepare('DELETE FROM past WHERE service = ?').run(goneService)
}

/** Reads all past writes, unordered, and since when they are complete, in milliseconds since 1970. */
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
