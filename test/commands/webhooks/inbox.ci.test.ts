import { expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { OWN_POSTGRES, postgresServer } from '../../support/postgres.ts'
import { answers, freePort, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { schemaViolations } from '../../support/schema-violations.ts'
import { until } from '../../support/until.ts'
import { words } from '../../support/words.ts'
import { openTestInbox } from '../../webhooks/inbox/inboxes.ts'
import { bookingEvent, startListening } from '../../webhooks/listener/listening.ts'

needs(OWN_POSTGRES)
const server = postgresServer()

const inbox = (url: string, ...args: readonly string[]) =>
  runPartner(['webhooks', 'inbox', '--from', url, ...args], { env: freshHome() })

/** Creates an inbox with events in every state: event 1 is waiting, 2 is leased, 3 is done, and 4 and 5 are dead. */
async function inboxOfEach(): Promise<string> {
  const url = await server.database()
  const { event } = await openTestInbox(url)
  for (const id of ['BK-1', 'BK-2', 'BK-3', 'BK-4']) await event('BOOKING_UPDATED', id)
  await event('BOOKING_CREATED', 'BK-5')
  const holder = JSON.stringify({ host: 'web-2', pid: 4711, command: 'webhooks work', token: 't' })
  await server.query(
    url,
    `UPDATE inbox SET state = 'leased', lease_until = now() + interval '1 h', lease_holder = '${holder}', attempts = 1 WHERE id = 2;
     UPDATE inbox SET state = 'done', done_at = now() - interval '2 days', last_received_at = now() - interval '2 days' WHERE id = 3;
     UPDATE inbox SET state = 'dead', attempts = 6, last_error = 'exit code 3' WHERE id > 3`,
  )
  return url
}

const statesOf = async (url: string) =>
  (await server.query(url, 'SELECT state FROM inbox ORDER BY id')).map(({ state }) => state)

test('webhooks inbox lists the most recent events first and counts events by state', async () => {
  const url = await inboxOfEach()
  const run = await inbox(url, '--json')
  expect(run).toMatchObject({ code: 0, stderr: '1 waiting, 1 leased, 1 done, 2 dead\n' })
  expect(schemaViolations('webhooks inbox', run.stdout)).toEqual([])
  const rows = JSON.parse(run.stdout)
  expect(rows.map(({ id }: { id: number }) => id)).toEqual([5, 4, 3, 2, 1])
  expect(rows[0]).toMatchObject({
    ...{ state: 'dead', event: 'BOOKING_CREATED', subject: 'BK-5', locationId: 'L-1', attempts: 6, times: 1 },
    ...{ lastError: 'exit code 3', verdict: 'new', nextAt: null, worker: null, doneAt: null },
    receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
  expect(rows[3]).toMatchObject({ worker: 'process 4711 on web-2 (webhooks work)', leaseUntil: expect.any(String) })
  const table = await inbox(url, '--state', 'dead', '--state', 'leased', '--event', 'Booking_updated')
  expect(table.stdout).toContain('LAST ERROR')
  expect(table.stdout.match(/BK-\d/g)).toEqual(['BK-4', 'BK-2'])
  expect((await inbox(url, '--only', 'bk-3', '-o', 'csv')).stdout).toMatch(/^3,done,BOOKING_UPDATED,BK-3,/m)
  expect((await inbox(url, '--limit', '2', '-o', 'tsv', '--columns', 'id')).stdout).toMatch(/5\n4\n$/)
})

test('webhooks inbox can retry all dead events or only the events with the given IDs', async () => {
  const url = await inboxOfEach()
  expect(await inbox(url, '--retry', '4')).toMatchObject({ code: 0, stderr: '1 event will be retried\n' })
  expect(await statesOf(url)).toEqual(['waiting', 'leased', 'done', 'waiting', 'dead'])
  expect(await inbox(url, '--retry-dead')).toMatchObject({ code: 0, stderr: '1 event will be retried\n' })
  expect(await server.query(url, 'SELECT DISTINCT attempts FROM inbox WHERE id > 3')).toEqual([{ attempts: '0' }])
  const others = await inbox(url, '--retry', '1', '--retry', '3', '--retry', '2', '--retry', '99')
  expectRefusal(others, { code: 11, says: 'not dead or waiting: 3, 2, 99' })
  expect(others.stderr).toContain('1 event will be retried')
  expect(await statesOf(url)).toEqual(['waiting', 'leased', 'done', 'waiting', 'waiting'])
})

test('webhooks inbox --purge-done-before deletes only events that were completed before the given time', async () => {
  const url = await inboxOfEach()
  expect((await inbox(url, '--purge-done-before', '-3d', '--yes')).stderr).toBe('0 events were deleted\n')
  expect((await inbox(url, '--purge-done-before', '-1d', '--yes')).stderr).toBe('1 event was deleted\n')
  expect(await statesOf(url)).toEqual(['waiting', 'leased', 'dead', 'dead'])
})

test('webhooks inbox reports a missing inbox, or all command-line mistakes at once', async () => {
  const url = await server.database()
  expectRefusal(await inbox(url), { code: 3, says: 'has no table named inbox', next: 'partner webhooks listen --help' })
  const run = await inbox('x.ndjson', '--state', 'gone', '--retry', 'BK-1', '--retry-dead', '--limit', '0')
  for (const says of [
    '--from must be postgres://USER@HOST/DATABASE',
    '--state must be waiting, leased, done, dead, not "gone"',
    '--retry must be an ID from the list, such as 17, not "BK-1"',
    '--limit must be a whole number from 1 to 1000000, not "0"',
    'use only one of --retry, --retry-dead and --purge-done-before',
    'cannot be combined with --retry',
  ])
    expectRefusal(run, { code: 2, says })
})

test('several listeners can share one inbox, and each responds only after the inbox has stored the delivery', async () => {
  const url = await server.database()
  const options = { journal: null, env: { K: 'secret-7f3a' } }
  const start = () => startListening(['--to', url, '--require-header', 'X-Security-Key=env:K'], options)
  const [one, two] = await Promise.all([start(), start()])
  expect(one.said.stderr).toMatch(/; the inbox of partner_\w+ at 127\.0\.0\.1:\d+; Ctrl-C to stop/)
  const headers = { 'x-security-key': 'secret-7f3a', 'x-request-id': 'r-1' }
  expect(await one.post(bookingEvent('BOOKING_UPDATED'), headers)).toBe(200)
  expect(await server.query(url, 'SELECT times, headers FROM inbox')).toMatchObject([
    { times: '1', headers: expect.stringMatching(/"x-security-key": "••••"/) },
  ])
  expect(await two.post(bookingEvent('BOOKING_UPDATED'), headers)).toBe(200)
  expect(await two.post(bookingEvent('BOOKING_UPDATED'))).toBe(401)
  await until(() => two.records().length === 1)
  expect(two.records()).toMatchObject([{ verdict: 'duplicate', status: 200 }])
  for (const listener of [one, two]) expect(await listener.stop()).toMatchObject({ code: 0 })
})

test('webhooks listen --to responds with 503 while the database is down, and continues once the database is back', async () => {
  const url = await server.database()
  const listener = await startListening(['--to', url], { journal: null })
  await server.stop()
  expect(await listener.post(bookingEvent('BOOKING_UPDATED', 'BK-1'))).toBe(503)
  await listener.says('refused with 503: cannot reach PostgreSQL at 127.0.0.1')
  const waiting = listener.post(bookingEvent('BOOKING_UPDATED', 'BK-2'))
  await server.start()
  // On a slow machine, the database might not be ready in time. BK-2 must be in the inbox if the response was 200.
  const answered = (await waiting) === 200 ? ['BK-2'] : []
  await listener.says('is reachable again')
  expect(await listener.post(bookingEvent('BOOKING_UPDATED', 'BK-3'))).toBe(200)
  const kept = (await server.query(url, 'SELECT subject FROM inbox')).map(({ subject }) => subject)
  expect(kept).toEqual(expect.arrayContaining([...answered, 'BK-3']))
  expect((await listener.stop()).code).toBe(0)
})

test('webhooks replay can resend deliveries from an inbox instead of a journal', async () => {
  const url = await inboxOfEach()
  const target = await startRawServer([answers(200)])
  const line = `webhooks replay ${url} --to ${target.baseUrl} --event BOOKING_UPDATED --only BK-3 --json`
  const run = await runPartner(words(line), { env: freshHome() })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(run.stdout)).toMatchObject([{ line: 3, subject: 'BK-3', status: 200 }])
  expect(target.requests.map(({ body }) => body)).toEqual([bookingEvent('BOOKING_UPDATED', 'BK-3')])
  const password = words(`webhooks replay postgres://a:b@h/d --to ${target.baseUrl}`)
  const wrong = await runPartner(password, { env: freshHome() })
  expectRefusal(wrong, { code: 2, says: 'JOURNAL must not contain a password' })
})

test('webhooks listen rejects an invalid or unreachable inbox address', async () => {
  const listen = (...args: readonly string[]) => runPartner(['webhooks', 'listen', ...args], { env: freshHome() })
  expectRefusal(await listen('--to', 'inbox.db'), { code: 2, says: '--to must be postgres://USER@HOST/DATABASE' })
  const both = await listen('--to', 'postgres://a@h/d?x=1', '--journal', 'x.ndjson')
  expectRefusal(both, { code: 2, says: '--journal and --to cannot be used together' })
  expectRefusal(both, { code: 2, says: '--to has an unknown parameter: x' })
  const gone = await listen('--to', `postgres://a@127.0.0.1:${await freePort()}/d`)
  expectRefusal(gone, { code: 8, says: 'cannot reach PostgreSQL' })
})
