import { formatCount } from '../../base/counted.ts'
import { Failure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import type { TimeRange } from '../../base/time/window.ts'
import { type CopyState, type HoldOptions, NO_COUNTS, type NotStored } from '../copy.ts'
import { windowInput } from '../reading/read-window.ts'
import type { SyncRecord } from '../record.ts'
import { parseMemo } from '../running/memo.ts'
import { FIRST_CHANGE_MS, FIRST_WINDOW_MS } from '../running/windows.ts'
import type { CompareOptions, Comparison, Difference, DifferenceKind } from './compare.ts'
import { byBookingTime, compare } from './compare.ts'

const BATCH = 500

export interface Verdict extends Comparison {
  readonly counts: Readonly<Record<DifferenceKind, number>>
  /** The differences, each as a line of JSON: `{id, difference, lastModifiedDate}`. */
  readonly lines: readonly string[]
  readonly isRepaired: boolean
  readonly notStored: readonly NotStored[]
}

export interface Verification extends Omit<CompareOptions, 'cursorMs' | 'sinceMs' | 'reading'> {
  /**
   * Returns the settings for reading from the service. `memo` is the copy's memo, which contains the sync's extra
   * parameters.
   */
  readonly reading: (memo: string | null) => CompareOptions['reading']
  /** The options for locking the copy during a repair, or `null` to compare only. */
  readonly repair: HoldOptions | null
}

/**
 * Compares a copy with the service and repairs the copy if requested. Throws LOCKED if a repair is requested and
 * another run holds the copy, or USAGE if no copy exists. Also throws the same errors as `compare`.
 */
export async function verify(verification: Verification): Promise<Verdict> {
  const { repair, target } = verification
  const held = repair === null ? null : await target.hold(repair)
  try {
    const state = held ?? (await target.state())
    if (state?.cursorMs == null)
      throw new Failure('USAGE', `no copy exists in ${target.name} yet`, {
        hint: `create it: ${formatCommand`bookings sync --to ${target.name}`}`,
      })
    const { cursorMs, memo } = state
    const reading = { ...verification.reading(memo), isLazy: true }
    const startedMs = Math.floor(reading.clock.nowMs)
    const tally = { compared: 0, notDue: 0, requests: 0 }
    const counts = { missing: 0, stale: 0, extra: 0 }
    const lines: { readonly place: number; readonly line: string }[] = []
    const extras: string[] = []
    let batch: SyncRecord[] = []
    const sinceMs = parseMemo(memo).sinceMs
    for await (const difference of compare({ ...verification, reading, cursorMs, sinceMs }, tally)) {
      const { kind, record } = difference
      counts[kind]++
      lines.push({ place: difference.place, line: lineOf(difference) })
      if (kind === 'extra') extras.push(record.id ?? record.version)
      else if (held !== null) batch.push({ ...record, isCorrection: true })
      if (batch.length < BATCH) continue
      await held?.add(batch)
      batch = []
    }
    lines.sort((one, other) => one.place - other.place)
    const found = { ...tally, counts, lines: lines.map(({ line }) => line) }
    if (held === null) return { ...found, isRepaired: false, notStored: [] }
    let notStored: readonly NotStored[] = []
    if (counts.missing + counts.stale > 0) {
      await held.add(batch)
      // A repair keeps the cursor where it was.
      const note = { startedMs, requests: tally.requests, before: NO_COUNTS, memo: memo ?? '' }
      notStored = (await held.commit(cursorMs, note)).notStored ?? []
      await held.finish?.()
    }
    if (extras.length > 0) await held.remove?.(extras)
    return { ...found, isRepaired: true, notStored }
  } finally {
    await held?.close()
  }
}

export function firstRequest(reading: CompareOptions['reading'], state: CopyState | null, booked: TimeRange | null) {
  if (booked !== null) return windowInput(byBookingTime(reading), booked)
  const fromMs = parseMemo(state?.memo ?? null).sinceMs ?? FIRST_CHANGE_MS
  return windowInput(reading, { fromMs, toMs: fromMs + FIRST_WINDOW_MS })
}

function lineOf({ kind, record: { id, changedMs } }: Difference): string {
  const lastModifiedDate = changedMs === null ? null : new Date(changedMs).toISOString()
  return JSON.stringify({ id, difference: kind, lastModifiedDate })
}

/**
 * Returns a verification's summary, such as `bookings: 636 compared, 2 missing, 1 stale, 0 extra; repaired; 33
 * requests`.
 */
export function verdictLine({ compared, notDue, requests, isRepaired, notStored, counts, lines }: Verdict): string {
  const found = lines.length === 0 ? 'no differences' : countsText(counts)
  const left = notStored.length === 0 ? '' : ` except ${notStored.length}`
  const repaired = isRepaired && lines.length > 0 ? `; repaired${left}` : ''
  const later = notDue === 0 ? '' : `; ${notDue} changed since the last sync`
  return `bookings: ${compared} compared, ${found}${repaired}${later}; ${formatCount(requests, 'request')}`
}

/** Returns the failure (exit code 11) for a copy that differs and was not repaired. */
export function differsFailure({ counts, compared, notDue }: Verdict): Failure {
  return new Failure('PARTIAL_FAILURE', `the copy differs from the service: ${countsText(counts)}`, {
    hint: 'repair the copy with --repair',
    details: { ...counts, compared, notDue },
  })
}

function countsText({ missing, stale, extra }: Verdict['counts']): string {
  return `${missing} missing, ${stale} stale, ${extra} extra`
}
