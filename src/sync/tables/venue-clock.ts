import { DAY_MS } from '../../base/time/units.ts'
import { localToInstant } from '../../base/time/zone.ts'
import { instantText } from './values.ts'

const MOST_DAYS = 20_000

/** Converts a venue's local times to instants. Caches the start of each day, because time zone lookups are slow. */
export class VenueClock {
  readonly #zone: string | null
  /** Maps each day to its start, or to `null` if the clocks change on that day. */
  readonly #starts = new Map<string, number | null>()

  /** `zone` is an IANA name, or `null` if the time zone is unknown. */
  constructor(zone: string | null) {
    this.#zone = zone
  }

  /**
   * Returns the instant of a local time in the format `yyyy-MM-ddTHH:mm:ss`. If the time occurs twice, returns the
   * first instant. If the time is skipped, returns the instant of the clock change. If the time zone is unknown,
   * returns `null`.
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
