import { WEEKDAYS } from '../../../base/time/calendar.ts'
import { formatInZone } from '../../../base/time/zone.ts'
import { findNamed, type Named } from '../../../client/named.ts'
import { reservationFailures } from '../../../contract/bookings/reservations.ts'
import { fillMessage } from '../../../contract/endpoint.ts'

const CURABLE = [
  'venue-closed',
  'service-not-that-day',
  'service-unknown',
  'time-past',
  'time-outside-service',
  'time-off-grid',
  'party-too-large',
  'party-too-small',
  'full',
  'section-unknown',
  'section-closed',
  'table-taken',
] as const

type ReasonCode =
  | (typeof CURABLE)[number]
  | `${'people' | 'service' | 'section'}-missing`
  | `${'number' | 'time'}-invalid`
  | `${'service' | 'section' | 'table'}-name`
  | `table-${'unknown' | 'twice' | 'elsewhere' | 'walk-ins-only'}`
  | 'customer-incomplete'
  | 'status-unknown'
  | 'tables-unfit'

export interface Reason {
  readonly code: ReasonCode
  /** The reason in our own words: one sentence without a full stop. */
  readonly message: string
  /** The service's documented message for this reason; `null` if it is not documented. */
  readonly answer: string | null
}

/** A concern about a reservation that the service probably accepts but a user should check. */
export interface Doubt {
  readonly code: 'venue-says' | 'section' | 'payment' | 'statuses-unknown'
  readonly message: string
}

export function reason(code: ReasonCode, message: string, answer: string | null): Reason {
  return { code, message, answer }
}

/** Whether the reason may not apply at another time or to another service or section. */
export function isCurable({ code }: Reason): boolean {
  return (CURABLE as readonly string[]).includes(code)
}

/** Returns the service's message for one of the documented refusals. */
export function serviceMessage(name: keyof typeof reservationFailures, values: Parameters<typeof fillMessage>[1] = {}) {
  return fillMessage(reservationFailures[name], values)
}

/** Formats an instant in a time zone, `null` for UTC: `Fri 2026-11-20 19:05`. */
export function formatWhen(atMs: number, timezone: string | null): string {
  const text = formatInZone(atMs, timezone).slice(0, 16)
  return `${WEEKDAYS[new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDay()]} ${text}`
}

/** Whether names are looked up. If it is a function, it is called with each name and what was found for it. */
export type NameLookup = boolean | ((flag: string, typed: string, found: Named) => void)

/**
 * Finds an item by its ID or name; returns `null` if there is none.
 * Throws USAGE for an ambiguous name, if names are looked up.
 */
export function findByIdOrName<N extends Named>(typed: string, flag: string, all: readonly N[], looksUp: NameLookup) {
  const exact = all.find(({ id }) => id === typed)
  if (exact) return { found: exact, isName: false }
  try {
    const found = findNamed(typed, flag, all)
    if (found && typeof looksUp === 'function') looksUp(flag, typed, found)
    return found && { found, isName: true }
  } catch (error) {
    if (looksUp) throw error
    return null
  }
}
