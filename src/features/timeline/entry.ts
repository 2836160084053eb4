import type { JsonObject } from '../../base/json/exact.ts'
import { formatInZone } from '../../base/time/zone.ts'

/** What a row of a timeline tells. */
export type EntryKind =
  | 'booked'
  | 'booking-time'
  | 'version'
  | 'payment'
  | 'issued'
  | 'expires'
  | 'state'
  | 'sale-opened'
  | 'sale'
  | 'operation'
  | 'outcome'
  | 'delivery'

/** Who says so: the service as it is now, this machine's record of money writes, a journal, or a copy. */
export type EntrySource = 'service' | 'operations' | 'journal' | 'copy'

/** Something that money did to a gift card. It happened after `afterMs` (epoch milliseconds), and by the time of its entry. */
export interface CardAct {
  readonly what: 'redeemed' | 'cancelled'
  readonly afterMs: number
}

/** One row of a timeline. */
export interface Entry {
  /** When, epoch milliseconds; what is still to come is later than now. */
  readonly atMs: number
  readonly kind: EntryKind
  readonly source: EntrySource
  /** Where exactly, such as `hooks.ndjson:12` or `op_1a2b3c4d5e`; null: the service. */
  readonly where: string | null
  /** The booking, sale or card that it is about. */
  readonly subject: string
  readonly text: string
  /** What is odd about it, in words; null: nothing. */
  readonly oddity: string | null
  readonly act?: CardAct | undefined
}

/** The entry with one more thing that is odd about it; null: nothing is. */
export function withOddity(entry: Entry, oddity: string | null): Entry {
  if (oddity === null) return entry
  return { ...entry, oddity: entry.oddity === null ? oddity : `${entry.oddity}; ${oddity}` }
}

/** Entries in order of time; at the same time, in the order in which they were found. */
export function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => a.atMs - b.atMs)
}

/**
 * An entry for programs: `{at, local, future, kind, source, where, subject, text, oddity}`. `at` is the instant, `local` what the
 * clock of the venue shows then; null: its zone is not known.
 */
export function entryRecord(entry: Entry, { timezone, nowMs }: { timezone: string | null; nowMs: number }): JsonObject {
  const { atMs, kind, source, where, subject, text, oddity } = entry
  const at = new Date(atMs).toISOString()
  return {
    at,
    local: timezone === null ? null : formatInZone(atMs, timezone).slice(0, 16) + at.slice(16, 19),
    future: atMs > nowMs,
    ...{ kind, source, where, subject, text, oddity },
  }
}
