import { offsetAt } from '../../base/time/zone.ts'
import { DAY, HOUR, type LocalMs } from './time.ts'

/** Converts between instants and a venue's local time. */
export interface Zone {
  /** Its IANA name. */
  readonly name: string
  /** Converts an instant (milliseconds since 1970) to local time. */
  toLocal(instant: number): LocalMs
  /** Converts local time to an instant: the first of two, or the one after a gap. */
  toInstant(local: LocalMs): number
}

const STANDARD = 10 * HOUR
const SUMMER = 11 * HOUR

/** The usual venue's zone. Its rule is written out, as loading the time zone database takes longer than a start. */
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

/** When Sydney changes its clocks in a month (0 to 11): 16:00 UTC on the day before its first Sunday. */
function clockChange(year: number, month: number): number {
  const first = Date.UTC(year, month, 1)
  const toSunday = (7 - new Date(first).getUTCDay()) % 7
  return first + toSunday * DAY - 8 * HOUR
}

/** The zone of an IANA name. Fails: USAGE on first conversion, when this machine does not know the name. */
export function zoneNamed(name: string): Zone {
  if (name === SYDNEY.name) return SYDNEY
  return {
    name,
    toLocal: (instant) => instant + offsetAt(instant, name),
    toInstant: (local) => {
      // No zone is a day from UTC, so these are the offsets around any change near the time.
      const [before, after] = [offsetAt(local - DAY, name), offsetAt(local + DAY, name)]
      return [local - before, local - after].find((at) => at + offsetAt(at, name) === local) ?? local - before
    },
  }
}
