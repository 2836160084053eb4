import { expect, test } from 'vitest'
import { openTarget } from '../../../src/sync/open-target.ts'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import type { SyncRecord } from '../../../src/sync/record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { answers } from '../../support/raw-server.ts'
import { booking, startDesk } from '../service.ts'

test('a file target needs no lock to read its state and the newest version of each record', async () => {
  const { service, desk } = await startDesk('2026-11-20T12:00:00.000Z', [
    booking('A', '2026-11-20T08:00:00.000Z'),
    booking('B', '2026-11-20T09:00:00.000Z'),
    { people: 3 },
  ])
  const place = { resource: 'bookings', source: service.server.baseUrl, env: {} } as const
  expect(await (await openTarget(desk.path, 'file', place)).state()).toBeNull()
  await desk.sync('--since', '2026-11-20T00:00:00Z')
  service.nowMs += 60_000
  service.records = [booking('A', '2026-11-20T12:00:30.000Z')]
  await desk.sync()
  const target = await openTarget(desk.path, 'file', place)
  const found: string[] = []
  for await (const batch of target.records())
    found.push(...batch.map(({ id, changedMs }) => `${id} ${changedMs && new Date(changedMs).toISOString()}`))
  expect(found.sort()).toEqual(['A 2026-11-20T12:00:30.000Z', 'B 2026-11-20T09:00:00.000Z', 'null null'])
  const all: (string | null)[] = []
  for await (const batch of target.records('all')) all.push(...batch.map(({ id }) => id))
  expect(all.sort()).toEqual(['A', 'A', 'B', null])
  const state = await target.state()
  expect(state).toMatchObject({
    source: place.source,
    resource: 'bookings',
    rows: 4,
    holder: null,
    lastRun: { added: 0, changed: 1, requests: 1 },
  })
  expect(new Date(state?.cursorMs ?? 0).toISOString()).toMatch(/^2026-11-20T12:00:5|^2026-11-20T12:01:00/)
})

test('a CSV target cannot return records, because a CSV file contains only some of their members', async () => {
  const { desk } = await startDesk('2026-11-20T12:00:00.000Z', [], 'b.csv')
  const target = await openTarget(desk.path, 'file', { resource: 'bookings', source: 'x', env: {} })
  await expect(async () => {
    for await (const _ of target.records()) expect.fail('it yielded records')
  }).rejects.toThrow(/contains only columns/)
})

test('a file target returns the record from every line, regardless of how the JSON is formatted', async () => {
  const odd = [
    '{"bookingId":"A\\u0042","lastModifiedDate":"2026-11-20T08:00:00.000Z"}',
    '{ "people" : 2 , "bookingId" : 17 , "lastModifiedDate" : "2026-11-20T08:00:00Z" }',
    '{"bookingId":"é😀","bookingId":"ü","lastModifiedDate":"2026-11-20T08:00:00.000Z","x":{"bookingId":"Z"}}',
    '{"people":3}',
    '{"bookingId":"","lastModifiedDate":null}',
    `{"bookingId":"X","lastModifiedDate":"2026-11-20T08:00:00.000Z","long":"${'é'.repeat(300_000)}"}`,
  ]
  const { service, desk } = await startDesk('2026-11-20T12:00:00.000Z', [])
  service.lie = () =>
    answers(200, `{"bookings":[${odd.join()}]}`, {
      date: new Date(service.nowMs).toUTCString(),
      'content-type': 'application/json',
    })
  expect(await desk.sync('--since', '2026-11-20T00:00:00Z')).toMatchObject({ code: 0 })
  const target = await openTarget(desk.path, 'file', { resource: 'bookings', source: service.server.baseUrl, env: {} })
  const all: SyncRecord[] = []
  for await (const batch of target.records('all'))
    all.push(...batch.map(({ text, id, changedMs, version }) => ({ text, id, changedMs, version })))
  const expected = odd.map((text) => toSyncRecord(text, RESOURCES.bookings, true))
  expect(all).toEqual(expected.map(({ parsed, ...record }) => record))
})
