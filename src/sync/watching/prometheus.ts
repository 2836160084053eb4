import { gaugeText } from '../../base/prometheus.ts'
import type { SyncStatus } from './status.ts'

/** A sample's value (`null` if unknown) and the value of its `kind` label, if any. */
type KindSample = readonly [value: number | null, kind?: 'added' | 'changed' | 'unchanged']

/**
 * Formats a status for the node exporter's textfile collector. Omits unknown values. `target` is the copy's name as
 * given on the command line.
 */
export function prometheusText(status: SyncStatus, target: string): string {
  const { source, resource, cursor, lagSeconds, lastRun, rows, holder } = status
  const gauge = (what: string, help: string, ...samples: readonly KindSample[]) =>
    gaugeText(
      `partner_sync_${what}`,
      help,
      samples.map(([value, kind]) => [value, { source, resource, target, ...(kind ? { kind } : {}) }]),
    )
  const { requests = null, added = null, changed = null, unchanged = null, startedAt = null } = lastRun ?? {}
  return [
    gauge(
      'cursor_timestamp_seconds',
      "The copy contains all changes up to this time, according to the service's clock.",
      [secondsOf(cursor)],
    ),
    gauge('lag_seconds', 'How far the copy lagged behind the service when this file was written.', [lagSeconds]),
    gauge('rows', 'The number of records in the copy. For a log, the number of versions.', [rows]),
    gauge('last_run_timestamp_seconds', 'When the last run that committed began.', [secondsOf(startedAt)]),
    gauge(
      'last_run_records',
      'The number of records that the last run read, by their effect on the copy.',
      [added, 'added'],
      [changed, 'changed'],
      [unchanged, 'unchanged'],
    ),
    gauge('last_run_requests', 'The number of requests that the last run sent.', [requests]),
    gauge('held', 'Whether a run has locked the copy (1) or not (0).', [holder === null ? 0 : 1]),
  ].join('')
}

function secondsOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso) / 1000
}
