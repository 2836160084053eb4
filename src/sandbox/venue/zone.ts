import { offsetAt } from '../../base/time/zone.ts'
import { DAY, HOUR, type LocalMs } from './time.ts'

/** Converts between instants and a venue's local time. */
export interface Zone {
  /** The IANA name of the time zone. */
  readonly name: string
  /** Converts an instant, in milliseconds since 1970, to local time. */
  toLocal(instant: number): LocalMs
  /**
   * Converts local time to an instant. If the local time occurs twice, returns the first instant. If clocks skip it,
   * returns an instant after the gap.
   */
  toInstant(local: LocalMs): number
}

const STANDARD = 10 * HOUR
const SUMMER = 11 * HOUR

/**
 * The default venue's time zone. Its rules are hard-coded, because loading the time zone database takes longer than
 * starting partner.
 */
export const SYDNEY: Zone = {
  name: 'Australia/Sydney',
  toLocal: (instant) => instant + sydneyOffset(instant),
  toInstant: (local) => {
    const summer = local - SUMMER
    return sydneyOffset(summer) === SUMMER ? summer : local - STANDARD
  },
}

function sydneyOffset(instant: number): number {
  const year = new Date(instant + STANDARD).getUTCFullYear()
  return instant < clockChange(year, 3) || instant >= clockChange(year, 9) ? SUMMER : STANDARD
}

/**
 * Returns the instant at which clocks in Sydney change in a given month (0 to 11): 16:00 UTC on the day before the
 * month's first Sunday.
 */
function clockChange(year: number, month: number): number {
  const first = Date.UTC(year, month, 1)
  const toSunday = (7 - new Date(first).getUTCDay()) % 7
  return first + toSunday * DAY - 8 * HOUR
}

/**
 * Returns the time zone with an IANA name. If this machine does not have that zone, the first conversion throws USAGE.
 */
export function getZone(name: string): Zone {
  if (name === SYDNEY.name) return SYDNEY
  return {
    name,
    toLocal: (instant) => instant + offsetAt(instant, name),
    toInstant: (local) => {
      // The instant is less than 24 hours from `local` read as UTC, so these are the offsets before and after any clock
      // change.
      const [before, after] = [offsetAt(local - DAY, name), offsetAt(local + DAY, name)]
      return [local - before, local - after].find((at) => at + offsetAt(at, name) === local) ?? local - before
    },
  }
}
