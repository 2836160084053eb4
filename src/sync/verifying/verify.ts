import { Failure } from '../../base/failure/failure.ts'
import { suggest } from '../../base/failure/suggested.ts'
import type { TimeRange } from '../../base/time/window.ts'
import { type Copy, type CopyState, type HoldOptions, NO_COUNTS, type NotStored } from '../copy.ts'
import { windowInput } from '../reading/read-window.ts'
import { parseMemo } from '../running/memo.ts'
import { FIRST_CHANGE_MS, FIRST_WINDOW_MS } from '../running/windows.ts'
import {
  byBookingTime,
  type Compared,
  type Comparison,
  compare,
  type Difference,
  type DifferenceKind,
} from './compare.ts'

/** What was found, and whether it was mended. */
export interface Verdict extends Comparison {
  readonly counts: Readonly<Record<DifferenceKind, number>>
  /** Each difference as a line of JSON: `{id, difference, lastModifiedDate}`. */
  readonly lines: readonly string[]
  readonly isMended: boolean
  /** What could not be mended: records that the copy cannot hold. */
  readonly notStored: readonly NotStored[]
}

export interface Verification extends Omit<Compared, 'cursorMs' | 'sinceMs' | 'reading'> {
  /** How the service is read, with the parameters that the sync added. */
  readonly reading: (memo: string | null) => Compared['reading']
  /** How the copy is held to mend it; null: it is compared only. */
  readonly repair: HoldOptions | null
}

/**
 * Compares a copy with the service, and mends it when it is to: what is missing or stale is written, and what the service has no
 * more is taken out, once all has been read.
 * Fails: USAGE when there is no copy yet; as `compare`, then nothing was mended; LOCKED.
 */
export async function verify(verification: Verification): Promise<Verdict> {
  const { repair, target } = verification
  const held = repair === null ? null : await target.hold(repair)
  try {
    const state = held ?? (await target.state())
    if (state?.cursorMs == null) throw noCopyFailure(verification)
    const { cursorMs, memo } = state
    const reading = verification.reading(memo)
    const compared = { ...verification, reading, cursorMs, sinceMs: parseMemo(memo).sinceMs }
    const mender = held === null ? null : new Mender(held, cursorMs, reading.clock.nowMs)
    const found = await gather(compare(compared), mender)
    if (mender === null) return { ...found, isMended: false, notStored: [] }
    const notStored = await mender.finish(found.requests)
    if (mender.extras.length > 0) await held?.remove?.(mender.extras)
    return { ...found, isMended: true, notStored }
  } finally {
    await held?.close()
  }
}

/** The request that a comparison begins with. */
export function firstRequest(
  reading: Compared['reading'],
  state: CopyState | null,
  booked: TimeRange | null,
): ReturnType<typeof windowInput> {
  if (booked !== null) return windowInput(byBookingTime(reading), booked)
  const fromMs = parseMemo(state?.memo ?? null).sinceMs ?? FIRST_CHANGE_MS
  return windowInput(reading, { fromMs, toMs: fromMs + FIRST_WINDOW_MS })
}

async function gather(differences: AsyncGenerator<Difference, Comparison, undefined>, mender: Mender | null) {
  const counts = { missing: 0, stale: 0, extra: 0 }
  const lines: string[] = []
  for (;;) {
    const step = await differences.next()
    if (step.done) return { ...step.value, counts, lines }
    const { kind, record } = step.value
    counts[kind]++
    lines.push(lineOf(step.value))
    if (kind === 'extra') mender?.extras.push(record.id ?? record.version)
    else await mender?.add(record)
  }
}

/** Writes into a copy what it lacks. */
class Mender {
  readonly extras: string[] = []
  readonly #held: Copy
  readonly #cursorMs: number
  readonly #startedMs: number
  #batch: Difference['record'][] = []
  #added = 0

  constructor(held: Copy, cursorMs: number, startedMs: number) {
    this.#held = held
    this.#cursorMs = cursorMs
    this.#startedMs = startedMs
  }

  async add(record: Difference['record']): Promise<void> {
    this.#added++
    this.#batch.push({ ...record, isCorrection: true })
    if (this.#batch.length >= BATCH) await this.#write()
  }

  /** Makes lasting what was added, and returns what could not be stored. The cursor stays where it is. */
  async finish(requests: number): Promise<readonly NotStored[]> {
    if (this.#added === 0) return []
    await this.#write()
    const note = { startedMs: Math.floor(this.#startedMs), requests, before: NO_COUNTS, memo: this.#held.memo ?? '' }
    const { notStored = [] } = await this.#held.commit(this.#cursorMs, note)
    await this.#held.finish?.()
    return notStored
  }

  async #write(): Promise<void> {
    await this.#held.add(this.#batch)
    this.#batch = []
  }
}

const BATCH = 500

function lineOf({ kind, record: { id, changedMs } }: Difference): string {
  const lastModifiedDate = changedMs === null ? null : new Date(changedMs).toISOString()
  return JSON.stringify({ id, difference: kind, lastModifiedDate })
}

function noCopyFailure({ target }: Verification): Failure {
  return new Failure('USAGE', `there is no copy in ${target.name} yet`, {
    hint: `make it: ${suggest`bookings sync --to ${target.name}`}`,
  })
}
