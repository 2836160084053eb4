import type { HourOfEvent } from './by-hour.ts'
import type { Gap } from './compare.ts'
import { isRepaired, type Repaired } from './repair.ts'

/** A gap as a line of JSON: `{class, event, subject, changedAfter, changed, delivered, lateSeconds, line, repaired, answer}`. */
export function gapLine({ class: found, event, subject, change, arrival }: Gap, became: Repaired | null): string {
  return JSON.stringify({
    class: found,
    event,
    subject,
    // Of a card, it is known between which snapshots it changed.
    changedAfter: change !== null && change.afterMs < change.byMs ? iso(change.afterMs) : null,
    changed: change && iso(change.byMs),
    delivered: arrival && iso(arrival.timeMs),
    lateSeconds: found === 'late' && change && arrival ? Math.round((arrival.timeMs - change.byMs) / 1000) : null,
    line: arrival?.line ?? null,
    repaired: became === null ? null : isRepaired(became),
    answer: became === null ? null : answerOf(became),
  })
}

/** What happened of an event within an hour, as a line of JSON. */
export function hourLine({ hourMs, ...counts }: HourOfEvent): string {
  return JSON.stringify({ hour: iso(hourMs), ...counts })
}

function answerOf(became: Repaired): string | number {
  if (became === 'stopped') return 'not sent'
  return became.status ?? became.error ?? 'no answer'
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
