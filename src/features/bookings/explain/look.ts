import { Failure } from '../../../base/failure/failure.ts'
import { DAY_MS } from '../../../base/time/units.ts'
import { dateIn, endOfDay, startOfDay } from '../../../base/time/zone.ts'
import type { Occasion, VenueReader } from './asked.ts'
import { type FreeTable, type ScheduleSeen, scheduleIn, tablesIn } from './venue.ts'

/** How far ahead other times are looked for. */
const DAYS_AHEAD = 7

const NOTHING: ScheduleSeen = { isClosed: false, message: '', offers: [] }

/** Looks at what a venue has around the time of a request; each thing once, and only when it is needed. */
export class Look {
  readonly #reader: VenueReader
  readonly #occasion: Occasion
  readonly #nowMs: number
  readonly #schedules = new Map<string, Promise<ScheduleSeen>>()
  readonly #tables = new Map<string, Promise<readonly FreeTable[]>>()

  constructor(reader: VenueReader, occasion: Occasion, nowMs: number) {
    this.#reader = reader
    this.#occasion = occasion
    this.#nowMs = nowMs
  }

  /** The schedule of the day of the request. */
  day(): Promise<ScheduleSeen> {
    const { atMs, timezone } = this.#occasion
    return this.#schedule('day', startOfDay(atMs, timezone), endOfDay(atMs, timezone))
  }

  /**
   * The schedule of the days from then on; of a time that is past, from today on. It has nothing where the service does not give so
   * many days at once: the verdict needs them not.
   */
  week(): Promise<ScheduleSeen> {
    const { atMs, timezone } = this.#occasion
    const fromMs = startOfDay(Math.max(atMs, this.#nowMs), timezone)
    const read = this.#schedule('week', fromMs, endOfDay(fromMs + DAYS_AHEAD * DAY_MS, timezone))
    return read.catch((error: unknown) => {
      if (error instanceof Failure && error.request !== undefined) return NOTHING
      throw error
    })
  }

  /** The tables that are free for so many minutes: from the time of the request, or from another (epoch milliseconds). */
  free(minutes: number, atMs = this.#occasion.atMs): Promise<readonly FreeTable[]> {
    return this.#tablesAt(atMs, minutes)
  }

  /** Tables that are free for a minute on that day: a table that is taken for most of it is one too. */
  all(): Promise<readonly FreeTable[]> {
    const { atMs, timezone } = this.#occasion
    return this.#tablesAt(dateIn(atMs, timezone), 1)
  }

  #schedule(name: string, fromMs: number, toMs: number): Promise<ScheduleSeen> {
    const { people } = this.#occasion
    const read = async () => scheduleIn(await this.#reader.schedule(fromMs, toMs, people), people)
    const known = this.#schedules.get(name) ?? read()
    this.#schedules.set(name, known)
    return known
  }

  #tablesAt(at: number | string, minutes: number): Promise<readonly FreeTable[]> {
    const key = `${at} ${minutes}`
    const read = async () => tablesIn(await this.#reader.tables(at, minutes))
    const known = this.#tables.get(key) ?? read()
    this.#tables.set(key, known)
    return known
  }
}
