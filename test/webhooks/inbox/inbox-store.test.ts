import { describe, expect, test } from 'vitest'
import { type InboxDelivery, readInbox } from '../../../src/webhooks/inbox/read-inbox.ts'
import { needs } from '../../support/needs.ts'
import { OWN_POSTGRES, postgresServer } from '../../support/postgres.ts'
import { behindProxy, cutAfter, hold, minute, NOTE } from '../../sync/postgres/copies.ts'
import { openTestInbox, placeOf } from './inboxes.ts'

needs(OWN_POSTGRES)
const server = postgresServer()

const rows = (url: string, columns = 'subject, times, state, verdict') =>
  server.query(url, `SELECT ${columns} FROM inbox ORDER BY id`)
const mark = (url: string, sets: string) => server.query(url, `UPDATE inbox SET ${sets}`)

describe('repeated events in an inbox', () => {
  test('events with the same bytes within the duplicate window are counted in one row', async () => {
    const url = await server.database()
    const { event } = await openTestInbox(url)
    expect([await event('BOOKING_UPDATED'), await event('BOOKING_UPDATED')]).toEqual(['new', 'duplicate'])
    expect(await event('BOOKING_UPDATED', 'BK-2')).toBe('new')
    expect(await rows(url)).toEqual([
      { subject: 'BK-1001', times: '2', state: 'waiting', verdict: 'new' },
      { subject: 'BK-2', times: '1', state: 'waiting', verdict: 'new' },
    ])
  })

  test('an event that is repeated after the duplicate window gets a new row', async () => {
    const url = await server.database()
    const { event } = await openTestInbox(url)
    await event('BOOKING_UPDATED')
    await mark(url, `last_received_at = last_received_at - interval '11 minutes'`)
    expect(await event('BOOKING_UPDATED')).toBe('new')
    expect(await event('BOOKING_UPDATED')).toBe('duplicate')
    expect(await rows(url, 'times')).toEqual([{ times: '1' }, { times: '2' }])
  })

  test('an event that reaches several listeners at the same time gets only one row', async () => {
    const url = await server.database()
    const listeners = await Promise.all([openTestInbox(url), openTestInbox(url), openTestInbox(url)])
    for (let round = 0; round < 20; round++) {
      const verdicts = await Promise.all(
        listeners.flatMap(({ event }) => [
          event('BOOKING_UPDATED', `B-${round}`),
          event('BOOKING_CREATED', `B-${round}`),
        ]),
      )
      expect(verdicts.filter((verdict) => verdict !== 'duplicate')).toHaveLength(2)
    }
    expect(await server.query(url, 'SELECT count(*) AS n, min(times) AS least, max(times) AS most FROM inbox')).toEqual(
      [{ n: '40', least: '3', most: '3' }],
    )
  })

  test.each([
    [
      'an update that is repeated while it is being handled is handled again',
      'BOOKING_UPDATED',
      'leased',
      'leased',
      't',
    ],
    ['an update that is repeated after it was handled is handled again', 'BOOKING_UPDATED', 'done', 'waiting', 'f'],
    [
      'a creation that is repeated while it is being handled is only counted',
      'BOOKING_CREATED',
      'leased',
      'leased',
      'f',
    ],
    ['a creation that is repeated after it was handled is only counted', 'BOOKING_CREATED', 'done', 'done', 'f'],
    [
      'an update that is repeated while it waits for a retry is due immediately',
      'BOOKING_UPDATED',
      'waiting',
      'waiting',
      'f',
    ],
    ['a repeated event that is dead gets new attempts', 'BOOKING_CREATED', 'dead', 'waiting', 'f'],
  ])('%s', async (_, name, state, then, again) => {
    const url = await server.database()
    const { event } = await openTestInbox(url)
    await event(name)
    await mark(url, `state = '${state}', attempts = 6, done_at = now(), next_at = now() + interval '1 h'`)
    expect(await event(name)).toBe('duplicate')
    const attempts = state !== 'leased' && then === 'waiting' ? '0' : '6'
    expect(await rows(url, 'state, came_again, attempts, times, next_at <= clock_timestamp() AS due')).toEqual([
      { state: then, came_again: again, attempts, times: '2', due: attempts === '0' ? 't' : 'f' },
    ])
  })
})

test('an inbox stores the headers of the 200 most recent duplicates of a row', async () => {
  const url = await server.database()
  const { put } = await openTestInbox(url)
  const body = '{"eventType":"BOOKING_UPDATED","data":{"bookingId":"A"}}'
  for (const request of ['r-1', 'r-2', 'r-3']) await put(body, { 'x-request-id': request })
  const kept = () => rows(url, `times, jsonb_path_query_array(repeats, '$[*].headers."x-request-id"') AS requests`)
  expect(await kept()).toEqual([{ times: '3', requests: '["r-2", "r-3"]' }])
  const many = 'SELECT jsonb_agg(one) FROM (SELECT repeats->0 AS one FROM generate_series(1, 200)) AS many'
  await mark(url, `repeats = (${many})`)
  await put(body, { 'x-request-id': 'r-4' })
  const [row] = await kept()
  const requests = JSON.parse(row?.['requests'] ?? '')
  expect([requests.length, requests.at(-2), requests.at(-1)]).toEqual([200, 'r-2', 'r-4'])
})

