import { DAY_MS } from '../../base/time/units.ts'
import { localToInstant } from '../../base/time/zone.ts'
import { instantText } from './values.ts'

const MOST_DAYS = 20_000

/**
 * Converts a venue's local times to instants. Caches days, because time zone lookups would otherwise take most of the
 * time.
 */
export class VenueClock {
  readonly #zone: string | null
  /** The start of each day without a clock change, or `null` for a day with one. */
  readonly #starts = new Map<string, number | null>()

  /** `zone`: an IANA name, or `null` if unknown. */
  constructor(zone: string | null) {
    this.#zone = zone
  }

  /**
   * Returns the instant of `yyyy-MM-ddTHH:mm:ss` (the first of two for a repeated time; the clock change for a skipped
   * one); `null` without a zone.
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
