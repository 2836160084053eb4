import type { CopyKey, CopyState, Counts, Holder } from '../copy.ts'
import { parseMemo } from '../running/memo.ts'

/** A copy's state, as `sync status --json` prints it. */
export interface SyncStatus extends CopyKey {
  /** The copy contains all changes up to this time, in ISO 8601. `null` before the first sync. */
  readonly cursor: string | null
  /**
   * The number of whole seconds since `cursor`, or since the last commit if `cursor` was ahead of this machine's clock.
   * `null` before the first sync.
   */
  readonly lagSeconds: number | null
  /** The last run that committed, or `null` before the first commit. */
  readonly lastRun: (Counts & { readonly startedAt: string; readonly requests: number }) | null
  readonly rows: number
  readonly holder: Holder | null
}

/** Returns a copy's status. `state` is `null` if no copy exists yet. */
export function syncStatus(state: CopyState | null, { nowMs, ...key }: CopyKey & { nowMs: number }): SyncStatus {
  if (state === null) return { ...key, cursor: null, lagSeconds: null, lastRun: null, rows: 0, holder: null }
  const { lastRun, memo } = state
  const { readToMs, hereMs = Number.POSITIVE_INFINITY } = parseMemo(memo)
  // The stored cursor never moves back. If the service's clock was set back, the memo contains the time up to which
  // everything was read.
  const cursorMs = readToMs ?? state.cursorMs
  return {
    source: state.source,
    resource: state.resource,
    cursor: cursorMs === null ? null : new Date(cursorMs).toISOString(),
    // The lag must not be negative, even if this machine's clock was set back.
    lagSeconds: cursorMs === null ? null : Math.max(0, Math.floor((nowMs - Math.min(cursorMs, hereMs)) / 1000)),
    lastRun: lastRun && runOf(lastRun),
    rows: state.rows,
    holder: state.holder,
  }
}

function runOf({ startedMs, requests, added, changed, unchanged }: NonNullable<CopyState['lastRun']>) {
  return { startedAt: new Date(startedMs).toISOString(), requests, added, changed, unchanged }
}
