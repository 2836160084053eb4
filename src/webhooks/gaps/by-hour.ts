import { startOfHour } from '../../base/time/zone.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/events.ts'
import type { Comparison, GapClass } from './compare.ts'
import { startOfQuarter } from './event-counts.ts'

/** How many changes, deliveries and gaps one event had in one hour. */
export interface HourOfEvent extends Record<GapClass, number> {
  /** The start of the hour, in epoch milliseconds. */
  readonly hourMs: number
  readonly event: WebhookEvent
  /** How many changes should have triggered the event. */
  changes: number
  deliveries: number
}

/**
 * Counts changes, deliveries and gaps by event and by hour. Hours are in the given time zone, or in UTC if it is
 * `null`. A change counts in the hour when it happened, and a delivery in the hour when it arrived.
 */
export function countByHour({ changes, deliveries, gaps }: Comparison, zone: string | null): HourOfEvent[] {
  const hours = new Map<string, HourOfEvent>()
  const starts = new Map<number, number>()
  const at = (event: WebhookEvent, timeMs: number): HourOfEvent => {
    const quarterMs = startOfQuarter(timeMs)
    const hourMs = starts.get(quarterMs) ?? startOfHour(quarterMs, zone)
    starts.set(quarterMs, hourMs)
    const key = `${hourMs} ${event}`
    const hour = hours.get(key) ?? { ...{ hourMs, event, changes: 0, deliveries: 0 }, ...NONE }
    hours.set(key, hour)
    return hour
  }
  for (const { event, timeMs, count } of changes.entries()) at(event, timeMs).changes += count
  for (const { event, timeMs, count } of deliveries.entries()) at(event, timeMs).deliveries += count
  for (const { class: found, event, change, arrival } of gaps) at(event, change?.byMs ?? arrival?.timeMs ?? 0)[found]++
  return [...hours.values()].sort(
    (a, b) => a.hourMs - b.hourMs || WEBHOOK_EVENTS.indexOf(a.event) - WEBHOOK_EVENTS.indexOf(b.event),
  )
}

const NONE = { missing: 0, extra: 0, late: 0, duplicate: 0 } as const

/** Counts gaps by class. */
export function countByClass({ gaps }: Pick<Comparison, 'gaps'>): Record<GapClass, number> {
  const counts: Record<GapClass, number> = { ...NONE }
  for (const gap of gaps) counts[gap.class]++
  return counts
}

/** Formats the counts for one hour as a line of JSON. */
export function hourLine({ hourMs, ...counts }: HourOfEvent): string {
  return JSON.stringify({ hour: new Date(hourMs).toISOString(), ...counts })
}
