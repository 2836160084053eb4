import { type Failure, usageFailure } from '../../base/failure/failure.ts'
import { suggest } from '../../base/failure/suggested.ts'
import { toWireTime } from '../../base/time/instant.ts'
import { subjectKindOf, type WebhookEvent } from '../../contract/events.ts'
import type { CopyToRead } from '../../sync/open-target.ts'
import { Arrivals, type ReadArrival } from './arrivals.ts'
import { type Change, type Expected, type ExpectedEvents, eventsOfBooking, eventsOfCard, type Span } from './change.ts'
import { type Finding, LATE_AFTER_MS, match } from './match.ts'
import { knownSpan, readBookings, readCards } from './seen.ts'
import type { KeptDelivery } from './source.ts'

/** What is compared. Times in epoch milliseconds; null: as far as both go. */
export interface Compared {
  readonly deliveries: AsyncIterable<readonly KeptDelivery[]>
  /** A copy of bookings, and its source. */
  readonly bookings: CopyToRead
  readonly source: string
  /** The same copy, where it has gift cards; null: it can have none. */
  readonly cards: CopyToRead | null
  readonly events: ReadonlySet<WebhookEvent>
  readonly sinceMs: number | null
  readonly untilMs: number | null
  readonly signal: AbortSignal
}

/** What is wrong with a change, or with a delivery. */
export type GapClass = 'missing' | 'extra' | 'late' | 'duplicate'

/** A change or a delivery that is not as it should be; one of the two may be null. */
export interface Gap {
  readonly class: GapClass
  readonly event: WebhookEvent
  readonly subject: string
  /** The venue, where somebody names it. */
  readonly locationId: string | null
  readonly change: Change | null
  readonly arrival: Pick<ReadArrival, 'timeMs' | 'line'> | null
}

/** A change that must have caused an event, or a delivery, for the count by hours. Epoch milliseconds. */
export interface Counted {
  readonly event: WebhookEvent
  readonly timeMs: number
}

/** What was found. */
export interface Comparison {
  /** In order of time. */
  readonly gaps: readonly Gap[]
  readonly changes: readonly Counted[]
  readonly deliveries: readonly Counted[]
  /** Changes without an event, and events without a change, that are too young to tell. */
  readonly pendingChanges: number
  readonly pendingEvents: number
  /** Of which time bookings and cards were compared; null: they were not. */
  readonly bookings: Span | null
  readonly cards: Span | null
  /** How many snapshots of the cards there are for it. */
  readonly snapshots: number
  /** Deliveries of no known event, and of venues that the copy does not have. */
  readonly unreadable: number
  readonly elsewhere: number
}

/** Compares what was delivered with what a sync saw change. Fails: USAGE when there is nothing to compare; as both sources. */
export async function compare(asked: Compared): Promise<Comparison> {
  const { bookings, events, signal, source } = asked
  const kinds = new Set([...events].map(subjectKindOf))
  const known = kinds.has('booking') ? await knownSpan(bookings, source) : null
  const arrivals = await Arrivals.read(asked.deliveries, events, signal)
  const sinceMs = asked.sinceMs ?? arrivals.firstMs
  if (sinceMs === null)
    throw usageFailure(['the journal has no deliveries yet'], 'say from when on they should be there: --since TIME')
  const range = { fromMs: sinceMs, toMs: asked.untilMs ?? Number.POSITIVE_INFINITY }
  if (known !== null && overlap(range, known).fromMs > overlap(range, known).toMs)
    throw apartFailure(asked, range, known)
  const collector = new Collector(events, arrivals)
  if (known !== null) {
    const seen = await readBookings(bookings, sinceMs - LOOK_BACK_MS, (id) => arrivals.has(id), signal)
    collector.begin(known, overlap(range, known), seen.locations)
    for (const [id, booking] of seen.byId) collector.take(id, eventsOfBooking(booking), booking.locationId)
    collector.takeUnknown('booking', eventsOfBooking({ bookedMs: null, versionsMs: [] }))
  }
  const cards = kinds.has('card') && asked.cards ? await readCards(asked.cards, range) : null
  if (cards?.range) {
    collector.begin(cards.known, cards.range)
    for (const [number, changes] of cards.byNumber) collector.take(number, eventsOfCard(changes), null)
    collector.takeUnknown('card', eventsOfCard([]))
  } else if (known === null) throw noSnapshotsFailure()
  return {
    ...collector.result(),
    bookings: known && overlap(range, known),
    cards: cards?.range ?? null,
    snapshots: cards?.snapshots ?? 0,
    unreadable: arrivals.unreadable,
  }
}

function overlap(one: Span, other: Span): Span {
  return { fromMs: Math.max(one.fromMs, other.fromMs), toMs: Math.min(one.toMs, other.toMs) }
}

function apartFailure({ bookings: { name } }: Compared, range: Span, known: Span): Failure {
  const isBehind = range.fromMs > known.toMs
  const what = isBehind ? `goes up to ${toWireTime(known.toMs)}` : `begins with ${toWireTime(known.fromMs)}`
  const asked = isBehind ? `begins at ${toWireTime(range.fromMs)}` : `ends at ${toWireTime(range.toMs)}`
  return usageFailure(
    [`there is nothing to compare: ${name} ${what}, and what is compared ${asked}`],
    isBehind ? `bring it up to date: ${suggest`bookings sync --to ${name}`}` : 'name a later time with --until',
  )
}

