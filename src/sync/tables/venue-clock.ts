import { DAY_MS } from '../../base/time/units.ts'
import { localToInstant } from '../../base/time/zone.ts'
import { instantText } from './values.ts'

const MOST_DAYS = 20_000

/** A venue's clock. It remembers its days: asking the zone for each time would take longer than all the rest. */
export class VenueClock {
  readonly #zone: string | null
  /** The first instant of a day on which no clock is changed; null: the zone is asked for each time. */
  readonly #starts = new Map<string, number | null>()

  /** `zone`: an IANA name; null when nobody knows it. */
  constructor(zone: string | null) {
    this.#zone = zone
  }

  /**
   * The instant at which the venue's clock shows `yyyy-MM-ddTHH:mm:ss`, as columns hold it; the first of two, and the moment of the
   * change for a time that the clock skips. Null: the zone is not known.
   */
  instantOf(wall: string): string | null {
    if (this.#zone === null) return null
    const date = wall.slice(0, 'yyyy-MM-dd'.length)
    let start = this.#starts.get(date)
    if (start === undefined) {
      start = this.#startOfPlainDay(date)
      if (this.#starts.size >= MOST_DAYS) this.#starts.clear()
      this.#starts.set(date, start)
    }
    if (start === null) return instantText(localToInstant(wall, this.#zone))
    const sinceMidnight =
      Number(wall.slice(11, 13)) * 3600 + Number(wall.slice(14, 16)) * 60 + Number(wall.slice(17, 19))
    return instantText(start + sinceMidnight * 1000)
  }

  #startOfPlainDay(date: string): number | null {
    const start = localToInstant(`${date}T00:00`, this.#zone)
    const last = localToInstant(`${date}T23:59:59`, this.#zone)
    return last - start === DAY_MS - 1000 ? start : null
  }
}
