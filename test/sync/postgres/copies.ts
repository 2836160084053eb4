import { onTestFinished } from 'vitest'
import type { HoldOptions, ResourceName, RunNote, Target } from '../../../src/sync/copy.ts'
import { databaseKind } from '../../../src/sync/database-kind.ts'
import { openTarget } from '../../../src/sync/open-target.ts'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import type { SyncRecord } from '../../../src/sync/record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { POSTGRES_ENV, type postgresServer } from '../../support/postgres.ts'
import { startProxy } from '../../support/proxy.ts'
import { NOTE as EMPTY_NOTE, HOLD } from '../sqlite/copies.ts'

interface Given extends Partial<HoldOptions> {
  readonly resource?: ResourceName
  readonly source?: string
  readonly timezone?: string | null
  readonly env?: Readonly<Record<string, string | undefined>>
}

export async function open(url: string, { resource = 'bookings', source = 'venue', env = {}, ...given }: Given = {}) {
  const { timezone = 'Australia/Sydney' } = given
  const known = { HOME: '/nonexistent', ...POSTGRES_ENV, ...env }
  const target = await openTarget(url, databaseKind(url) ?? 'file', { resource, source, env: known, timezone })
  onTestFinished(() => target.close())
  return target
}

export async function hold(url: string, given: Given = {}) {
  const target = await open(url, given)
  const said: string[] = []
  const copy = await target.hold({ ...HOLD, overlapMs: 300_000, say: async (line) => void said.push(line), ...given })
  onTestFinished(() => copy.close())
  return { copy, target, said }
}

export async function behindProxy(server: ReturnType<typeof postgresServer>) {
  const direct = await server.database()
  const proxy = await startProxy(server.port)
  return { direct, proxy, url: direct.replace(`:${server.port}/`, `:${proxy.port}/`) }
}

/** Cuts the connection after the next message that contains the given text. */
export function cutAfter(proxy: Awaited<ReturnType<typeof startProxy>>, text: string): void {
  proxy.onSent = (bytes) => {
    if (!bytes.includes(text)) return 'pass'
    proxy.onSent = null
    return 'cut-after'
  }
}

export const NOTE: RunNote = { ...EMPTY_NOTE, memo: 'memo' }

/** Returns the time that is the given number of minutes after 12:00 UTC on 22 November 2026. */
export function minute(minutes: number): number {
  return Date.UTC(2026, 10, 22, 12) + minutes * 60_000
}

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

export async function all(target: Target): Promise<readonly SyncRecord[]> {
  const records: SyncRecord[] = []
  for await (const batch of target.records()) records.push(...batch)
  return records
}
