import type { CopyKey, CopyState, Counts, Holder } from '../copy.ts'

/** A copy's state, as `sync status --json` prints it. */
export interface SyncStatus extends CopyKey {
  /** The copy contains all changes up to this time, in ISO 8601. `null` before the first sync. */
  readonly cursor: string | null
  /** The number of whole seconds since `cursor`, or `null` before the first sync. */
  readonly lagSeconds: number | null
  /** The last run that committed, or `null` before the first commit. */
  readonly lastRun: (Counts & { readonly startedAt: string; readonly requests: number }) | null
  readonly rows: number
  readonly holder: Holder | null
}

/** Returns a copy's status. `state` is `null` if no copy exists yet. */
export function syncStatus(state: CopyState | null, { nowMs, ...key }: CopyKey & { nowMs: number }): SyncStatus {
  if (state === null) return { ...key, cursor: null, lagSeconds: null, lastRun: null, rows: 0, holder: null }
  const { cursorMs, lastRun } = state
  return {
    source: state.source,
    resource: state.resource,
    cursor: cursorMs === null ? null : new Date(cursorMs).toISOString(),
    // The lag must not be negative, even if the service's clock is ahead of this machine's.
    lagSeconds: cursorMs === null ? null : Math.max(0, Math.floor((nowMs - cursorMs) / 1000)),
    lastRun: lastRun && runOf(lastRun),
    rows: state.rows,
    holder: state.holder,
  }
}

function runOf({ startedMs, requests, added, changed, unchanged }: NonNullable<CopyState['lastRun']>) {
  return { startedAt: new Date(startedMs).toISOString(), requests, added, changed, unchanged }
}
