import { WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/events.ts'
import { readEvent } from '../events/read-event.ts'
import type { Arrival } from './arrival.ts'
import type { KeptDelivery } from './source.ts'

/** The header that marks a delivery that a repair sent, in lower case. Its value is 1. */
export const REPAIR_HEADER = 'x-partner-repair'

/** A delivery, and the venue that it names; null: none. */
export interface ReadArrival extends Arrival {
  readonly locationId: string | null
}

/** The deliveries of some events, by booking or card, and then by event, each list in order of time. */
export class Arrivals {
  readonly #bySubject = new Map<string, Map<WebhookEvent, ReadArrival[]>>()
  #firstMs = Number.POSITIVE_INFINITY
  #lastMs = Number.NEGATIVE_INFINITY
  #unreadable = 0

  /** Reads deliveries of these events. Fails: as the source does. */
  static async read(
    source: AsyncIterable<readonly KeptDelivery[]>,
    events: ReadonlySet<WebhookEvent>,
    signal: AbortSignal,
  ): Promise<Arrivals> {
    const arrivals = new Arrivals()
    for await (const batch of source) {
      signal.throwIfAborted()
      for (const delivery of batch) arrivals.#take(delivery, events)
    }
    for (const byEvent of arrivals.#bySubject.values())
      for (const list of byEvent.values()) list.sort((a, b) => a.timeMs - b.timeMs || a.line - b.line)
    return arrivals
  }

  /** When the first delivery of all came, whatever its event; null: none did. */
  get firstMs(): number | null {
    return Number.isFinite(this.#firstMs) ? this.#firstMs : null
  }

  /** When the last came, likewise. */
  get lastMs(): number | null {
    return Number.isFinite(this.#lastMs) ? this.#lastMs : null
  }

  /** How many were of no event that is known, or named nothing that it is about. */
  get unreadable(): number {
    return this.#unreadable
  }

  /** The bookings and cards that deliveries named. */
  get subjects(): Iterable<string> {
    return this.#bySubject.keys()
  }

  has(subject: string): boolean {
    return this.#bySubject.has(subject)
  }

  of(subject: string, event: WebhookEvent): readonly ReadArrival[] {
    return this.#bySubject.get(subject)?.get(event) ?? []
  }

  #take({ timeMs, headers, body, line }: KeptDelivery, events: ReadonlySet<WebhookEvent>): void {
    this.#firstMs = Math.min(this.#firstMs, timeMs)
    this.#lastMs = Math.max(this.#lastMs, timeMs)
    const read = readEvent(body)
    const event = WEBHOOK_EVENTS.find((known) => known === read?.event)
    if (read?.subject == null || event === undefined) {
      this.#unreadable++
      return
    }
    if (!events.has(event)) return
    const isRepair = headers[REPAIR_HEADER] === '1'
    const byEvent = this.#bySubject.get(read.subject) ?? new Map<WebhookEvent, ReadArrival[]>()
    this.#bySubject.set(read.subject, byEvent)
    const list = byEvent.get(event) ?? []
    byEvent.set(event, list)
    list.push({ timeMs, line, isRepair, locationId: read.locationId })
  }
}
