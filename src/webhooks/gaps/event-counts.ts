import type { WebhookEvent } from '../../contract/events.ts'

/** All time zones differ from UTC by whole quarters. */
const QUARTER_MS = 15 * 60_000

/** Counts events by quarter of an hour, so that a million changes need no memory each. */
export class EventCounts {
  readonly #byEvent = new Map<WebhookEvent, Map<number, number>>()
  total = 0

  add(event: WebhookEvent, timeMs: number): void {
    const counts = this.#byEvent.get(event) ?? new Map<number, number>()
    const startMs = Math.floor(timeMs / QUARTER_MS) * QUARTER_MS
    this.#byEvent.set(event, counts.set(startMs, (counts.get(startMs) ?? 0) + 1))
    this.total++
  }

  has(event: WebhookEvent): boolean {
    return this.#byEvent.has(event)
  }

  *entries(): Generator<{ readonly event: WebhookEvent; readonly timeMs: number; readonly count: number }> {
    for (const [event, counts] of this.#byEvent) for (const [timeMs, count] of counts) yield { event, timeMs, count }
  }
}
