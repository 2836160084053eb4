import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { type Copy, type HoldOptions, NO_COUNTS, type ResourceName, type RunNote } from '../../../src/sync/copy.ts'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import type { SyncRecord } from '../../../src/sync/record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { SqliteTarget } from '../../../src/sync/sqlite/sqlite-target.ts'
import { freshDirectory } from '../../support/partner.ts'

export const HOLD: HoldOptions = {
  ...{ reset: false, standby: false, leaseMs: 30_000, overlapMs: 0, command: 'bookings sync' },
  signal: new AbortController().signal,
  say: async () => {},
}

export const NOTE: RunNote = { startedMs: Date.UTC(2026, 10, 22), requests: 1, before: NO_COUNTS, memo: '{}' }

/** Returns a path for a database. The path's directory is deleted after the test. */
export const freshDatabase = () => join(freshDirectory(), 'venue.db')

export function targetAt(path: string, resource: ResourceName = 'bookings', source = 'venue', isShared = false) {
  return Promise.resolve(new SqliteTarget(path, { resource, source, env: {}, timezone: 'Australia/Sydney', isShared }))
}

export async function held(path: string, resource?: ResourceName, options: Partial<HoldOptions> = {}): Promise<Copy> {
  const copy = await (await targetAt(path, resource)).hold({ ...HOLD, ...options })
  onTestFinished(() => copy.close())
  return copy
}

export function recordsOf(resource: ResourceName, list: readonly unknown[]): SyncRecord[] {
  return list.map((one) => toSyncRecord(JSON.stringify(one), RESOURCES[resource]))
}

export async function sync(path: string, resource: ResourceName, list: readonly unknown[], cursorMs = NOTE.startedMs) {
  const copy = await (await targetAt(path, resource)).hold(HOLD)
  try {
    await copy.add(recordsOf(resource, list))
    return await copy.commit(cursorMs, NOTE, resource === 'giftcards')
  } finally {
    await copy.close()
  }
}

export function query(path: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  } finally {
    database.close()
  }
}

export const booking = (id: string, minute: number, more: object = {}) => ({
  bookingId: id,
  lastModifiedDate: new Date(Date.UTC(2026, 10, 22, 4, minute)).toISOString(),
  ...more,
})
