import { type Html, html } from '../../../base/html.ts'
import { MONTHS, WEEKDAYS } from '../../../base/time/calendar.ts'
import { DAY, type LocalMs } from '../../../sandbox/venue/time.ts'
import type { Zone } from '../../../sandbox/venue/zone.ts'

/** Formats a day (in days since 1970) as `2026-12-18`. */
export function dayText(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 'yyyy-MM-dd'.length)
}

/** Formats a day (in days since 1970) as `Fri 18 Dec 2026`. */
export function dayWords(day: number): string {
  const date = new Date(day * DAY)
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** Formats a local time as `18:05`. */
export function clockText(local: LocalMs): string {
  return new Date(local).toISOString().slice('yyyy-MM-ddT'.length, 'yyyy-MM-ddTHH:mm'.length)
}

/** Renders an instant in the venue's local time, such as `Fri 18 Dec 2026 18:05:30`. */
export function timeOf(instant: number, zone: Zone): Html {
  const local = zone.toLocal(instant)
  const time = new Date(local).toISOString().slice('yyyy-MM-ddT'.length, 'yyyy-MM-ddTHH:mm:ss'.length)
  return html`<time datetime="${new Date(instant).toISOString()}">${dayWords(Math.floor(local / DAY))} ${time}</time>`
}

/** Renders an ISO 8601 string in the same way as {@link timeOf}. Leaves any other string unchanged. */
export function timeOfText(text: string, zone: Zone): Html {
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? html`${text}` : timeOf(instant, zone)
}
