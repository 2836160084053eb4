import { type Failure, usageFailure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { toWireTime } from '../../base/time/instant.ts'
import { subjectKindOf, type WebhookEvent } from '../../contract/events.ts'
import type { CopyToRead } from '../../sync/open-target.ts'
import type { StoredDelivery } from '../events/journal/read-journal.ts'
import { type Arrivals, type ReadArrival, readArrivals } from './arrivals.ts'
import { type Change, type ExpectedEvents, eventsOfBooking, eventsOfCard, type Span } from './change.ts'
import { EventCounts } from './event-counts.ts'
import { type Finding, LATE_AFTER_MS, match } from './match.ts'
import { knownSpan, readBookings, readCards } from './read-copy.ts'

/** The deliveries and copies to compare, and the filters for events and times. */
export interface CompareOptions {
  readonly deliveries: AsyncIterable<readonly StoredDelivery[]>
  readonly bookings: CopyToRead
  readonly source: string
  /** The copy, opened for gift cards. `null` if it is an NDJSON file, which cannot contain dated snapshots. */
  readonly cards: CopyToRead | null
  readonly events: ReadonlySet<WebhookEvent>
  /** The start of the period, in epoch milliseconds, or `null` to start with the first delivery. */
  readonly sinceMs: number | null
  /** The end of the period, in epoch milliseconds, or `null` to end with the copy. */
  readonly untilMs: number | null
  readonly signal: AbortSignal
}

export type GapClass = 'missing' | 'extra' | 'late' | 'duplicate'

/** A mismatch between changes and deliveries. `change` or `arrival` is `null` if the gap has none. */
export interface Gap {
  readonly class: GapClass
  readonly event: WebhookEvent
  readonly subject: string
  /** The venue, or `null` if it is unknown. */
  readonly locationId: string | null
  readonly change: Change | null
  readonly arrival: Pick<ReadArrival, 'timeMs' | 'line'> | null
}

interface Found {
  readonly gaps: Gap[]
  readonly changes: EventCounts
  readonly deliveries: EventCounts
  /** How many changes without an event are too recent to judge. */
  pendingChanges: number
  /** How many events without a change are too recent to judge. */
  pendingEvents: number
  /** How many deliveries were for other venues. */
  elsewhere: number
}

export interface Comparison extends Readonly<Found> {
  /** The period for which bookings were compared, or `null` if bookings were not compared. */
  readonly bookings: Span | null
  /** The period for which gift cards were compared, or `null` if gift cards were not compared. */
  readonly cards: Span | null
  readonly snapshots: number
  /** How many deliveries had an unknown event, or no booking or card. */
  readonly unreadable: number
}

/**
 * Compares deliveries with the changes in a copy. Throws USAGE if there is nothing to compare. Also throws if the
 * deliveries or the copy cannot be read.
 */
export async function compare(asked: CompareOptions): Promise<Comparison> {
  const { bookings, events, signal, source } = asked
  const kinds = new Set([...events].map(subjectKindOf))
  const known = kinds.has('booking') ? await knownSpan(bookings, source) : null
  const arrivals = await readArrivals(asked.deliveries, events, signal)
  const sinceMs = asked.sinceMs ?? arrivals.firstMs
  if (sinceMs === null)
    throw usageFailure(['the journal has no deliveries yet'], 'pass the start of the period to compare: --since TIME')
  const range = { fromMs: sinceMs, toMs: asked.untilMs ?? Number.POSITIVE_INFINITY }
  if (known !== null && overlap(range, known).fromMs > overlap(range, known).toMs)
    throw noOverlapFailure(asked, range, known)
  const lastMs = arrivals.lastMs ?? Number.NEGATIVE_INFINITY
  const found: Found = {
    gaps: [],
    changes: new EventCounts(),
    deliveries: new EventCounts(),
    pendingChanges: 0,
    pendingEvents: 0,
    elsewhere: 0,
  }
  let locations: ReadonlySet<string> = new Set()
  if (known !== null) {
    const seen = await readBookings(bookings, sinceMs - LOOK_BACK_MS, (id) => arrivals.bySubject.has(id), signal)
    locations = seen.locations
    const scope = { events, arrivals, known, range: overlap(range, known), locations, lastMs }
    const nothing = eventsOfBooking({ bookedMs: null, versionsMs: [] })
    matchAll(found, scope, seen.byId, (one) => [eventsOfBooking(one), one.locationId], nothing)
  }
  const cards = kinds.has('card') && asked.cards ? await readCards(asked.cards, range) : null
  if (cards?.range) {
    const scope = { events, arrivals, known: cards.known, range: cards.range, locations }
    const later = { ...scope, lastMs: Math.max(lastMs, known?.toMs ?? lastMs) }
    matchAll(found, later, cards.byNumber, (changes) => [eventsOfCard(changes), null], eventsOfCard([]))
  } else if (known === null)
    throw usageFailure(
      [
        'gift cards cannot be compared: a comparison requires two dated snapshots in the period, but the copy has fewer',
      ],
      'copy them to a database, where each run adds a snapshot: partner giftcards sync --to venue.db',
    )
  return {
    ...found,
    gaps: found.gaps.sort((a, b) => timeOf(a) - timeOf(b)),
    bookings: known && overlap(range, known),
    cards: cards?.range ?? null,
    snapshots: cards?.snapshots ?? 0,
    unreadable: arrivals.unreadable,
  }
}

function overlap(one: Span, other: Span): Span {
  return { fromMs: Math.max(one.fromMs, other.fromMs), toMs: Math.min(one.toMs, other.toMs) }
}

function noOverlapFailure({ bookings: { name } }: CompareOptions, range: Span, known: Span): Failure {
  const isBehind = range.fromMs > known.toMs
  const what = isBehind ? `ends at ${toWireTime(known.toMs)}` : `begins at ${toWireTime(known.fromMs)}`
  const asked = isBehind ? `begins at ${toWireTime(range.fromMs)}` : `ends at ${toWireTime(range.toMs)}`
  return usageFailure(
    [`there is nothing to compare: ${name} ${what}, and the requested period ${asked}`],
    isBehind ? `update the copy: ${formatCommand`bookings sync --to ${name}`}` : 'name a later time with --until',
  )
}

const LOOK_BACK_MS = 48 * 3_600_000

interface Scope {
  readonly events: ReadonlySet<WebhookEvent>
  readonly arrivals: Arrivals
  /** The period for which the copy contains all changes. */
  readonly known: Span
  /** The period to compare. */
  readonly range: Span
  readonly locations: ReadonlySet<string>
  /** Deliveries are known up to this time, in epoch milliseconds. */
  readonly lastMs: number
}

/**
 * Matches the changes to each booking or card with its deliveries. Removes each one from `subjects` afterwards.
 * `expectedOf` returns its expected events and venue. `nothing` is used for bookings or cards not in the copy.
 */
function matchAll<T>(
  found: Found,
  { events, arrivals, known, range, locations, lastMs }: Scope,
  subjects: Map<string, T>,
  expectedOf: (subject: T) => readonly [ExpectedEvents, locationId: string | null],
  nothing: ExpectedEvents,
): void {
  const onlyLocation = locations.size === 1 ? ([...locations][0] ?? null) : null
  const deliveredToMs = Math.max(lastMs, known.toMs)
  const isInRange = (timeMs: number) => timeMs >= range.fromMs && timeMs <= range.toMs
  /** Returns whether the copy must contain the change that triggered a delivery at the given time. */
  const isSettled = (timeMs: number) => timeMs >= known.fromMs + LATE_AFTER_MS && timeMs <= known.toMs - LATE_AFTER_MS
  const isKnownVenue = ({ locationId, timeMs }: ReadArrival) => {
    const isOurs = locationId === null || locations.size === 0 || locations.has(locationId)
    if (!isOurs && isInRange(timeMs)) found.elsewhere++
    return isOurs
  }
  const judge = (finding: Finding, about: Pick<Gap, 'event' | 'subject' | 'locationId'>) => {
    const change = 'change' in finding ? finding.change : null
    const arrival = 'arrival' in finding ? finding.arrival : null
    if (finding.class === 'pending') found.pendingChanges++
    else if (change !== null ? !change.isCertain : !isInRange(arrival?.timeMs ?? 0)) return
    else if (finding.class === 'extra' && !isSettled(finding.arrival.timeMs)) found.pendingEvents++
    else found.gaps.push({ class: finding.class, ...about, change, arrival })
  }
  const matchOne = (subject: string, expected: ExpectedEvents, locationId: string | null) => {
    for (const [event, { changes, unseen }] of expected) {
      if (!events.has(event)) continue
      const came = (arrivals.bySubject.get(subject)?.get(event) ?? []).filter(isKnownVenue)
      const inRange = changes.map((change) => {
        const isCovered = change.afterMs >= range.fromMs && change.byMs <= range.toMs
        return { ...change, isCertain: change.isCertain && isCovered }
      })
      for (const { isCertain, byMs } of inRange) if (isCertain) found.changes.add(event, byMs)
      for (const { isRepair, timeMs } of came) if (!isRepair && isInRange(timeMs)) found.deliveries.add(event, timeMs)
      const about = { event, subject, locationId: locationId ?? came.at(-1)?.locationId ?? onlyLocation }
      for (const finding of match({ changes: inRange, unseen }, came, deliveredToMs)) judge(finding, about)
    }
  }
  const others = [...arrivals.bySubject].filter(
    ([subject, byEvent]) => !subjects.has(subject) && [...byEvent.keys()].some((event) => nothing.has(event)),
  )
  for (const [subject, one] of subjects) {
    matchOne(subject, ...expectedOf(one))
    // Release the matched subject to leave memory for the gaps.
    subjects.delete(subject)
  }
  for (const [subject] of others) matchOne(subject, nothing, null)
}

function timeOf({ change, arrival }: Gap): number {
  return change?.byMs ?? arrival?.timeMs ?? 0
}
