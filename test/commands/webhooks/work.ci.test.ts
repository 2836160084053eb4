import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseNdjson } from '../../support/ndjson.ts'
import { needs, skipWithout } from '../../support/needs.ts'
import { type Environment, freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { OWN_POSTGRES, postgresServer } from '../../support/postgres.ts'
import { startProxy } from '../../support/proxy.ts'
import { answers, freePort, hangs, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { isRunning, startPartner } from '../../support/running.ts'
import { schemaViolations } from '../../support/schema-violations.ts'
import { runInTerminal, TERMINAL } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'
import { words } from '../../support/words.ts'
import { openTestInbox } from '../../webhooks/inbox/inboxes.ts'
import { bookingEvent, startListening, watched } from '../../webhooks/listener/listening.ts'

needs(OWN_POSTGRES)
const server = postgresServer()

const PASSWORD = 'right-7f3a9c'

async function inboxOf(...events: readonly (readonly [event: string, bookingId?: string])[]) {
  const url = await server.database()
  const { event, put } = await openTestInbox(url)
  for (const one of events) await event(...one)
  return { url, event, put, rows: (columns: string) => server.query(url, `SELECT ${columns} FROM inbox ORDER BY id`) }
}

const work = (url: string, args: readonly string[], env: Environment = {}) =>
  runPartner(['webhooks', 'work', '--from', url, ...args], { env: { ...freshHome(), ...env } })

function startWorker(url: string, ...args: readonly string[]) {
  return watched(startPartner(['webhooks', 'work', '--from', url, ...args], { env: freshHome() }))
}

describe('webhooks work --exec', () => {
  test('webhooks work --exec passes events to a command on standard input, oldest first and without secrets', async () => {
    const { url, rows } = await inboxOf(['BOOKING_CREATED'], ['BOOKING_UPDATED'], ['BOOKING_UPDATED', 'BK-2'])
    const out = join(freshDirectory(), 'out')
    const run = await work(url, ['--exec', `cat >> '${out}'; env >> '${out}.env'; echo >> '${out}'`, '--until-empty'], {
      PGPASSWORD: PASSWORD,
      ELSEWHERE: `postgres://a:${PASSWORD}@h/d`,
      PARTNER_API_KEY: 'key-12345678',
      PLAIN: 'kept',
    })
    expect(run).toMatchObject({ code: 0 })
    expect(readFileSync(out, 'utf8').split('\n')).toEqual([
      bookingEvent('BOOKING_CREATED'),
      bookingEvent('BOOKING_UPDATED'),
      bookingEvent('BOOKING_UPDATED', 'BK-2'),
      '',
    ])
    const env = readFileSync(`${out}.env`, 'utf8')
    for (const line of ['PLAIN=kept', 'PARTNER_WEBHOOK_SUBJECT=BK-2', 'PARTNER_WEBHOOK_ATTEMPT=1'])
      expect(env).toContain(line)
    for (const secret of [PASSWORD, 'key-12345678']) expect(env).not.toContain(secret)
    expect(parseNdjson(run.stdout)).toMatchObject([
      { id: 1, event: 'BOOKING_CREATED', subject: 'BK-1001', attempt: 1, outcome: 'done', error: null },
      { id: 2, outcome: 'done' },
      { id: 3, outcome: 'done' },
    ])
    expect(await rows('state')).toEqual([{ state: 'done' }, { state: 'done' }, { state: 'done' }])
  })

  test('webhooks work --exec schedules a retry if its command fails, and exits with code 11 once no event is due', async () => {
    const { url, rows } = await inboxOf(['BOOKING_UPDATED'], ['BOOKING_UPDATED', 'BK-2'])
    const failing = '[ "$PARTNER_WEBHOOK_SUBJECT" = BK-2 ] || exit 3'
    const run = await work(url, ['--exec', failing, '--until-empty', '--json'])
    expect(run.code).toBe(11)
    expect(run.stderr).toContain('BOOKING_UPDATED BK-1001 (1) failed: exit code 3; attempt 2 at 2')
    expect(schemaViolations('webhooks work', run.stdout)).toEqual([])
    expect(JSON.parse(run.stdout)).toMatchObject([
      { outcome: 'retry', error: 'exit code 3', nextAt: expect.stringMatching(/Z$/) },
      { outcome: 'done' },
    ])
    expect(await rows('state, attempts, last_error')).toEqual([
      { state: 'waiting', attempts: '1', last_error: 'exit code 3' },
      { state: 'done', attempts: '1', last_error: null },
    ])
    await server.query(url, 'UPDATE inbox SET next_at = now(), attempts = 5')
    const last = await work(url, ['--exec', 'exit 4', '--count', '1'])
    expect(last.stderr).toContain('marked dead after 6 attempts: partner webhooks inbox --retry 1')
    expect(await rows('state')).toEqual([{ state: 'dead' }, { state: 'done' }])
  })

  test('webhooks work --exec treats a command that does not exist like a command that fails', async () => {
    const { url, rows } = await inboxOf(['BOOKING_UPDATED'])
    expect((await work(url, ['--exec', '/nonexistent/handler', '--count', '1'])).code).toBe(11)
    expect(await rows('state, last_error')).toEqual([{ state: 'waiting', last_error: 'exit code 127' }])
  })

  test('webhooks work --exec renews the lease until its command ends, even after Ctrl-C', async () => {
    const { url, rows } = await inboxOf(['BOOKING_UPDATED'])
    const directory = freshDirectory()
    const go = join(directory, 'go')
    const worker = startWorker(url, '--lease', '2s', '--exec', `while [ ! -e '${go}' ]; do sleep 0.05; done; wait`)
    await until(async () => (await rows('state')).every(({ state }) => state === 'leased'))
    const [before] = await rows('lease_until')
    const renewed = `lease_until > '${before?.['lease_until']}'::timestamptz + interval '2 s'`
    await until(async () => (await server.query(url, `SELECT FROM inbox WHERE ${renewed}`)).length === 1)
    const ended = worker.stop()
    await worker.says('waiting for work in progress to finish')
    writeFileSync(go, '')
    expect(await ended).toMatchObject({ code: 0 })
    expect(worker.records()).toMatchObject([{ outcome: 'done' }])
    expect(await rows('state, lease_epoch')).toEqual([{ state: 'done', lease_epoch: '1' }])
  })

  test('killing a worker also kills its command, and another worker handles the event', async () => {
    const { url, rows } = await inboxOf(['BOOKING_UPDATED'])
    const file = join(freshDirectory(), 'pid')
    const worker = startWorker(url, '--lease', '2s', '--exec', `echo $$ > '${file}'; sleep 1000; echo late > '${file}'`)
    await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))
    const pid = Number(readFileSync(file, 'utf8'))
    worker.process.kill('SIGKILL')
    await worker.ended
    await until(() => !isRunning(pid))
    const other = startWorker(url, '--lease', '2s', '--exec', 'true')
    await until(() => other.records().length === 1)
    expect(other.records()).toMatchObject([{ outcome: 'done', attempt: 2 }])
    expect((await other.stop()).code).toBe(0)
    expect(await rows('state')).toEqual([{ state: 'done' }])
  })

  test('a worker that loses its database connection kills its command before another worker takes over', async () => {
    const { url: direct, rows } = await inboxOf(['BOOKING_UPDATED'])
    const proxy = await startProxy(server.port)
    const file = join(freshDirectory(), 'pid')
    const worker = startWorker(
      direct.replace(`:${server.port}/`, `:${proxy.port}/`),
      ...['--lease', '3s', '--exec', `echo $$ > '${file}'; trap '' TERM; sleep 1000 & wait; wait`],
    )
    await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))
    const pid = Number(readFileSync(file, 'utf8'))
    proxy.freeze()
    const other = startWorker(direct, '--lease', '3s', '--exec', `! kill -0 ${pid}`)
    await until(() => other.records().length === 1)
    expect(other.records()).toMatchObject([{ outcome: 'done', attempt: 2 }])
    await worker.says('its lease could not be renewed; it was not marked, and its handler was stopped')
    expect(worker.records()).toMatchObject([{ outcome: 'lost', error: 'its lease could not be renewed' }])
    proxy.thaw()
    proxy.cut()
    expect((await worker.stop()).code).toBe(0)
    expect(await rows('state')).toEqual([{ state: 'done' }])
  })
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'on %s, a worker finishes its event and exits with code 0',
  async (signal) => {
    const { url, put, rows } = await inboxOf()
    await put(bookingEvent('BOOKING_UPDATED', 'BK\u0000-1'))
    const go = join(freshDirectory(), 'go')
    const worker = startWorker(url, '--exec', `while [ ! -e '${go}' ]; do sleep 0.05; done`)
    await until(async () => (await rows('state')).every(({ state }) => state === 'leased'))
    worker.process.kill(signal)
    await worker.says('waiting for work in progress to finish')
    writeFileSync(go, '')
    expect(await worker.ended).toMatchObject({ code: 0 })
    expect(await rows('state')).toEqual([{ state: 'done' }])
    const idle = startWorker(url, '--exec', 'true')
    await idle.says('Ctrl-C to stop')
    idle.process.kill(signal)
    expect(await idle.ended).toMatchObject({ code: 0 })
  },
)

