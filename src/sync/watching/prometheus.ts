import type { SyncStatus } from './status.ts'

interface Metric {
  readonly name: string
  readonly help: string
  /** No samples: it is not known yet. */
  readonly samples: readonly Sample[]
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * A status in Prometheus' text format, for the textfile collector of the node exporter. `target` is how the command line names the
 * copy. What is not known before the first sync is left out.
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function prometheusText(status: SyncStatus, target: string): string {
  const { source, resource } = status
  const common = { source, resource, target }
  return metricsOf(status)
    .flatMap(({ name, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...samples.map(({ labels, value }) => `${name}${labelsText({ ...common, ...labels })} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('')
}

function metricsOf({ cursor, lagSeconds, lastRun, rows, holder }: SyncStatus): Metric[] {
  const { added = 0, changed = 0, unchanged = 0 } = lastRun ?? {}
  return [
    {
      name: 'partner_sync_cursor_timestamp_seconds',
      help: 'Up to when the copy has all changes, by the clock of the service.',
      samples: secondsOf(cursor),
    },
    {
      name: 'partner_sync_lag_seconds',
      help: 'How far the copy was behind when this was written.',
      samples: lagSeconds === null ? [] : [{ value: lagSeconds }],
    },
    { name: 'partner_sync_rows', help: 'Records that the copy has; versions, in a log.', samples: [{ value: rows }] },
    {
      name: 'partner_sync_last_run_timestamp_seconds',
      help: 'When the last run began that committed something.',
      samples: secondsOf(lastRun?.startedAt ?? null),
    },
    {
      name: 'partner_sync_last_run_records',
      help: 'Records that the last run brought, by what they were to the copy.',
      samples: Object.entries(lastRun ? { added, changed, unchanged } : {}).map(([kind, value]) => ({
        labels: { kind },
        value,
      })),
    },
    {
      name: 'partner_sync_last_run_requests',
      help: 'Requests that the last run made.',
      samples: lastRun ? [{ value: lastRun.requests }] : [],
    },
    {
      name: 'partner_sync_held',
      help: 'Whether a run holds the copy: 1 or 0.',
      samples: [{ value: holder === null ? 0 : 1 }],
    },
  ].filter(({ samples }) => samples.length > 0)
}

function secondsOf(iso: string | null): Sample[] {
  return iso === null ? [] : [{ value: Date.parse(iso) / 1000 }]
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join()}}`
}

/** A value between quotes; whatever else it has, it is text that the scraper can read. */
function escaped(value: string): string {
  return value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