function noSnapshotsFailure(): Failure {
  return usageFailure(
    ['gift cards cannot be compared: it takes two dated snapshots of them in the time that is compared'],
    'keep them in a database, which gets one with each run of: partner giftcards sync --to venue.db',
  )
}

/** A delivery may come so much later than its change. Milliseconds. */
const LOOK_BACK_MS = 48 * 3_600_000

/** Takes what is expected of each booking and card, and gathers what is not so. */
class Collector {
  readonly #events: ReadonlySet<WebhookEvent>
  readonly #arrivals: Arrivals
  readonly #gaps: Gap[] = []
  readonly #changes: Counted[] = []
  readonly #deliveries: Counted[] = []
  readonly #taken = new Set<string>()
  #range: Span = { fromMs: 0, toMs: 0 }
  #known: Span = this.#range
  /** What was delivered by then is in the journal, which was read later. */
  #deliveredToMs: number
  #locations: ReadonlySet<string> = new Set()
  #pendingChanges = 0
  #pendingEvents = 0
  #elsewhere = 0

  constructor(events: ReadonlySet<WebhookEvent>, arrivals: Arrivals) {
    this.#events = events
    this.#arrivals = arrivals
    this.#deliveredToMs = arrivals.lastMs ?? Number.NEGATIVE_INFINITY
  }

  /** Begins with bookings, or with cards: of which time changes are known, and which is compared. */
  begin(known: Span, range: Span, locations: ReadonlySet<string> = this.#locations): void {
    this.#known = known
    this.#deliveredToMs = Math.max(this.#deliveredToMs, known.toMs)
    this.#range = range
    this.#locations = locations
  }

  take(subject: string, expected: ExpectedEvents, locationId: string | null): void {
    this.#taken.add(subject)
    for (const [event, ofEvent] of expected)
      if (this.#events.has(event)) this.#match(event, subject, ofEvent, locationId)
  }

  /** Takes the deliveries of bookings, or of cards, that the copy does not have. */
  takeUnknown(kind: 'booking' | 'card', nothing: ExpectedEvents): void {
    const events = [...nothing.keys()].filter((event) => subjectKindOf(event) === kind)
    for (const subject of this.#arrivals.subjects) {
      const isOfKind = events.some((event) => this.#arrivals.of(subject, event).length > 0)
      if (isOfKind && !this.#taken.has(subject)) this.take(subject, nothing, null)
    }
  }

  result() {
    const gaps = this.#gaps.toSorted((a, b) => timeOf(a) - timeOf(b))
    return {
      ...{ gaps, changes: this.#changes, deliveries: this.#deliveries },
      ...{ pendingChanges: this.#pendingChanges, pendingEvents: this.#pendingEvents, elsewhere: this.#elsewhere },
    }
  }

  #match(event: WebhookEvent, subject: string, { changes, unseen }: Expected, locationId: string | null): void {
    const arrivals = this.#arrivals.of(subject, event).filter((arrival) => this.#isHere(arrival))
    const inRange = changes.map((change) => ({ ...change, isCertain: change.isCertain && this.#covers(change) }))
    for (const { isCertain, byMs } of inRange) if (isCertain) this.#changes.push({ event, timeMs: byMs })
    for (const { isRepair, timeMs } of arrivals)
      if (!isRepair && this.#has(timeMs)) this.#deliveries.push({ event, timeMs })
    for (const finding of match({ changes: inRange, unseen }, arrivals, this.#deliveredToMs))
      this.#take(finding, event, subject, locationId ?? arrivals.at(-1)?.locationId ?? this.#onlyLocation())
  }

  #take(finding: Finding, event: WebhookEvent, subject: string, locationId: string | null): void {
    const change = 'change' in finding ? finding.change : null
    const arrival = 'arrival' in finding ? finding.arrival : null
    if (finding.class === 'pending') this.#pendingChanges++
    else if (change !== null ? !change.isCertain : !this.#has(arrival?.timeMs ?? 0)) return
    else if (finding.class === 'extra' && !this.#isSettled(finding.arrival.timeMs)) this.#pendingEvents++
    else this.#gaps.push({ class: finding.class, event, subject, locationId, change, arrival })
  }

  #isHere({ locationId, timeMs }: ReadArrival): boolean {
    const isHere = locationId === null || this.#locations.size === 0 || this.#locations.has(locationId)
    if (!isHere && this.#has(timeMs)) this.#elsewhere++
    return isHere
  }

  /** The venue of all bookings, where there is one. */
  #onlyLocation(): string | null {
    const [first, ...others] = this.#locations
    return first !== undefined && others.length === 0 ? first : null
  }

  #has(timeMs: number): boolean {
    return timeMs >= this.#range.fromMs && timeMs <= this.#range.toMs
  }

  #covers({ afterMs, byMs }: Change): boolean {
    return afterMs >= this.#range.fromMs && byMs <= this.#range.toMs
  }

  /** Whether the change that an event came of must be known by now, and was not before all that is known. */
  #isSettled(timeMs: number): boolean {
    return timeMs >= this.#known.fromMs + LATE_AFTER_MS && timeMs <= this.#known.toMs - LATE_AFTER_MS
  }
}

function timeOf({ change, arrival }: Gap): number {
  return change?.byMs ?? arrival?.timeMs ?? 0
}
