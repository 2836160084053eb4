import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deliveryLine } from '../../../../src/webhooks/events/journal/entry.ts'
import { skipWithout } from '../../../support/needs.ts'
import { freshDirectory, freshHome, ROOT, runPartner } from '../../../support/partner.ts'
import { POSTGRES, postgresServer } from '../../../support/postgres.ts'
import { answers } from '../../../support/raw-server.ts'
import { expectRefusal } from '../../../support/refusal.ts'
import { startPartner } from '../../../support/running.ts'
import { until } from '../../../support/until.ts'
import { venueOfThisFile } from '../../../support/venue.ts'
import { configureVenues } from '../../../support/venues.ts'
import { at, booking, startSyncService } from '../../../sync/service.ts'
import { openTestInbox } from '../../../webhooks/inbox/inboxes.ts'
import { startListening, watched } from '../../../webhooks/listener/listening.ts'

const NOON = '2026-11-20T12:00:00.000Z'
const SINCE = ['--since', '2026-11-20T00:00:00Z']
const A = booking('A', '2026-11-20T11:00:00.000Z')
const B = booking('B', '2026-11-20T12:00:30.000Z')

/** Appends a delivery for each booking to a journal, as a listener would. */
function deliver(journal: string, ids: readonly string[], locationId = 'L-1'): void {
  const bodies = ids.map((bookingId) => ({ eventType: 'BOOKING_UPDATED', data: { bookingId, locationId } }))
  const lines = bodies.map((body) => ({ timeMs: 0, headers: {}, body: Buffer.from(JSON.stringify(body)) }))
  appendFileSync(journal, lines.map((line) => deliveryLine({ ...line, verdict: 'new' })).join(''))
}

/** Starts a sync with --wake and waits for its first run to end. */
async function startWoken(to: string, { wake, every = '1h' }: { wake: string; every?: string }) {
  const service = await startSyncService(NOON, [A])
  const env = { ...freshHome(), ...service.server.env, PARTNER_TIMEZONE: 'Australia/Sydney' }
  const args = ['bookings', 'sync', '--to', to, '--source', 'x', '--every', every, '--wake', wake, ...SINCE]
  const sync = watched(startPartner(args, { env, isService: true }))
  await sync.says('1 new, 0 changed')
  const appear = (...records: readonly (typeof A)[]) => {
    service.nowMs = at('2026-11-20T12:01:00.000Z')
    service.records.push(...records)
  }
  return { service, sync, env, appear }
}

