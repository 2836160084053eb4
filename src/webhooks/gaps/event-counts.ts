import type { WebhookEvent } from '../../contract/events.ts'

const QUARTER_MS = 15 * 60_000

/**
 * Returns the start of the quarter-hour that contains a time, in epoch milliseconds. Quarter-hours start at the same
 * moments in every time zone, because all time zones differ from UTC by a multiple of 15 minutes.
 */
export function startOfQuarter(timeMs: number): number {
  return Math.floor(timeMs / QUARTER_MS) * QUARTER_MS
}

/** Counts events per quarter-hour. With a million changes, storing each one would take too much memory. */
export class EventCounts {
  readonly #byEvent = new Map<WebhookEvent, Map<number, number>>()
  total = 0

  add(event: WebhookEvent, timeMs: number): void {
    const counts = this.#byEvent.get(event) ?? new Map<number, number>()
    const startMs = startOfQuarter(timeMs)
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
