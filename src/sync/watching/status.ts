import type { CopyKey, CopyState, Counts, Holder } from '../copy.ts'

/** The state of a copy as `sync status --json` prints it. */
export interface SyncStatus extends CopyKey {
  /** The time up to which the copy has all changes, in ISO 8601; `null` before the first sync. */
  readonly cursor: string | null
  /** Whole seconds since `cursor`; `null` before the first sync. */
  readonly lagSeconds: number | null
  /** The last run that committed, or `null` before the first commit. */
  readonly lastRun: (Counts & { readonly startedAt: string; readonly requests: number }) | null
  readonly rows: number
  readonly holder: Holder | null
}

/** Returns the status of a copy. `state`: the copy's state, or `null` if there is no copy yet. */
export function syncStatus(state: CopyState | null, { nowMs, ...key }: CopyKey & { nowMs: number }): SyncStatus {
  if (state === null) return { ...key, cursor: null, lagSeconds: null, lastRun: null, rows: 0, holder: null }
  const { cursorMs, lastRun } = state
  return {
    source: state.source,
    resource: state.resource,
    cursor: cursorMs === null ? null : new Date(cursorMs).toISOString(),
    // The service's clock may be ahead of this machine's.
    lagSeconds: cursorMs === null ? null : Math.max(0, Math.floor((nowMs - cursorMs) / 1000)),
    lastRun: lastRun && runOf(lastRun),
    rows: state.rows,
    holder: state.holder,
  }
}

function runOf({ startedMs, requests, added, changed, unchanged }: NonNullable<CopyState['lastRun']>) {
  return { startedAt: new Date(startedMs).toISOString(), requests, added, changed, unchanged }
}