describe('bookings sync --wake with a journal', () => {
  test.each(['b.ndjson', 'b.csv', 'b.db'])('an event wakes bookings sync --to %s', async (name) => {
    const [path, wake] = [join(freshDirectory(), name), join(freshDirectory(), 'hooks.ndjson')]
    const { sync, appear } = await startWoken(path, { wake })
    expect(sync.said.stderr).toMatch(/^warning: .*hooks\.ndjson does not exist yet; waiting for webhooks listen/)
    appear(B)
    deliver(wake, ['B'])
    await sync.says('; woken by 1 event\n')
    expect(sync.said.stderr).toMatch(/: 1 new, 0 changed, \d unchanged; window .*; woken by 1 event\n$/)
    expect(await sync.stop()).toMatchObject({ code: 130, stdout: '' })
    expect(readFileSync(path).includes('2026-11-20T12:00:30')).toBe(true)
  })

  test('an event wakes bookings sync --to -, which prints the change', async () => {
    const wake = join(freshDirectory(), 'hooks.ndjson')
    const { sync, appear } = await startWoken('-', { wake })
    appear(B)
    deliver(wake, ['B'])
    await until(() => sync.records().length === 2)
    expect(sync.records()).toEqual([A, B])
  })

  test('several events start a single sync run, and events during that run start one more run', async () => {
    const wake = join(freshDirectory(), 'hooks.ndjson')
    const { sync, appear, service } = await startWoken(join(freshDirectory(), 'b.ndjson'), { wake })
    let release = () => {}
    service.lie = () => (socket) => {
      release = () => void socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{"bookings":[]}`)
    }
    deliver(wake, ['A', 'A', 'A'])
    await until(() => service.server.requests.length === 2)
    deliver(wake, ['B', 'C'])
    deliver(wake, ['B'])
    service.lie = null
    appear(B, booking('C', '2026-11-20T12:00:40.000Z'))
    release()
    await until(() => sync.said.stderr.split('woken by 3 events').length === 3)
    expect(sync.said.stderr).toContain(': 2 new, 0 changed')
    expect(sync.said.stderr.match(/^bookings: /gm)).toHaveLength(3)
  })

  test('bookings sync --wake checks again for a change that is not yet listed when its event arrives', async () => {
    const wake = join(freshDirectory(), 'hooks.ndjson')
    const { sync, appear } = await startWoken(join(freshDirectory(), 'b.ndjson'), { wake })
    deliver(wake, ['B'])
    await sync.says('; woken by 1 event\n')
    appear(B)
    await sync.says('; checked again after 1 event\n')
    expect(sync.said.stderr).toMatch(/: 0 new, .*; woken by 1 event\n.*: 1 new, .*; checked again after 1 event\n$/)
  })

  test('bookings sync --wake retries a failed run before the --every interval ends', async () => {
    const wake = join(freshDirectory(), 'hooks.ndjson')
    const { sync, appear, service } = await startWoken(join(freshDirectory(), 'b.ndjson'), { wake })
    service.lie = () => answers(400, { message: 'Not now.' })
    deliver(wake, ['B'])
    await sync.says('retrying in 5 s')
    appear(B)
    service.lie = null
    await sync.says('; woken by 1 event\n')
    expect(sync.said.stderr).toMatch(/: 1 new, .*; woken by 1 event\n$/)
  })

  test('bookings sync --wake finds changes at the --every interval if no event arrives', async () => {
    const wake = join(freshDirectory(), 'hooks.ndjson')
    writeFileSync(wake, 'not a delivery\n')
    const { sync, appear } = await startWoken(join(freshDirectory(), 'b.ndjson'), { wake, every: '1s' })
    appendFileSync(wake, 'not a delivery either\n')
    appear(B)
    await until(() => sync.said.stderr.split(': 1 new, ').length === 3)
    await sync.says('ignoring lines in')
    expect(sync.said.stderr).not.toContain('woken')
  })

  test('an event wakes a sync that was on --standby and has taken over', async () => {
    const [to, wake] = [join(freshDirectory(), 'b.ndjson'), join(freshDirectory(), 'hooks.ndjson')]
    const { sync, env, appear } = await startWoken(to, { wake })
    const more = ['--source', 'x', '--every', '1h', '--wake', wake, '--standby']
    const second = watched(startPartner(['bookings', 'sync', '--to', to, ...more], { env, isService: true }))
    await second.says('waiting for it to end')
    await sync.stop()
    await second.says('0 new, 0 changed')
    appear(B)
    deliver(wake, ['B'])
    await second.says('; woken by 1 event\n')
    expect(second.said.stderr).toMatch(/: 1 new, .*; woken by 1 event\n$/)
  })
})

test('with --profiles, an event wakes only the venue whose location ID it contains', async () => {
  const services = [await startSyncService(NOON, [A]), await startSyncService(NOON, [A])]
  const { env } = configureVenues(
    services.map(({ server }, n) => ({
      ...{ name: `venue-${n}`, baseUrl: server.baseUrl, timezone: 'Australia/Sydney', locationId: `L-${n}` },
    })),
  )
  const [to, wake] = [join(freshDirectory(), 'venues.db'), join(freshDirectory(), 'hooks.ndjson')]
  const args = ['bookings', 'sync', '--profiles', 'all', '--to', to, '--every', '1h', '--wake', wake, ...SINCE]
  const sync = watched(startPartner(args, { env, isService: true }))
  for (const n of [0, 1]) await sync.says(`venue-${n}: bookings: 1 new`)
  deliver(wake, ['A'], 'L-1')
  await until(() => /venue-1: .*woken by 1 event\n/.test(sync.said.stderr))
  deliver(wake, ['A'], 'L-elsewhere')
  deliver(wake, ['A', 'A'], 'L-0')
  await until(() => /venue-0: .*woken by 2 events\n/.test(sync.said.stderr))
  expect(sync.said.stderr.match(/does not exist yet/g)).toHaveLength(1)
  expect(sync.said.stderr.match(/woken/g)).toHaveLength(2)
})

describe('bookings sync --wake with an inbox', () => {
  const server = postgresServer()

  test('an event in an inbox wakes a sync that writes to PostgreSQL', async (context) => {
    skipWithout(context, POSTGRES)
    const [to, wake] = [await server.database(), await server.database()]
    const { event } = await openTestInbox(wake)
    await event('BOOKING_UPDATED', 'A')
    const { sync, appear } = await startWoken(to, { wake })
    appear(B)
    await event('BOOKING_CREATED', 'B')
    await sync.says('; woken by 1 event\n')
    expect(await server.query(to, "SELECT id FROM bookings WHERE source = 'x' ORDER BY id")).toEqual([
      { id: 'A' },
      { id: 'B' },
    ])
    const denied = wake.replace(/\/\/[^@]*@/, '//nobody-like-this@')
    const refused = await runPartner(['bookings', 'sync', '--to', to, '--every', '1h', '--wake', denied], {
      env: { ...freshHome(), PARTNER_PROFILE: 'sandbox' },
    })
    expectRefusal(refused, { code: 5, says: /rejected the user "nobody-like-this"/ })
    // An identical event may announce another change, so it must wake the sync again.
    await event('BOOKING_UPDATED', 'A')
    await until(() => sync.said.stderr.split('woken by 1 event').length === 3)
    expect(await sync.stop()).toMatchObject({ code: 130 })
  })
})

describe('bookings sync --wake with the sandbox', async () => {
  const venue = await venueOfThisFile()

  test('bookings sync --wake misses no changes, even if a fifth of the events are lost', async () => {
    const listener = await startListening()
    await venue.json('webhooks', 'create', 'BOOKING_UPDATED', listener.url)
    const fault = ['--endpoint', 'PATCH /Bookings/{bookingId}/updatepax', '--lost-webhook', '--share', '20']
    await venue.json('sandbox', 'faults', 'add', '--base-url', venue.sandbox.baseUrl, ...fault, '--seed', '3')
    const to = join(freshDirectory(), 'b.ndjson')
    const env = { ...freshHome(), ...venue.env }
    const args = ['bookings', 'sync', '--to', to, '--every', '2s', '--wake', listener.journal]
    const sync = watched(startPartner(args, { env, isService: true }))
    await sync.says(' new, 0 changed')
    const ids = (await venue.json('bookings', 'list', '--updated-from', '2000-01-01', '--limit', '30')) as {
      bookingId: string
    }[]
    for (const { bookingId } of ids)
      await fetch(`${venue.sandbox.baseUrl}/Bookings/${bookingId}/updatepax`, {
        method: 'PATCH',
        headers: { 'x-api-key': venue.sandbox.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ pax: 9 }),
      })
    const before = sync.said.stderr.length
    await until(() => /\d requests?\n/.test(sync.said.stderr.slice(before)))
    expect(await sync.stop()).toMatchObject({ code: 130 })
    expect(sync.said.stderr).toContain('woken by')
    const delivered = listener.lines().length
    expect(delivered).toBeGreaterThan(0)
    expect(delivered).toBeLessThan(30)
    expect((await runPartner(['bookings', 'sync', 'verify', '--to', to], { env })).code).toBe(0)
  })
})

describe('invalid bookings sync --wake flags', () => {
  test.each([
    ['no interval', ['--wake', 'hooks.ndjson'], /--wake requires --every/],
    ['an empty name', ['--every', '5m', '--wake', ' '], /--wake must not be empty/],
    ['a directory', ['--every', '5m', '--wake', ROOT], /cannot read .*: it is a directory/],
    ['a password', ['--every', '5m', '--wake', 'postgres://a:secret@h/d'], /--wake must not contain a password/],
    ['an invalid URL', ['--every', '5m', '--wake', 'postgres://a@h:port/d'], /--wake.* is not a PostgreSQL URL/],
  ])('bookings sync --wake refuses %s', async (_, flags, says) => {
    const to = join(freshDirectory(), 'b.ndjson')
    const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
    expectRefusal(await runPartner(['bookings', 'sync', '--to', to, ...flags], { env }), { code: 2, says })
    expect(existsSync(to)).toBe(false)
  })
})
