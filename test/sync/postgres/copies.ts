import { onTestFinished } from 'vitest'
import type { Copy, HoldOptions, ResourceName, RunNote, Target } from '../../../src/sync/copy.ts'
import { openTarget } from '../../../src/sync/open-target.ts'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import type { SyncRecord } from '../../../src/sync/record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { POSTGRES_ENV } from '../../support/postgres.ts'

/** A copy, its target, and what it has said. */
export interface Held {
  readonly copy: Copy
  readonly target: Target
  readonly said: readonly string[]
}

interface Given extends Partial<HoldOptions> {
  readonly resource?: ResourceName
  readonly source?: string
  readonly timezone?: string | null
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Opens a target in a database, for this test. */
export async function open(
  url: string,
  { resource = 'bookings', source = 'venue', timezone = 'Australia/Sydney', env = {} }: Given = {},
) {
  const place = {
    resource,
    source,
    env: { HOME: '/nonexistent', ...POSTGRES_ENV, ...env },
    timezone,
  }
  const target = await openTarget(url, place)
  onTestFinished(() => target.close())
  return target
}

/** Takes hold of a copy, for this test. */
export async function hold(url: string, given: Given = {}): Promise<Held> {
  const target = await open(url, given)
  const said: string[] = []
  const copy = await target.hold({
    reset: false,
    standby: false,
    leaseMs: 30_000,
    overlapMs: 300_000,
    command: 'bookings sync',
    signal: new AbortController().signal,
    say: async (line) => void said.push(line),
    ...given,
  })
  onTestFinished(() => copy.close())
  return { copy, target, said }
}

/** What a commit says of a run. */
export const NOTE: RunNote = {
  startedMs: Date.UTC(2026, 10, 22),
  requests: 1,
  before: { added: 0, changed: 0, unchanged: 0 },
  memo: 'memo',
}

/** An instant, so many minutes after a certain one. */
export function minute(minutes: number): number {
  return Date.UTC(2026, 10, 22, 12) + minutes * 60_000
}

/** A booking as the service sends it. */
export function booking(id: string, changedMinute: number, more: Readonly<Record<string, unknown>> = {}): SyncRecord {
  const record = {
    bookingId: id,
    bookingTime: '2026-11-22T19:30:00',
    people: 2,
    status: { statusType: 'Confirmed', code: 'confirmed', name: 'Confirmed' },
    tables: [{ tableId: `t-${id}`, tableName: '1' }],
    tags: [],
    items: [],
    lastModifiedDate: new Date(minute(changedMinute)).toISOString(),
    ...more,
  }
  return toSyncRecord(JSON.stringify(record), RESOURCES.bookings)
}

/** Everything that `records` gives. */
export async function all(target: Target): Promise<readonly SyncRecord[]> {
  const records: SyncRecord[] = []
  for await (const batch of target.records()) records.push(...batch)
  return records
}
