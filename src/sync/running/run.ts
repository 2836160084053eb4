import { Failure } from '../../base/failure/failure.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { toWireTime } from '../../base/time/instant.ts'
import { DAY_MS } from '../../base/time/units.ts'
import type { TimeRange } from '../../base/time/window.ts'
import { pause } from '../../http/client/retry.ts'
import { type Copy, type Counts, NO_COUNTS, type NotStored, plus, Rewound } from '../copy.ts'
import { type Reading, readWindow, type WindowEnd } from '../reading/read-window.ts'
import { type ExtraParameters, type Memo, parseMemo } from './memo.ts'
import { notStoredText } from './not-stored.ts'
import { FIRST_CHANGE_MS, FIRST_WINDOW_MS, nextWindowMs } from './windows.ts'

export interface RunParts {
  readonly reading: Reading
  /** How many milliseconds before the cursor the run starts reading. */
  readonly overlapMs: number
  /** The first sync reads only changes since this time, in epoch milliseconds. `null` to read all changes. */
  readonly sinceMs: number | null
  readonly now: () => number
  /** When the command started, on the monotonic clock. The copy must contain every change made before then. */
  readonly beganAtMs: number
  readonly signal: AbortSignal
  readonly say: (line: string) => Promise<void>
  readonly onMany?: () => Promise<void>
}

const MANY = 2000

export interface RunResult extends Counts {
  /** The range from the start of the first window to the end of the last, or `null` if everything was read. */
  readonly range: TimeRange | null
  readonly requests: number
  readonly notStored: readonly NotStored[]
}

/**
 * The copy counts as up to date if its last window ends at most this many milliseconds before the service's current
 * time.
 */
const TOLERANCE_MS = 2000
const SECOND_MS = 1000
const LONG_AGO_MS = Date.UTC(2020, 0, 1)
/** The minimum period to read again if the service's clock was set back by an unknown amount. */
const LOOK_BACK_MS = 7 * DAY_MS

/** Updates a copy and commits after each window. Throws Interrupted, or an error from the copy or from `readWindow`. */
export async function runOnce(copy: Copy, parts: RunParts): Promise<RunResult> {
  const run = new Run(copy, parts)
  for (;;) {
    try {
      return await (parts.reading.resource.windowQuery === null ? run.everything() : run.windows())
    } catch (error) {
      if (!(error instanceof Rewound)) throw run.explain(error)
    }
  }
}

class Run {
  readonly #copy: Copy
  readonly #parts: RunParts
  #memo: Memo = {}
  #beganMs: number | undefined
  #counts = NO_COUNTS
  #requests = 0
  /**
   * The records that could not be stored. They are keyed by ID, because the next window may read the same records
   * again.
   */
  readonly #notStored = new Map<string, NotStored>()
  #startedMs: number | null = null

  constructor(copy: Copy, parts: RunParts) {
    this.#copy = copy
    this.#parts = parts
  }