test('an inbox recognizes a stale creation event and a duplicate with different formatting in a single transaction', async () => {
  const { event, put } = await openTestInbox(await server.database())
  const verdicts = await Promise.all([
    event('BOOKING_CREATED', 'B-0'),
    event('BOOKING_UPDATED'),
    event('BOOKING_CREATED'),
    put('{"eventType":"BOOKING_CREATED", "data":{"bookingId":"B-0"}}'),
  ])
  expect(verdicts).toEqual(['new', 'new', 'stale', 'duplicate'])
})

test('an inbox stores deliveries byte for byte in order of arrival', async () => {
  const url = await server.database()
  const { put } = await openTestInbox(url)
  const bodies = [
    Buffer.from('{ "eventType" : "O\'Neill \\u0000 \\\\ \u4e2d", "data":{"bookingId":"B\\ud800"} }\n'),
    Buffer.concat([Buffer.from('{"eventType":"X","note":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    Buffer.from(JSON.stringify({ eventType: 'E'.repeat(5000), data: { bookingId: '中'.repeat(5000) } })),
  ]
  const headers = { 'x-note': "it's \\ \u00e9", 'x-security-key': '••••' }
  for (const body of bodies) await put(body, headers)
  const kept: InboxDelivery[] = []
  for await (const batch of readInbox(placeOf(url), new AbortController().signal)) kept.push(...batch)
  expect(kept.map(({ body }) => Buffer.from(body))).toEqual(bodies)
  expect(kept[0]).toMatchObject({ headers, times: 1, state: 'waiting', verdict: 'new' })
  expect(Math.abs((kept[0]?.timeMs ?? 0) - Date.now())).toBeLessThan(600_000)
})

test('an inbox and a copy can share one database, regardless of which is created first', async () => {
  for (const isInboxFirst of [true, false]) {
    const url = await server.database()
    const steps = [
      async () => (await openTestInbox(url)).event('BOOKING_UPDATED'),
      async () => {
        const { copy } = await hold(url)
        await copy.commit(minute(1), NOTE)
        await copy.close()
      },
    ]
    for (const step of isInboxFirst ? steps : steps.toReversed()) await step()
    expect(await server.query(url, 'SELECT product, version FROM schema_version ORDER BY product')).toEqual([
      { product: 'partner', version: '1' },
      { product: 'partner inbox', version: '1' },
    ])
  }
})

describe('inboxes that lose their database connection', () => {
  test('an inbox rejects deliveries that wait too long for the database, and recovers once the database responds', async () => {
    const { direct, proxy, url } = await behindProxy(server)
    const { event, told } = await openTestInbox(url)
    await event('BOOKING_UPDATED', 'B-1')
    proxy.freeze()
    await expect(event('BOOKING_UPDATED', 'B-2')).rejects.toMatchObject({ exitCode: 8 })
    proxy.thaw()
    proxy.cut()
    expect(await event('BOOKING_UPDATED', 'B-3')).toBe('new')
    expect(told.join('\n')).toContain('reconnecting')
    expect(await server.query(direct, `SELECT count(*) AS n FROM inbox WHERE subject IN ('B-1', 'B-3')`)).toEqual([
      { n: '2' },
    ])
  })

  test('an inbox loses no acknowledged delivery if the connection breaks during the commit', async () => {
    const { direct, proxy, url } = await behindProxy(server)
    const { event } = await openTestInbox(url)
    cutAfter(proxy, 'COMMIT')
    await event('BOOKING_CREATED')
    expect(proxy.onSent).toBeNull()
    expect(await rows(direct, 'subject')).toEqual([{ subject: 'BK-1001' }])
  })
})

test('an inbox stores the other deliveries of a batch if the database rejects one', async () => {
  const url = await server.database()
  const { event } = await openTestInbox(url)
  await event('BOOKING_UPDATED', 'B-0')
  await server.query(url, `ALTER TABLE inbox ADD CHECK (subject <> 'B-2')`)
  const results = await Promise.allSettled(['B-1', 'B-2', 'B-3'].map((id) => event('BOOKING_UPDATED', id)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('an inbox reconnects if its database becomes read-only', async () => {
  const url = await server.database()
  const { event } = await openTestInbox(url)
  await event('BOOKING_UPDATED', 'B-1')
  const name = new URL(url).pathname.slice(1)
  await server.query(
    url,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '25006'; END $$;
    CREATE TRIGGER refusing BEFORE INSERT ON inbox EXECUTE FUNCTION refuse()`,
  )
  const pids = () =>
    server.query(url, `SELECT pid FROM pg_stat_activity WHERE application_name = 'partner' AND datname = '${name}'`)
  const before = await pids()
  await expect(event('BOOKING_UPDATED', 'B-2')).rejects.toMatchObject({
    words: expect.stringContaining('is read-only'),
  })
  await server.query(url, 'DROP TRIGGER refusing ON inbox')
  expect(await event('BOOKING_UPDATED', 'B-3')).toBe('new')
  expect(before).toHaveLength(1)
  expect(await pids()).not.toEqual(before)
})

test('an inbox refuses a database with an inbox table that partner did not create', async () => {
  const url = await server.database()
  await server.query(url, 'CREATE TABLE inbox (mail text)')
  await expect(openTestInbox(url)).rejects.toMatchObject({
    exitCode: 2,
    words: expect.stringContaining('unrelated table'),
  })
})
