import { startOfHour } from '../../base/time/zone.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/events.ts'
import type { Comparison, Counted, GapClass } from './compare.ts'

/** What happened of one event within an hour. */
export interface HourOfEvent extends Record<GapClass, number> {
  /** When the hour begins, epoch milliseconds. */
  readonly hourMs: number
  readonly event: WebhookEvent
  /** Changes that must have caused it, and deliveries of it. */
  changes: number
  deliveries: number
}

/**
 * Counts by the hours of a zone (null: UTC) and by event, in order: changes, and those that are missing or late, in the hour of the
 * change; deliveries, and those that are extra or duplicates, in the hour in which they came.
 */
export function countByHour({ changes, deliveries, gaps }: Comparison, zone: string | null): HourOfEvent[] {
  const hours = new Map<string, HourOfEvent>()
  const at = ({ event, timeMs }: Counted): HourOfEvent => {
    const hourMs = startOfHour(timeMs, zone)
    const key = `${hourMs} ${event}`
    const hour = hours.get(key) ?? { ...{ hourMs, event, changes: 0, deliveries: 0 }, ...NONE }
    hours.set(key, hour)
    return hour
  }
  for (const change of changes) at(change).changes++
  for (const delivery of deliveries) at(delivery).deliveries++
  for (const { class: found, event, change, arrival } of gaps)
    at({ event, timeMs: change?.byMs ?? arrival?.timeMs ?? 0 })[found]++
  return [...hours.values()].sort(
    (a, b) => a.hourMs - b.hourMs || WEBHOOK_EVENTS.indexOf(a.event) - WEBHOOK_EVENTS.indexOf(b.event),
  )
}

const NONE = { missing: 0, extra: 0, late: 0, duplicate: 0 } as const

/** How many of each class there are. */
export function countByClass({ gaps }: Pick<Comparison, 'gaps'>): Record<GapClass, number> {
  const counts: Record<GapClass, number> = { ...NONE }
  for (const gap of gaps) counts[gap.class]++
  return counts
}

/** The counts of an hour, as a line of JSON. */
export function hourLine({ hourMs, ...counts }: HourOfEvent): string {
  return JSON.stringify({ hour: new Date(hourMs).toISOString(), ...counts })
}