test('a worker reports that another worker took over its event, and does not mark the event as done', async () => {
  const { url, rows } = await inboxOf(['BOOKING_UPDATED'])
  const go = join(freshDirectory(), 'go')
  const worker = startWorker(url, '--exec', `while [ ! -e '${go}' ]; do sleep 0.05; done`)
  await until(async () => (await rows('state')).every(({ state }) => state === 'leased'))
  await server.query(url, 'UPDATE inbox SET lease_epoch = lease_epoch + 1')
  writeFileSync(go, '')
  await worker.says('BOOKING_UPDATED BK-1001 (1): another worker took it over; it was not marked as done')
  expect(await rows('state')).toEqual([{ state: 'leased' }])
  expect((await worker.stop()).code).toBe(0)
})

describe('webhooks work --forward-to', () => {
  test('webhooks work --forward-to forwards the exact body and the headers, with credentials only from the command line', async () => {
    const { url, put } = await inboxOf()
    const body = '{ "eventType": "BOOKING_UPDATED" }\n'
    const stored = { 'x-gitlab-token': 'token-of-an-earlier-release', 'x-shard': '7' }
    await put(body, { 'x-request-id': 'r-1', 'x-security-key': '••••', 'x-security-token': '••••', ...stored })
    const target = await startRawServer([answers(204)])
    const to = `--forward-to ${target.baseUrl}/in --security-key env:HOOK_KEY --until-empty --keep-header x-shard`
    expect(await work(url, words(to), { HOOK_KEY: 'key-of-the-hook' })).toMatchObject({ code: 0 })
    expect(target.requests).toMatchObject([{ method: 'POST', target: '/in', body }])
    const [sent] = target.requests.map(({ headers }) => headers)
    expect(sent).toMatchObject({ 'x-request-id': 'r-1', 'x-security-key': 'key-of-the-hook', 'x-shard': '7' })
    for (const name of ['x-security-token', 'x-gitlab-token']) expect(sent).not.toHaveProperty(name)
  })

  test('webhooks work --forward-to schedules a retry if an event is rejected, times out or cannot be sent', async () => {
    const { url, rows } = await inboxOf(['A_UPDATED'], ['B_UPDATED'])
    const target = await startRawServer([answers(500), hangs])
    const run = await work(url, ['--forward-to', target.baseUrl, '--timeout', '300ms', '--until-empty'])
    expect(run.code).toBe(11)
    await server.query(url, `UPDATE inbox SET next_at = now() WHERE id = 1`)
    const to = `http://127.0.0.1:${await freePort()}`
    const errors = [(await rows('last_error')).map((row) => row['last_error'])]
    expect((await work(url, ['--forward-to', to, '--until-empty'])).code).toBe(11)
    errors.push((await rows('last_error')).map((row) => row['last_error']))
    expect(errors[0]).toEqual(['it answered 500', expect.stringMatching(/300 ?ms|0\.3/)])
    expect(errors[1]?.[0]).toContain('nothing is listening at')
    expect(await rows('state')).toEqual([{ state: 'waiting' }, { state: 'waiting' }])
  })

  test('webhooks listen responds with 508 if webhooks work forwards an event back to its own inbox, even indirectly', async () => {
    const url = await server.database()
    const listener = await startListening(['--to', url], { journal: null })
    const other = await startListening(['--forward-to', listener.url])
    for (const [at, target] of [listener.url, other.url].entries()) {
      expect(await listener.post(bookingEvent('BOOKING_UPDATED', `BK-${at}`))).toBe(200)
      const run = await work(url, ['--forward-to', target, '--count', '3', '--until-empty'])
      expect(run.code).toBe(11)
      expect(run.stderr).toContain('it answered 508: it had already forwarded this delivery')
      const retry = { subject: `BK-${at}`, times: 1, outcome: 'retry' }
      expect(parseNdjson(run.stdout)).toContainEqual(expect.objectContaining(retry))
    }
    const cause = 'a worker of this inbox forwarded it: --forward-to leads back to this inbox'
    await listener.says(`refused with 508: ${cause}`)
    const counts = 'count(*) AS n, max(times) AS times, bool_or(came_again) AS again'
    const [row] = await server.query(url, `SELECT ${counts} FROM inbox`)
    expect(row).toEqual({ n: '2', times: '1', again: 'f' })
  })

  test('webhooks work --forward-to continues after the database restarts', async () => {
    const { url, event } = await inboxOf(['BOOKING_UPDATED', 'BK-1'])
    const target = await startRawServer(() => answers(200))
    const worker = startWorker(url, '--forward-to', target.baseUrl)
    await until(() => target.requests.length === 1)
    await server.stop()
    await worker.says('reconnecting')
    await server.start()
    await event('BOOKING_UPDATED', 'BK-2')
    await until(() => target.requests.length === 2)
    await worker.says('is reachable again')
    expect((await worker.stop()).code).toBe(0)
    expect(worker.records()).toMatchObject([{ subject: 'BK-1' }, { subject: 'BK-2' }])
  })
})

