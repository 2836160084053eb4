import type { JsonObject } from '../../base/json/exact.ts'
import { formatInZone } from '../../base/time/zone.ts'
import type { TimelineRow } from './output.ts'

/** What a row of a timeline tells. */
type EntryKind =
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

/** Something that money did to a gift card. It happened after `afterMs` (epoch milliseconds), and by the time of its entry. */
export interface CardAct {
  readonly what: 'redeemed' | 'cancelled'
  readonly afterMs: number
}

/** One row of a timeline. */
export interface Entry extends Pick<TimelineRow, 'source' | 'where' | 'subject' | 'text' | 'oddity'> {
  /** When, epoch milliseconds; what is still to come is later than now. */
  readonly atMs: number
  readonly kind: EntryKind
  readonly act?: CardAct | undefined
}

/** Who says what several places say; null is the service. */
export function saidBy(wheres: readonly (string | null)[]): Pick<Entry, 'source' | 'where'> {
  const copies = wheres.filter((where) => where !== null)
  return { source: copies.length === wheres.length ? 'copy' : 'service', where: copies.join(', ') || null }
}

/** The entry with one more thing that is odd about it; null: nothing is. */
export function withOddity(entry: Entry, oddity: string | null): Entry {
  if (oddity === null) return entry
  return { ...entry, oddity: entry.oddity === null ? oddity : `${entry.oddity}; ${oddity}` }
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
