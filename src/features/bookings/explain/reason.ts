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
  /** One sentence without a full stop. */
  readonly message: string
  /** What the service would answer, in its own words; null if that is not documented. */
  readonly answer: string | null
}

/** Something that the service probably accepts, but that a person should look at. */
export interface Doubt {
  readonly code: 'venue-says' | 'section' | 'payment' | 'statuses-unknown'
  readonly message: string
}

export function reason(code: ReasonCode, message: string, answer: string | null): Reason {
  return { code, message, answer }
}

/** Whether another time, service or section may remove the reason. */
export function isCurable({ code }: Reason): boolean {
  return (CURABLE as readonly string[]).includes(code)
}

/** The message of one of the service's refusals. */
export function answerOf(name: keyof typeof reservationFailures, values: Parameters<typeof fillMessage>[1] = {}) {
  return fillMessage(reservationFailures[name], values)
}

/** `Fri 2026-11-20 19:05`, on the clocks of the zone. Null is UTC. */
export function whenText(atMs: number, timezone: string | null): string {
  const text = formatInZone(atMs, timezone).slice(0, 16)
  return `${WEEKDAYS[new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDay()]} ${text}`
}

/** Whether names are looked up. A function is called with each name and what it was found to be. */
export type LooksUp = boolean | ((flag: string, typed: string, found: Named) => void)

/** Finds one by its ID or name; null if there is none. Fails: USAGE for an ambiguous name, if names are looked up. */
export function findMeant<N extends Named>(typed: string, flag: string, all: readonly N[], looksUp: LooksUp) {
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