test('webhooks work --concurrency runs several handlers at once, but never two for the same booking', async () => {
  const { url, rows } = await inboxOf(['A_UPDATED'], ['B_UPDATED'], ['A_UPDATED', 'BK-2'], ['C_UPDATED', 'BK-3'])
  const directory = freshDirectory()
  // Each handler waits for the other to start, so the test passes only if both run at the same time.
  const meet = `touch '${directory}/'$PARTNER_WEBHOOK_SUBJECT; while [ ! -e '${directory}/BK-1001' ] || [ ! -e '${directory}/BK-2' ]; do sleep 0.02; done`
  const run = await work(url, ['--exec', meet, '--concurrency', '2', '--count', '2'])
  expect(run.code).toBe(0)
  expect(await rows('state')).toEqual(['done', 'waiting', 'done', 'waiting'].map((state) => ({ state })))
})

test('webhooks work prints events as a growing table at a terminal', async (context) => {
  skipWithout(context, TERMINAL)
  const { url, event } = await inboxOf(['BOOKING_UPDATED'])
  const seen = await runInTerminal(
    ['webhooks', 'work', '--from', url, '--exec', '[ $PARTNER_WEBHOOK_SUBJECT = BK-1001 ]'],
    [
      ['BK-1001', () => void event('GIFTCARDS_CANCELLED', 'BK-1002')],
      // Wait for the row before sending Ctrl-C, so that the echo of Ctrl-C appears below the row.
      ['retry', '\u0003'],
    ],
    freshHome(),
  )
  const rows = seen.standing.filter((row) => /^ *\d+ +[A-Z_]+ +BK-|OUTCOME/.test(row))
  expect(rows).toHaveLength(3)
  expect(rows[1]?.indexOf('done')).toBe(rows[0]?.indexOf('OUTCOME'))
  expect(rows[2]?.indexOf('retry')).toBe(rows[0]?.indexOf('OUTCOME'))
})

