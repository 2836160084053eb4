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
  /** The reason in partner's own words: one sentence without a full stop. */
  readonly message: string
  /** The service's documented message for this reason; `null` if no message is documented. */
  readonly answer: string | null
}

/** A detail that the user should check. The service probably accepts the reservation anyway. */
export interface Doubt {
  readonly code: 'venue-says' | 'section' | 'payment' | 'statuses-unknown'
  readonly message: string
}

export function reason(code: ReasonCode, message: string, answer: string | null): Reason {
  return { code, message, answer }
}

/** Returns whether the reservation might be possible at a different time, or with a different service or section. */
export function isCurable({ code }: Reason): boolean {
  return (CURABLE as readonly string[]).includes(code)
}

/** Returns the service's documented message for a rejection. */
export function serviceMessage(name: keyof typeof reservationFailures, values: Parameters<typeof fillMessage>[1] = {}) {
  return fillMessage(reservationFailures[name], values)
}

/** Formats an instant in a time zone, or in UTC if the zone is `null`. Example: `Fri 2026-11-20 19:05`. */
export function formatWhen(atMs: number, timezone: string | null): string {
  const text = formatInZone(atMs, timezone).slice(0, 16)
  return `${WEEKDAYS[new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDay()]} ${text}`
}

/** Whether to look up names. A function counts as `true` and is called for each name that is found. */
export type NameLookup = boolean | ((flag: string, typed: string, found: Named) => void)

/**
 * Finds an item by ID or name. Returns `null` if there is none. Throws USAGE if a name is ambiguous.
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
