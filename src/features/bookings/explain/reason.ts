import { counted } from '../../../base/counted.ts'
import { WEEKDAYS } from '../../../base/time/calendar.ts'
import { formatInZone } from '../../../base/time/zone.ts'
import type { reservationFailures } from '../../../contract/bookings/reservations.ts'
import { reservationFailures as FAILURES } from '../../../contract/bookings/reservations.ts'
import { fillMessage } from '../../../contract/endpoint.ts'

/** Why a reservation would be refused: what is wrong, not how the service says it. */
export type ReasonCode =
  | 'people-missing'
  | 'number-invalid'
  | 'service-missing'
  | 'section-missing'
  | 'customer-incomplete'
  | 'time-invalid'
  | 'status-unknown'
  | 'venue-closed'
  | 'service-name'
  | 'service-not-that-day'
  | 'service-unknown'
  | 'time-past'
  | 'time-outside-service'
  | 'time-off-grid'
  | 'party-too-large'
  | 'party-too-small'
  | 'full'
  | 'section-name'
  | 'section-unknown'
  | 'section-closed'
  | 'table-name'
  | 'table-unknown'
  | 'table-twice'
  | 'table-elsewhere'
  | 'table-walk-ins-only'
  | 'tables-unfit'
  | 'table-taken'

/** One reason. */
export interface Reason {
  readonly code: ReasonCode
  /** One sentence without a full stop. */
  readonly message: string
  /** What the service would answer because of it, in its own words; null: not documented. */
  readonly answer: string | null
}

/** Something that the service accepts, as far as is known, and a person should look at. */
export interface Doubt {
  readonly code: 'venue-says' | 'section' | 'payment' | 'statuses-unknown'
  readonly message: string
}

/** What the service says for one of its refusals. */
export function answerOf(
  name: keyof typeof reservationFailures,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fillMessage(FAILURES[name], values)
}

/** `Fri 2026-11-20 19:05`, on the clocks of the zone. Null is UTC. */
export function whenText(atMs: number, timezone: string | null): string {
  const text = formatInZone(atMs, timezone).slice(0, 16)
  return `${WEEKDAYS[new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDay()]} ${text}`
}

/** `19:05`, likewise. */
export function clockText(atMs: number, timezone: string | null): string {
  return formatInZone(atMs, timezone).slice(11, 16)
}

/** `1 person`, `4 people`. */
export function partyText(people: number): string {
  return counted(people, 'person', 'people')
}
