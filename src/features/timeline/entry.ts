import type { JsonObject } from '../../base/json/exact.ts'
import { formatInZone } from '../../base/time/zone.ts'
import type { TimelineRow } from './output.ts'

type BookingKind = 'booked' | 'booking-time' | 'version' | 'payment'
type CardKind = 'issued' | 'expires' | 'state'
type EntryKind = BookingKind | CardKind | 'sale-opened' | 'sale' | 'operation' | 'outcome' | 'delivery'

/** A record from the service or from a copy. */
export interface Seen {
  readonly record: JsonObject
  /** The copy, such as `bookings.ndjson:4`; `null` if the service has just returned the record. */
  readonly where: string | null
}

/** A redemption or cancellation of a gift card, between `afterMs` (epoch milliseconds) and the time of its entry. */
export type CardUse = { readonly what: 'redeemed' | 'cancelled'; readonly afterMs: number }

/** An entry of a timeline. */
export interface Entry extends Pick<TimelineRow, 'source' | 'where' | 'subject' | 'text' | 'oddity'> {
  /** The time of the event in epoch milliseconds. May be in the future. */
  readonly atMs: number
  readonly kind: EntryKind
  readonly act?: CardUse | undefined
}

/** Returns the source of an entry found in these places. `null` stands for the service. */
export function sourceOfPlaces(wheres: readonly (string | null)[]): Pick<Entry, 'source' | 'where'> {
  const copies = wheres.filter((where) => where !== null)
  return { source: copies.length === wheres.length ? 'copy' : 'service', where: copies.join(', ') || null }
}

/** Adds an oddity to an entry, unless it is null. */
export function withOddity(entry: Entry, oddity: string | null): Entry {
  if (oddity === null) return entry
  return { ...entry, oddity: entry.oddity === null ? oddity : `${entry.oddity}; ${oddity}` }
}

/** Converts an entry to a record for output, as described by `timelineEntry`. */
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
