import { Failure } from '../../base/failure/failure.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { toWireTime } from '../../base/time/instant.ts'
import { DAY_MS } from '../../base/time/units.ts'
import type { TimeRange } from '../../base/time/window.ts'
import { pause } from '../../http/client/retry.ts'
import { type Copy, type Counts, NO_COUNTS, type NotStored, plus, Rewound } from '../copy.ts'
import { type Reading, readWindow, type WindowEnd } from '../reading/read-window.ts'
import { type Asked, type Memo, parseMemo } from './memo.ts'
import { notStoredText } from './not-stored.ts'
import { FIRST_CHANGE_MS, FIRST_WINDOW_MS, nextWindowMs } from './windows.ts'

/** What a run does, and with what. */
export interface RunParts {
  readonly reading: Reading
  /** How far before the cursor the run asks. Milliseconds. */
  readonly overlapMs: number
  /** Where the first sync begins; null: at the first change there can be. Epoch milliseconds. */
  readonly sinceMs: number | null
  readonly now: () => number
  /** When the command began, by the stopwatch: what changed before is to be in the copy. */
  readonly beganAtMs: number
  readonly signal: AbortSignal
  readonly say: (line: string) => Promise<void>
  /** Called when a window has very many records. */
  readonly onMany?: () => Promise<void>
}

const MANY = 2000

/** What a run did. */
export interface RunResult extends Counts {
  /** What was asked for, from the first window to the last; null: everything. */
  readonly range: TimeRange | null
  readonly requests: number
  readonly notStored: readonly NotStored[]
}

/** What the service sees as its present may be this much beyond what was asked for. Milliseconds. */
const TOLERANCE_MS = 2000

const SECOND_MS = 1000

/** A time that the clock of every service has reached. Epoch milliseconds. */
const LONG_AGO_MS = Date.UTC(2020, 0, 1)

/** How far back is read when the service's clock was set back: it is not known to when. Milliseconds. */
const LOOK_BACK_MS = 7 * DAY_MS

/**
 * Brings a copy up to the service's present, window by window; each is a commit, so that a run that fails has kept those before.
 * Fails: as `readWindow`, as the copy does; Interrupted.
 */
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
  /** Where the first sync began; undefined: a version that did not note it made it. */
  #beganMs: number | undefined
  #counts = NO_COUNTS
  #requests = 0
  /** By ID: the next window reads the last instant of this one again. */
  readonly #notStored = new Map<string, NotStored>()
  #startedMs: number | null = null

  constructor(copy: Copy, parts: RunParts) {
    this.#copy = copy
    this.#parts = parts
  }

  async everything(): Promise<RunResult> {
    const { askedAt } = await this.#read(null)
    // The service dates its answers to the second. Of two reads in one second, the later one is dated later.
    const nextMs = Math.min((this.#copy.cursorMs ?? 0) + 1, askedAt.latestMs)
    await this.#commit(Math.max(askedAt.earliestMs, nextMs), {}, true)
    return this.#result(null)
  }

  async windows(): Promise<RunResult> {
    const { overlapMs, sinceMs, reading } = this.#parts
    await this.#letSecondPass()
    const { cursorMs, memo } = this.#copy
    this.#memo = parseMemo(memo)
    this.#beganMs = cursorMs === null ? (sinceMs ?? FIRST_CHANGE_MS) : this.#memo.sinceMs
    if (this.#memo.aheadMs !== undefined) reading.clock.expect(this.#memo.aheadMs)
    let lengthMs = this.#memo.windowMs ?? FIRST_WINDOW_MS
    // All that changed up to here is in the copy.
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
      // A window that ends in the present is shorter than it might be, and says nothing of the next.
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
   * Up to where a window may reach. What happens after the service's present would move the pages of a list while they are read, and
   * a service may refuse such a time: a paged list is asked up to the time that the last answer showed, and, before there is one, no
   * further than the copy goes. A list in one answer is asked a second further, so that what has just changed comes too.
   */
  #presentMs(): number {
    const { clock, resource } = this.#parts.reading
    return Math.floor(resource.isPaged ? (clock.shownMs ?? LONG_AGO_MS) : clock.nowMs)
  }

  /** An answer shows whole seconds: one that is asked for a second after the command began shows no earlier time than that. */
  async #letSecondPass(): Promise<void> {
    const { reading, beganAtMs, signal, now } = this.#parts
    const leftMs = beganAtMs + SECOND_MS - monotonicMs()
    if (reading.resource.isPaged && leftMs > 0) await pause(leftMs, { signal, now })
  }

  #result(range: TimeRange | null): RunResult {
    return { ...this.#counts, range, requests: this.#requests, notStored: [...this.#notStored.values()] }
  }

  /** Says that the service's clock was set back, and returns up to where the copy has all that the service has dated since. */
  async #lookBack(serviceMs: number, readToMs: number): Promise<number> {
    const { now, say } = this.#parts
    const sinceLastMs = now() - (this.#memo.hereMs ?? now())
    const backToMs = serviceMs - Math.max(LOOK_BACK_MS, sinceLastMs)
    await say(
      `warning: the service's clock shows ${toWireTime(serviceMs)}, before ${toWireTime(readToMs)}, up to where the copy goes: it was set back; reading from ${toWireTime(backToMs)} again`,
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
      // An answer that nobody reads to the end would keep the process alive.
      await batches.return({ askedAt: { earliestMs: 0, latestMs: 0 }, requests: 0, records: 0 })
    }
  }

  /** Makes lasting what was read up to an instant. The cursor stays where it is when the service's clock is behind it. */
  async #commit(readToMs: number, memo: Memo, complete = false): Promise<void> {
    const cursorMs = Math.max(this.#copy.cursorMs ?? Number.NEGATIVE_INFINITY, readToMs)
    const isBehind = readToMs < cursorMs
    const { reading, now } = this.#parts
    const aheadMs = reading.clock.aheadMs ?? 0
    const kept: Memo = {
      ...memo,
      readToMs: isBehind ? readToMs : undefined,
      hereMs: now(),
      // Asking a list in one answer beyond the service's present does no harm, so that only a clock of ours that is behind matters.
      aheadMs: aheadMs > TOLERANCE_MS ? aheadMs : undefined,
      sinceMs: this.#beganMs,
      asked: askedOf(reading),
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

  /** Says how to go on: what was read of a window that failed is not kept. */
  explain(error: unknown): unknown {
    if (!(error instanceof Failure) || error.code !== 'INCOMPLETE') return error
    const { cursorMs } = this.#copy
    const kept = cursorMs === null ? 'nothing of it was kept' : `the copy is whole up to ${toWireTime(cursorMs)}`
    return error.withHint(`${kept}; run it again: it goes on from there`)
  }
}

function askedOf({ extra: { query = {}, extraQuery = [] } }: Reading): Asked | undefined {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  )
  const asked = [...given, ...extraQuery]
  return asked.length === 0 ? undefined : asked
}