  async everything(): Promise<RunResult> {
    const { askedAt } = await this.#read(null)
    // The service's dates have a resolution of one second. If two reads start within the same second, the second one
    // must still advance the cursor.
    const nextMs = Math.min((this.#copy.cursorMs ?? 0) + 1, askedAt.latestMs)
    await this.#commit(Math.max(askedAt.earliestMs, nextMs), {}, true)
    return this.#result(null)
  }

  async windows(): Promise<RunResult> {
    const { overlapMs, sinceMs, reading } = this.#parts
    await this.#waitForNextSecond()
    const { cursorMs, memo } = this.#copy
    this.#memo = parseMemo(memo)
    this.#beganMs = cursorMs === null ? (sinceMs ?? FIRST_CHANGE_MS) : this.#memo.sinceMs
    if (this.#memo.aheadMs !== undefined) reading.clock.expect(this.#memo.aheadMs)
    let lengthMs = this.#memo.windowMs ?? FIRST_WINDOW_MS
    let readToMs = Math.min(cursorMs ?? sinceMs ?? FIRST_CHANGE_MS, this.#memo.readToMs ?? Number.POSITIVE_INFINITY)
    let fromMs = cursorMs === null ? readToMs : readToMs - overlapMs
    const firstMs = fromMs
    let isFirst = true
    for (;;) {
      const shownMs = reading.clock.shownMs ?? Number.POSITIVE_INFINITY
      const toMs = Math.min(readToMs + lengthMs, Math.max(this.#presentMs(), readToMs))
      const { askedAt, records } = await this.#read({ fromMs, toMs })
      const wasSetBack = isFirst && cursorMs !== null && askedAt.latestMs < readToMs - TOLERANCE_MS
      isFirst = false
      if (wasSetBack) {
        readToMs = await this.#lookBack(askedAt.earliestMs, readToMs)
        fromMs = readToMs - overlapMs
        continue
      }
      readToMs = Math.max(readToMs, Math.min(toMs, askedAt.earliestMs))
      const isDone = reading.resource.isPaged
        ? toMs >= Math.min(shownMs, reading.clock.shownMs ?? shownMs)
        : askedAt.earliestMs <= toMs + TOLERANCE_MS
      // The last window ends early, at the current time, so its length must not determine the next window's length.
      lengthMs = isDone ? lengthMs : nextWindowMs(lengthMs, records)
      await this.#commit(readToMs, { windowMs: isDone ? undefined : lengthMs })
      if (isDone) {
        await this.#copy.finish?.()
        return this.#result({ fromMs: firstMs, toMs })
      }
      fromMs = readToMs
    }
  }

  /**
   * Returns the latest time at which a window may end. For a paged list, this is the date of the last response, because
   * later changes would shift the pages and a service may reject a future time. For other lists, it is up to a second
   * later, so that the latest changes are included.
   */
  #presentMs(): number {
    const { clock, resource } = this.#parts.reading
    return Math.floor(resource.isPaged ? (clock.shownMs ?? LONG_AGO_MS) : clock.nowMs)
  }

  /**
   * Waits until one second after the command started. Response dates have a resolution of one second, so an earlier
   * response could be dated before the start.
   */
  async #waitForNextSecond(): Promise<void> {
    const { reading, beganAtMs, signal, now } = this.#parts
    const leftMs = beganAtMs + SECOND_MS - monotonicMs()
    if (reading.resource.isPaged && leftMs > 0) await pause(leftMs, { signal, now })
  }

  #result(range: TimeRange | null): RunResult {
    return { ...this.#counts, range, requests: this.#requests, notStored: [...this.#notStored.values()] }
  }

  /** Warns that the service's clock was set back. Returns the time up to which the copy is still complete. */
  async #lookBack(serviceMs: number, readToMs: number): Promise<number> {
    const { now, say } = this.#parts
    const sinceLastMs = now() - (this.#memo.hereMs ?? now())
    const backToMs = serviceMs - Math.max(LOOK_BACK_MS, sinceLastMs)
    await say(
      `warning: the service's clock was set back: it shows ${toWireTime(serviceMs)}, but the copy is up to date to ${toWireTime(readToMs)}; reading again from ${toWireTime(backToMs)}`,
    )
    return Math.min(backToMs, readToMs)
  }

  async #read(range: TimeRange | null): Promise<WindowEnd> {
    const { reading, signal, onMany } = this.#parts
    const batches = readWindow(reading, range)
    let records = 0
    try {
      for (;;) {
        signal.throwIfAborted()
        const step = await batches.next()
        if (step.done) {
          this.#requests += step.value.requests
          this.#startedMs ??= step.value.askedAt.earliestMs
          return step.value
        }
        records += step.value.length
        if (records > MANY) await onMany?.()
        await this.#copy.add(step.value)
      }
    } finally {
      // End the response, because an unread response would keep the process alive.
      await batches.return({ askedAt: { earliestMs: 0, latestMs: 0 }, requests: 0, records: 0 })
    }
  }

  /** Commits the records that were read. If the service's clock is behind the cursor, the cursor stays unchanged. */
  async #commit(readToMs: number, memo: Memo, complete = false): Promise<void> {
    const cursorMs = Math.max(this.#copy.cursorMs ?? Number.NEGATIVE_INFINITY, readToMs)
    const isBehind = readToMs < cursorMs
    const { reading, now } = this.#parts
    const aheadMs = reading.clock.aheadMs ?? 0
    const kept: Memo = {
      ...memo,
      readToMs: isBehind ? readToMs : undefined,
      hereMs: now(),
      // Store `aheadMs` only if the local clock is slow. A fast clock is harmless: the next run only requests changes
      // beyond the service's current time.
      aheadMs: aheadMs > TOLERANCE_MS ? aheadMs : undefined,
      sinceMs: this.#beganMs,
      asked: extraParametersOf(reading),
    }
    const ran = { startedMs: this.#startedMs ?? readToMs, requests: this.#requests, before: this.#counts }
    const done = await this.#copy.commit(cursorMs, { ...ran, memo: JSON.stringify(kept) }, complete)
    this.#counts = plus(this.#counts, done)
    for (const one of done.notStored ?? []) {
      if (this.#notStored.has(one.id)) continue
      this.#notStored.set(one.id, one)
      await this.#parts.say(`warning: ${notStoredText(reading.resource, one)}`)
    }
  }

  /** Adds a hint on how to continue to an INCOMPLETE failure. The failed window's records were not stored. */
  explain(error: unknown): unknown {
    if (!(error instanceof Failure) || error.code !== 'INCOMPLETE') return error
    const { cursorMs } = this.#copy
    const kept = cursorMs === null ? 'nothing was stored' : `the copy is complete up to ${toWireTime(cursorMs)}`
    return error.withHint(`${kept}; run the sync again to continue`)
  }
}

function extraParametersOf({ extra: { query = {}, extraQuery = [] } }: Reading): ExtraParameters | undefined {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  )
  const asked = [...given, ...extraQuery]
  return asked.length === 0 ? undefined : asked
}
