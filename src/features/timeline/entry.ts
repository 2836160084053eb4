import type { JsonObject } from '../../base/json/exact.ts'
import { formatInZone } from '../../base/time/zone.ts'
import type { TimelineRow } from './output.ts'

type BookingKind = 'booked' | 'booking-time' | 'version' | 'payment'
type CardKind = 'issued' | 'expires' | 'state'
type EntryKind = BookingKind | CardKind | 'sale-opened' | 'sale' | 'operation' | 'outcome' | 'delivery'

/** A record that was read from the service or found in a copy. */
export interface Seen {
  readonly record: JsonObject
  /**
   * Where in a copy the record was found, such as `bookings.ndjson:4`. It is `null` if the service returned the record.
   */
  readonly where: string | null
}

/**
 * A redemption or cancellation of a gift card. It happened after `afterMs` (in epoch milliseconds), but no later than
 * its timeline entry.
 */
export type CardUse = { readonly what: 'redeemed' | 'cancelled'; readonly afterMs: number }

/** A timeline entry. */
export interface Entry extends Pick<TimelineRow, 'source' | 'where' | 'subject' | 'text' | 'oddity'> {
  /** When the event happened or will happen, in epoch milliseconds. */
  readonly atMs: number
  readonly kind: EntryKind
  readonly act?: CardUse | undefined
}

/** Returns an entry's source, based on where its record was found. A `null` place means the service. */
export function sourceOfPlaces(wheres: readonly (string | null)[]): Pick<Entry, 'source' | 'where'> {
  const copies = wheres.filter((where) => where !== null)
  return { source: copies.length === wheres.length ? 'copy' : 'service', where: copies.join(', ') || null }
}

/** Adds a remark about an inconsistency to an entry. Returns the entry unchanged if the remark is `null`. */
export function withOddity(entry: Entry, oddity: string | null): Entry {
  if (oddity === null) return entry
  return { ...entry, oddity: entry.oddity === null ? oddity : `${entry.oddity}; ${oddity}` }
}

/** Converts an entry to its printed form, whose schema is `timelineEntry`. */
export function toEntryRecord(
  entry: Entry,
  { timezone, nowMs }: { timezone: string | null; nowMs: number },
): JsonObject {
  const { atMs, kind, source, where, subject, text, oddity } = entry
  const at = new Date(atMs).toISOString()
  return {
    at,
    local: timezone === null ? null : formatInZone(atMs, timezone).slice(0, 16) + at.slice(16, 19),
    future: atMs > nowMs,
    ...{ kind, source, where, subject, text, oddity },
  }
}
