import { expect, test } from 'vitest'
import { prometheusText } from '../../../src/sync/watching/prometheus.ts'
import { syncStatus } from '../../../src/sync/watching/status.ts'
import { samplesOf } from './text-format.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const STATE = {
  source: 'city',
  resource: 'bookings',
  cursorMs: NOW - 90_500,
  memo: null,
  lastRun: { startedMs: NOW - 91_000, requests: 3, added: 5, changed: 2, unchanged: 1 },
  rows: 636,
  holder: { who: 'process 4711 (bookings sync)', since: null },
} as const
const AT = { source: 'city', resource: 'bookings', nowMs: NOW } as const
const LABELS = { source: 'city', resource: 'bookings', target: 'x.db' }

test('prometheusText writes one metric in base units for each status value', () => {
  expect(samplesOf(prometheusText(syncStatus(STATE, AT), 'x.db'))).toEqual([
    { name: 'partner_sync_cursor_timestamp_seconds', labels: LABELS, value: (NOW - 90_500) / 1000 },
    { name: 'partner_sync_lag_seconds', labels: LABELS, value: 90 },
    { name: 'partner_sync_rows', labels: LABELS, value: 636 },
    { name: 'partner_sync_last_run_timestamp_seconds', labels: LABELS, value: (NOW - 91_000) / 1000 },
    { name: 'partner_sync_last_run_records', labels: { ...LABELS, kind: 'added' }, value: 5 },
    { name: 'partner_sync_last_run_records', labels: { ...LABELS, kind: 'changed' }, value: 2 },
    { name: 'partner_sync_last_run_records', labels: { ...LABELS, kind: 'unchanged' }, value: 1 },
    { name: 'partner_sync_last_run_requests', labels: LABELS, value: 3 },
    { name: 'partner_sync_held', labels: LABELS, value: 1 },
  ])
})

test('prometheusText omits values that are unknown before the first sync', () => {
  const samples = samplesOf(prometheusText(syncStatus(null, AT), 'x.db'))
  expect(samples.map(({ name, value }) => `${name} ${value}`)).toEqual(['partner_sync_rows 0', 'partner_sync_held 0'])
})

test.each(['a"b', 'a\\b', 'a\\', 'a\nb', 'a\r\tb', '{a="1"} 2', 'Käse 🧀', '\ud800'])(
  'prometheusText escapes the label value %j',
  (source) => {
    const [first] = samplesOf(prometheusText(syncStatus({ ...STATE, source }, AT), source))
    const kept = source.toWellFormed()
    expect(first?.labels).toEqual({ source: kept, resource: 'bookings', target: kept })
  },
)

test("syncStatus measures the lag from the last commit if the service's clock was ahead of this machine's at that time", () => {
  const ahead = { ...STATE, cursorMs: NOW + 86_400_000, memo: JSON.stringify({ hereMs: NOW - 7500 }) }
  expect(syncStatus(ahead, AT).lagSeconds).toBe(7)
  expect(syncStatus({ ...ahead, cursorMs: NOW - 90_500 }, AT).lagSeconds).toBe(90)
})

test("syncStatus reports a lag of 0 if the copy's cursor is ahead of this machine's clock", () => {
  expect(syncStatus({ ...STATE, cursorMs: NOW + 5000 }, AT).lagSeconds).toBe(0)
})

test("syncStatus uses the time of the last read as the cursor if the service's clock was set back before that read", () => {
  const readToMs = NOW - 90_500
  const behind = { ...STATE, cursorMs: NOW + 86_400_000, memo: JSON.stringify({ readToMs, hereMs: NOW - 90_000 }) }
  expect(syncStatus(behind, AT)).toMatchObject({ cursor: new Date(readToMs).toISOString(), lagSeconds: 90 })
})