test('webhooks work reports all command-line mistakes at once', async () => {
  const args = ['--exec', ' ', '--forward-to', 'ftp://a', '--lease', '1s', '--concurrency', '0', '--count', 'x']
  const run = await work('postgres://bob:hunter2@db.example/x', [...args, '--timeout', '0s'])
  for (const says of [
    '--exec must not be empty',
    '--exec and --forward-to cannot be used together',
    '--from must not contain a password',
    '--forward-to must be an absolute http or https URL, not "ftp://a"',
    '--lease: "1s" is too short',
    '--concurrency must be a whole number from 1 to 64, not "0"',
    '--count must be a whole number',
    '--timeout: "0s" is too short',
  ])
    expectRefusal(run, { code: 2, says, secrets: ['hunter2'] })
  const missing = await work('hooks.ndjson', ['--timeout', '1s', '--security-key', 'env:K', '--query', '[].id'])
  for (const says of [
    '--from must be postgres://USER@HOST/DATABASE',
    '--exec CMD or --forward-to URL is required',
    '--timeout needs --forward-to',
    '--security-key and --security-token need --forward-to',
    '--query needs --count N or --until-empty',
  ])
    expectRefusal(missing, { code: 2, says })
})

test('a database role can use the inbox only if it has rights on the inbox table', async () => {
  const { url } = await inboxOf(['BOOKING_UPDATED'])
  await server.query(
    url,
    `CREATE ROLE hooks LOGIN; CREATE ROLE stranger LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO hooks, stranger;
     GRANT SELECT ON schema_version TO hooks; GRANT SELECT, INSERT, UPDATE, DELETE ON inbox TO hooks`,
  )
  const own = url.replace('postgres@', 'hooks@')
  expect(await (await openTestInbox(own)).event('BOOKING_UPDATED', 'BK-2')).toBe('new')
  expect((await work(own, ['--exec', 'true', '--count', '2'])).code).toBe(0)
  const purge = ['webhooks', 'inbox', '--from', own, '--purge-done-before', 'now', '--yes']
  expect(await runPartner(purge, { env: freshHome() })).toMatchObject({ code: 0, stderr: '2 events were deleted\n' })
  const stranger = await work(url.replace('postgres@', 'stranger@'), ['--exec', 'true'])
  const refused = { code: 5, says: 'does not let "stranger" do this', next: 'GRANT SELECT, INSERT, UPDATE, DELETE' }
  expectRefusal(stranger, refused)
})

test.each([[['--until-empty']], [[]]])(
  'webhooks work %j refuses a database without an inbox, and creates nothing in it',
  async (args) => {
    const url = await server.database()
    expectRefusal(await work(url, ['--exec', 'true', ...args]), {
      code: 3,
      says: 'does not exist: the database has no table named inbox',
      next: 'partner webhooks listen --help',
    })
    expect(await server.query(url, `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual(
      [],
    )
  },
)

test('webhooks work exits at startup if the database server is unreachable or the database does not exist', async () => {
  const gone = await work(`postgres://postgres@127.0.0.1:${await freePort()}/x`, ['--exec', 'true'])
  expectRefusal(gone, { code: 8, says: 'cannot reach PostgreSQL at 127.0.0.1', next: 'check that the host and port' })
  expectRefusal(await work(server.url('nowhere'), ['--exec', 'true']), { code: 5, says: 'has no such database' })
  const json = await work(server.url('nowhere'), ['--exec', 'true', '--json'])
  expect(reportedError(json)).toMatchObject({ code: 'REJECTED' })
})
