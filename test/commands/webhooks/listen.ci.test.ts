import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skipWithout } from '../../support/needs.ts'
import { freshDirectory, freshHome, NODE, runPartner } from '../../support/partner.ts'
import { postRaw, sendRaw } from '../../support/raw-client.ts'
import { type Act, answers, freePort, resets, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { schemaViolations } from '../../support/schema-violations.ts'
import { mountSmallDisk, SMALL_DISK } from '../../support/small-disk.ts'
import { runInTerminal, TERMINAL } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { LINUX_PROGRAMS, ownPid, toolPath } from '../../support/windows.ts'
import { words } from '../../support/words.ts'
import {
  bodyOf,
  bookingEvent,
  journalLines,
  post,
  startListening,
  startTarget,
} from '../../webhooks/listener/listening.ts'

const venue = await venueOfThisFile()

const SECRET = 'hook-secret-4711'
const listen = (...args: readonly string[]) => runPartner(['webhooks', 'listen', ...args], { env: freshHome() })

describe('deliveries to webhooks listen', () => {
  test('webhooks listen stores deliveries byte for byte and prints them as NDJSON if stdout is a pipe', async () => {
    const listener = await startListening(['--count', '3'])
    const body = '{ "eventType" : "BOOKING_UPDATED", "data":{"bookingId":"BK-1001","locationId":"L-1"}, "n": 1.50 }\n'
    expect(await listener.post(body, { 'x-request-id': 'r-1' })).toBe(200)
    expect(await listener.post(body)).toBe(200)
    expect(await listener.post(bookingEvent('BOOKING_CREATED'))).toBe(200)
    expect(await listener.ended).toMatchObject({ code: 0 })
    const lines = listener.lines()
    expect(lines.map(bodyOf)).toEqual([body, body, bookingEvent('BOOKING_CREATED')])
    expect(lines.map(({ verdict }) => verdict)).toEqual(['new', 'duplicate', 'stale'])
    expect(lines[0]?.headers['x-request-id']).toBe('r-1')
    expect(Object.keys(lines[0] ?? {})).toEqual(['time', 'headers', 'bodyBase64', 'verdict'])
    expect(lines[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(listener.records()).toMatchObject([
      { verdict: 'new', status: 200, event: 'BOOKING_UPDATED', subject: 'BK-1001', locationId: 'L-1' },
      { verdict: 'duplicate', status: 200 },
      { verdict: 'stale', status: 200, event: 'BOOKING_CREATED' },
    ])
    expect(listener.said.stdout).toContain('"n":1.50')
  })

  test('webhooks listen stores non-UTF-8 bytes unchanged', async () => {
    const listener = await startListening()
    const body = Buffer.concat([Buffer.from('{"eventType":"X","note":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    expect(await listener.post(body)).toBe(200)
    expect(Buffer.from(listener.lines()[0]?.bodyBase64 ?? '', 'base64')).toEqual(body)
  })

  test('webhooks listen refuses requests other than deliveries, and neither stores them nor prints their secrets', async () => {
    const listener = await startListening(
      ['--path', '/hooks', '--max-body', '1k', '--require-header', 'X-Security-Key=env:HOOK_KEY'],
      { env: { HOOK_KEY: SECRET } },
    )
    const url = `${new URL(listener.url).origin}/hooks`
    const key = { 'x-security-key': SECRET }
    expect((await fetch(url)).status).toBe(405)
    expect(await post(`${url}/other`, '{}', key)).toBe(404)
    expect(await post(url, '{}')).toBe(401)
    expect(await post(url, '{}', { 'x-security-key': `${SECRET}x` })).toBe(401)
    expect(await post(url, '', key)).toBe(400)
    expect(await post(url, '[{}]', key)).toBe(400)
    expect(await post(url, '{"eventType":', key)).toBe(400)
    expect(await post(url, `{"a":"${'x'.repeat(1024)}"}`, key)).toBe(413)
    expect(listener.lines()).toEqual([])
    expect(await post(url, '{}', key)).toBe(200)
    expect(listener.lines()[0]?.headers['x-security-key']).toBe('••••')
    const { code, stdout, stderr } = await listener.stop()
    expect(code).toBe(0)
    expect(stdout + stderr + readFileSync(listener.journal, 'utf8')).not.toContain(SECRET)
    for (const why of [
      '405: GET /hooks is not a delivery',
      '404: /hooks/other is not /hooks',
      '401: the X-Security-Key header is missing',
      '401: the X-Security-Key header has a different value',
      '400: the body is empty',
      '400: the body is not a JSON object',
      '413: The request body is larger than 1024 bytes',
    ])
      expect(stderr).toContain(`refused with ${why}`)
  })

  test('webhooks listen refuses deliveries from web pages unless --allow-origin names their origin', async () => {
    const listener = await startListening(words('--allow-origin https://app.example/ --allow-origin http://a.example'))
    const send = (headers: Readonly<Record<string, string>>) =>
      postRaw(listener.url, bookingEvent('BOOKING_UPDATED'), { 'content-type': 'text/plain', ...headers })
    expect(await send({ origin: 'https://evil.example' })).toMatch(/^HTTP\/1.1 403 /)
    expect(await send({ origin: 'null' })).toMatch(/^HTTP\/1.1 403 /)
    expect(await send({ 'sec-fetch-site': 'cross-site' })).toMatch(/^HTTP\/1.1 403 /)
    expect(listener.lines()).toEqual([])
    expect(await send({ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' })).toMatch(/^HTTP\/1.1 200 /)
    const { stderr } = await listener.stop()
    expect(stderr).toContain('refused with 403: a web page sent it (https://evil.example); use --allow-origin')
    expectRefusal(await listen('--allow-origin', 'app.example'), { code: 2, says: '--allow-origin must be an origin' })
  })

  test('webhooks listen limits the number of connections and times out a body that never ends', async () => {
    const listener = await startListening()
    const port = Number(new URL(listener.url).port)
    const half = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n{"a":'
    const answers = await Promise.all(Array.from({ length: 200 }, () => sendRaw(port, half)))
    const refused = answers.filter((answer) => answer === '')
    const late = answers.filter((answer) => answer.startsWith('HTTP/1.1 408 '))
    expect(late.length + refused.length).toBe(200)
    // Do not check the exact number. On a slow machine, some connections time out before the last ones arrive.
    expect(refused.length).toBeGreaterThan(0)
    expect(late.length).toBeGreaterThanOrEqual(128)
    expect(await listener.post(bookingEvent('BOOKING_UPDATED'))).toBe(200)
    const { code, stderr } = await listener.stop()
    expect(code).toBe(0)
    expect(stderr).toContain('128 connections are open; further connections are closed without a response')
  })

  test('a slow delivery to webhooks listen does not delay other deliveries', async () => {
    const listener = await startListening()
    const { port } = new URL(listener.url)
    const body = bookingEvent('BOOKING_UPDATED')
    const head = `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`
    const slow = sendRaw(Number(port), head, body.slice(0, 5))
    expect(await listener.post(bookingEvent('BOOKING_UPDATED', 'BK-2'))).toBe(200)
    listener.process.kill('SIGKILL')
    expect(await slow).toBe('')
  })
})

describe('webhooks listen journal', () => {
  test('webhooks listen stores the value of an unknown header only if --keep-header names it', async () => {
    const target = await startTarget()
    const args = ['--keep-header', 'X-Till', '--require-header', 'X-Hook=env:HOOK_KEY', '--forward-to', target.baseUrl]
    const listener = await startListening(args, { env: { HOOK_KEY: SECRET } })
    const credentials = {
      'x-gitlab-token': 'token-1',
      'x-my-password': 'word-2',
      'ocp-apim-subscription-key': 'key-3',
      'x-hook': SECRET,
    }
    const harmless = { 'user-agent': 'service/1', 'x-request-id': 'r-1', 'x-webhook-id': 'w-1', 'x-till': 'till-7' }
    const sent = { ...credentials, ...harmless, 'x-correlation-id': `of ${SECRET}` }
    await listener.post(bookingEvent('BOOKING_UPDATED'), sent)
    const { code, stdout, stderr } = await listener.stop()
    const [line] = listener.lines()
    const hidden = Object.fromEntries(Object.keys(credentials).map((name) => [name, '••••']))
    expect(code).toBe(0)
    expect(line?.headers).toMatchObject({ ...harmless, ...hidden, 'content-type': 'application/json' })
    expect(line?.headers['x-correlation-id']).toBe('••••')
    expect(target.requests[0]?.headers).toMatchObject({ ...credentials, ...harmless })
    const kept = readFileSync(listener.journal, 'utf8') + stdout + stderr
    for (const secret of Object.values(credentials)) expect(kept).not.toContain(secret)
    const receiver = await startTarget()
    const again = await runPartner(
      ['webhooks', 'replay', listener.journal, '--to', receiver.baseUrl, '--keep-header', 'X-Till'],
      { env: freshHome() },
    )
    expect(again.code).toBe(0)
    expect(receiver.requests[0]?.headers).toMatchObject(harmless)
    for (const name of Object.keys(credentials)) expect(receiver.requests[0]?.headers).not.toHaveProperty(name)
    const both = { code: 2, says: '--keep-header x-hook: the value of a required header is never stored' }
    expectRefusal(await listen('--keep-header', 'X-HOOK', '--require-header', 'x-hook=env:HOOK_KEY'), both)
  })

  test('webhooks listen recognizes duplicates after a restart and removes an incomplete line from the journal', async () => {
    const first = await startListening()
    await first.post(bookingEvent('BOOKING_UPDATED'))
    first.process.kill('SIGKILL')
    await first.ended
    appendFileSync(first.journal, '{"time":"2026-11-2')
    const second = await startListening([], { journal: first.journal })
    expect(second.said.stderr).toContain('with 1 delivery;')
    await second.post(bookingEvent('BOOKING_UPDATED'))
    await second.post(bookingEvent('BOOKING_CREATED'))
    expect(second.lines().map(({ verdict }) => verdict)).toEqual(['new', 'duplicate', 'stale'])
  })

  test('webhooks listen appends correctly to a journal without a trailing newline', async () => {
    const first = await startListening()
    await first.post(bookingEvent('BOOKING_UPDATED'))
    await first.stop()
    writeFileSync(first.journal, readFileSync(first.journal, 'utf8').trimEnd())
    const second = await startListening([], { journal: first.journal })
    await second.post(bookingEvent('BOOKING_UPDATED', 'BK-2'))
    expect(second.lines()).toHaveLength(2)
  })

  test('the default journal of webhooks listen is in the data directory', async () => {
    const env = freshHome()
    const journal = join(env.PARTNER_DATA_DIR, 'deliveries.ndjson')
    const listener = await startListening([], { env, journal: null })
    await listener.says(`journal ${toolPath(journal)};`)
    await listener.post(bookingEvent('BOOKING_UPDATED'))
    expect(journalLines(journal)).toHaveLength(1)
  })

  test('webhooks listen refuses a journal that another listener uses (exit code 12)', async () => {
    const { journal, process } = await startListening()
    const run = await listen('--journal', journal)
    expectRefusal(run, { code: 12, says: `process ${await ownPid(process)} (webhooks listen, since` })
  })

  test('webhooks listen leaves a file that is not a journal unchanged', async () => {
    const journal = join(freshDirectory(), 'notes.txt')
    writeFileSync(journal, 'milk\neggs\n')
    expectRefusal(await listen('--journal', journal), { code: 2, says: `${journal}: line 1 is not a delivery` })
    expect(readFileSync(journal, 'utf8')).toBe('milk\neggs\n')
    const missing = { code: 1, says: '/nonexistent/hooks.ndjson' }
    expectRefusal(await listen('--journal', '/nonexistent/hooks.ndjson'), missing)
  })

  test('webhooks listen stores deliveries in a new journal if its journal is deleted or moved, and warns about it', async () => {
    const listener = await startListening()
    const [first, second, third] = ['BK-1', 'BK-2', 'BK-3'].map((id) => bookingEvent('BOOKING_UPDATED', id)) as [
      string,
      string,
      string,
    ]
    expect(await listener.post(first)).toBe(200)
    rmSync(listener.journal)
    expect(await listener.post(second)).toBe(200)
    expect(listener.lines().map(bodyOf)).toEqual([second])
    await listener.says(`warning: ${listener.journal} was deleted, moved or replaced; deliveries are now stored in`)
    renameSync(listener.journal, `${listener.journal}.old`)
    expect(await listener.post(third)).toBe(200)
    expect(journalLines(`${listener.journal}.old`).map(bodyOf)).toEqual([second])
    expect(listener.lines().map(bodyOf)).toEqual([third])
    expect((await listener.stop()).code).toBe(0)
  })

  test('webhooks listen responds with 503 while its deleted journal cannot be recreated', async () => {
    const journal = join(freshDirectory(), 'venue', 'hooks.ndjson')
    mkdirSync(dirname(journal))
    const listener = await startListening([], { journal })
    rmSync(dirname(journal), { recursive: true })
    expect(await listener.post(bookingEvent('BOOKING_UPDATED'))).toBe(503)
    await listener.says(`refused with 503: cannot write ${journal}: no such file or directory (ENOENT)`)
    mkdirSync(dirname(journal))
    expect(await listener.post(bookingEvent('BOOKING_UPDATED'))).toBe(200)
    expect(listener.lines()).toMatchObject([{ verdict: 'new' }])
  })

  test('webhooks listen responds with 503 while the disk is full, and continues once there is space again', async (context) => {
    skipWithout(context, SMALL_DISK)
    const disk = mountSmallDisk(64)
    const listener = await startListening([], { journal: join(disk, 'hooks.ndjson') })
    writeFileSync(join(disk, 'filler'), Buffer.alloc(48 * 1024))
    const large = JSON.stringify({ eventType: 'X', pad: 'x'.repeat(40 * 1024) })
    expect(await listener.post(large)).toBe(503)
    await listener.says('refused with 503: cannot write the journal')
    await listener.says('no space left on device')
    writeFileSync(join(disk, 'filler'), '')
    const small = bookingEvent('BOOKING_UPDATED')
    expect(await listener.post(small)).toBe(200)
    expect(listener.lines().map(bodyOf)).toEqual([small])
  })
})

describe('default port and journal of webhooks listen', () => {
  const home = () => ({ ...freshHome(), HOOK_KEY: SECRET })

  test('webhooks listen reuses the port of its last run and suggests a command that tests the listener', async () => {
    const env = home()
    const options = { env, journal: null }
    const first = await startListening(['--path', '/hooks', '--require-header', 'X-Security-Key=env:HOOK_KEY'], options)
    await first.says('next: partner webhooks trigger BOOKING_UPDATED --security-key env:HOOK_KEY\n')
    const trigger = ['webhooks', 'trigger', 'BOOKING_UPDATED', '--security-key', 'env:HOOK_KEY']
    const run = await runPartner([...trigger, '--json'], { env })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 200, url: first.url })
    await first.stop()
    expectRefusal(await runPartner(trigger, { env }), {
      code: 2,
      says: '--to URL is required because no listener is running',
      next: 'partner webhooks listen',
    })
    const second = await startListening([], { env, journal: null })
    expect(second.url).toBe(new URL(first.url).origin)
    await second.says('with 1 delivery;')
  })

  test('a second listener on a different port has its own journal', async () => {
    const env = home()
    const journal = join(env.PARTNER_DATA_DIR, 'deliveries.ndjson')
    const first = await startListening([], { env, journal: null })
    const locked = await runPartner(['webhooks', 'listen'], { env })
    expectRefusal(locked, {
      code: 12,
      says: `${toolPath(journal)} is locked`,
      next: /--port N starts a second listener/,
    })
    const port = await freePort()
    const second = await startListening(['--port', String(port)], { env, journal: null })
    const own = join(env.PARTNER_DATA_DIR, `deliveries-${port}.ndjson`)
    await second.says(`journal ${toolPath(own)};`)
    await second.says(`next: partner webhooks trigger BOOKING_UPDATED --to ${second.url}\n`)
    const trigger = ['webhooks', 'trigger', 'BOOKING_UPDATED']
    const unsure = { code: 2, says: '--to URL is required because 2 listeners are running', next: second.url }
    expectRefusal(await runPartner(trigger, { env }), unsure)
    expect(await runPartner([...trigger, '--to', second.url], { env })).toMatchObject({ code: 0 })
    expect([journalLines(journal).length, journalLines(own).length]).toEqual([0, 1])
    await first.stop()
    expect(await runPartner(trigger, { env })).toMatchObject({ code: 0 })
    await second.stop()
    const again = await startListening(['--port', String(port)], { env, journal: null })
    await again.says(`journal ${toolPath(own)}, with 2 deliveries;`)
  })

  test('webhooks replay and webhooks gaps default to the running listener and its journal', async () => {
    const env = { ...home(), PARTNER_PROFILE: 'sandbox' }
    const listener = await startListening([], { env })
    await listener.post(bookingEvent('BOOKING_UPDATED'))
    const again = await runPartner(['webhooks', 'replay', '--json'], { env })
    expect(again).toMatchObject({ code: 0, stderr: `${toolPath(listener.journal)} to ${listener.url}/\n` })
    expect(listener.lines()).toHaveLength(2)
    const copy = join(freshDirectory(), 'bookings.ndjson')
    await runPartner(['bookings', 'sync', '--to', copy], { env })
    const gaps = await runPartner(['webhooks', 'gaps', '--copy', copy, '--since', '-10m', '--json'], { env })
    expect(gaps.stderr).toContain(`deliveries: ${toolPath(listener.journal)}\n`)
    expect([0, 11]).toContain(gaps.code)
    await listener.stop()
    const nothing = { code: 2, says: 'JOURNAL is required because no listener is running' }
    expectRefusal(await runPartner(['webhooks', 'replay'], { env }), nothing)
  })
})

describe('webhooks listen --forward-to', () => {
  test("webhooks listen --forward-to forwards the exact body, the headers and the credentials, and returns the target's status", async () => {
    let status = 202
    const target = await startRawServer(() => answers(status))
    const listener = await startListening(['--forward-to', `${target.baseUrl}/in?a=1`])
    const body = '{ "eventType": "BOOKING_UPDATED" }\n'
    expect(await listener.post(body, { 'X-Security-Key': SECRET })).toBe(202)
    expect(target.requests[0]).toMatchObject({ method: 'POST', target: '/in?a=1', body })
    expect(target.requests[0]?.headers['x-security-key']).toBe(SECRET)
    status = 410
    expect(await listener.post(body)).toBe(410)
    await listener.says('BOOKING_UPDATED was not forwarded: it answered 410; the service received status 410')
    await until(() => listener.records().length === 2)
    expect(listener.records().map((one) => one.status)).toEqual([202, 410])
    expect(listener.lines()).toHaveLength(2)
  })

  test('webhooks listen --forward-to waits for a target that is restarting', async () => {
    const port = await freePort()
    const listener = await startListening(['--forward-to', `http://127.0.0.1:${port}`])
    const answer = listener.post(bookingEvent('BOOKING_UPDATED'))
    await until(() => listener.lines().length === 1)
    const target = await startTarget(answers(200), port)
    expect(await answer).toBe(200)
    expect(target.requests).toHaveLength(1)
  })

  test('webhooks listen --forward-to stores the delivery and responds with 502 if the target is unreachable', async () => {
    const listener = await startListening(['--forward-to', `http://127.0.0.1:${await freePort()}`])
    expect(await listener.post(bookingEvent('BOOKING_UPDATED'))).toBe(502)
    await listener.says('attempts); the service received status 502')
    expect(listener.lines()).toHaveLength(1)
  })

  test('webhooks listen --forward-to does not resend a delivery that may have arrived', async () => {
    const target = await startTarget(resets)
    const listener = await startListening(['--forward-to', target.baseUrl])
    expect(await listener.post(bookingEvent('BOOKING_UPDATED'))).toBe(502)
    expect(target.requests).toHaveLength(1)
  })
})

test('webhooks listen responds with 508 if --forward-to sends a delivery back to the same listener, even indirectly', async () => {
  const [port, second] = [await freePort(), await freePort()]
  const itself = await startListening(['--port', String(port), '--forward-to', `http://127.0.0.1:${port}/in`])
  expect(await itself.post(bookingEvent('BOOKING_UPDATED'))).toBe(508)
  expect(itself.lines()).toHaveLength(1)
  await itself.says(
    'refused with 508: this listener has already forwarded it: --forward-to leads back to this listener',
  )
  await itself.stop()
  const first = await startListening(['--port', String(port), '--forward-to', `http://127.0.0.1:${second}`])
  const other = await startListening(['--port', String(second), '--forward-to', `http://127.0.0.1:${port}`])
  expect(await first.post(bookingEvent('BOOKING_UPDATED'))).toBe(508)
  expect([first.lines().length, other.lines().length]).toEqual([1, 1])
})

describe('webhooks listen --exec', () => {
  const script = (code: string) => `'${NODE}' -e '${code}'`

  test('webhooks listen --exec passes the body to a command on standard input, but no secrets in the environment', async (context) => {
    skipWithout(context, LINUX_PROGRAMS)
    const out = join(freshDirectory(), 'out')
    const code = `process.stdin.on("data", (d) => require("fs").appendFileSync("${out}", d + JSON.stringify(process.env) + "\\n"))`
    const listener = await startListening(['--exec', script(code), '--require-header', 'X-Security-Key=env:HOOK_KEY'], {
      env: {
        HOOK_KEY: SECRET,
        PARTNER_API_KEY: 'key-12345678',
        COPIED: 'key-12345678',
        ELSEWHERE: `Bearer ${SECRET}`,
        PLAIN: 'kept',
      },
    })
    const body = bookingEvent('BOOKING_UPDATED')
    expect(await listener.post(body, { 'x-security-key': SECRET })).toBe(200)
    const said = readFileSync(out, 'utf8')
    expect(said).toContain(body)
    const env = JSON.parse(said.slice(body.length))
    expect(env).toMatchObject({
      PLAIN: 'kept',
      PARTNER_WEBHOOK_EVENT: 'BOOKING_UPDATED',
      PARTNER_WEBHOOK_SUBJECT: 'BK-1001',
      PARTNER_WEBHOOK_VERDICT: 'new',
    })
    expect(said).not.toContain(SECRET)
    expect(said).not.toContain('key-12345678')
  })

  test('webhooks listen --exec reports a failed command on stderr and responds with 500', async () => {
    const listener = await startListening(['--exec', 'exit 3'])
    expect(await listener.post(bookingEvent('BOOKING_UPDATED'))).toBe(500)
    await listener.says('the command for BOOKING_UPDATED BK-1001 failed: exit code 3')
  })

  test('webhooks listen --exec accepts an event with a NUL character, but explains why a very long event fails', async (context) => {
    skipWithout(context, LINUX_PROGRAMS)
    const out = join(freshDirectory(), 'out')
    const command = `cat >> '${out}'; printf ' %s' "$PARTNER_WEBHOOK_SUBJECT" >> '${out}'`
    const listener = await startListening(['--exec', command])
    const body = bookingEvent('BOOKING_UPDATED', 'BK\u0000-1')
    expect(await listener.post(body)).toBe(200)
    expect(readFileSync(out, 'utf8')).toBe(`${body} BK\\u0000-1`)
    expect(await listener.post(bookingEvent('BOOKING_UPDATED', 'x'.repeat(1_040_000)))).toBe(500)
    const { code, stderr } = await listener.stop()
    expect(code).toBe(0)
    expect(stderr).toMatch(/xxx… failed: it cannot be run \(E2BIG\); the service received status 500/)
  })

  test('webhooks listen --exec responds before a slow command ends, but waits for the command before exiting', async (context) => {
    skipWithout(context, LINUX_PROGRAMS)
    const directory = freshDirectory()
    const [go, done] = [join(directory, 'go'), join(directory, 'done')]
    const listener = await startListening(['--exec', `while [ ! -e '${go}' ]; do sleep 0.05; done; touch '${done}'`])
    expect(await listener.post(bookingEvent('BOOKING_UPDATED'))).toBe(200)
    const ended = listener.stop()
    await listener.says('waiting for 1 command to end')
    writeFileSync(go, '')
    expect(await ended).toMatchObject({ code: 0 })
    expect(readFileSync(done, 'utf8')).toBe('')
  })
})

describe('shutdown of webhooks listen', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'on %s, webhooks listen finishes its deliveries and exits with code 0',
    async (signal) => {
      const held: Parameters<Act>[0][] = []
      const target = await startTarget((socket) => void held.push(socket))
      const listener = await startListening(['--forward-to', target.baseUrl])
      const answer = listener.post(bookingEvent('BOOKING_UPDATED'))
      await until(() => held.length === 1)
      // The rest of this body never arrives. The listener must not wait for it.
      const port = Number(new URL(listener.url).port)
      const half = sendRaw(port, 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{')
      listener.process.kill(signal)
      await listener.says('waiting for work in progress to finish')
      await until(async () => (await listener.post(bookingEvent('BOOKING_UPDATED', 'BK-2'))) === 0)
      held[0]?.end('HTTP/1.1 204 No Content\r\n\r\n')
      expect(await answer).toBe(204)
      expect(await listener.ended).toMatchObject({ code: 0 })
      expect(await half).not.toContain('200')
      expect(listener.records()).toMatchObject([{ subject: 'BK-1001', status: 204 }])
      expect(schemaViolations('webhooks listen', JSON.stringify(listener.records()))).toEqual([])
    },
  )

  test('webhooks listen exits after --count deliveries and refuses further deliveries', async () => {
    const listener = await startListening(['--count', '2'])
    const statuses = await Promise.all(['1', '2', '3', '4'].map((id) => listener.post(bookingEvent('X', id))))
    expect(statuses.filter((status) => status === 200)).toHaveLength(2)
    expect(await listener.ended).toMatchObject({ code: 0 })
    expect(listener.lines()).toHaveLength(2)
  })

  test('webhooks listen exits when its stdout is closed', async () => {
    const listener = await startListening([], { stdout: 'unread' })
    listener.process.stdout?.destroy()
    await until(async () => (await listener.post(bookingEvent('BOOKING_UPDATED'))) === 0)
    expect((await listener.ended).stderr).not.toContain('error')
    expect(listener.lines().length).toBeGreaterThan(0)
  })
})

test('webhooks listen --fetch adds the booking to each event, and --quiet-after reports when no deliveries arrive', async () => {
  const listener = await startListening(['--fetch', '--quiet-after', '1s', '--count', '2'], { env: venue.env })
  await listener.says('nothing has been delivered for 1s')
  await listener.post(bookingEvent('BOOKING_UPDATED'))
  await listener.post(bookingEvent('BOOKING_UPDATED', 'BK-none'))
  const { stderr } = await listener.ended
  const records = listener.records()
  expect(records[0]).toMatchObject({ subject: 'BK-1001', fetched: { bookingId: 'BK-1001' } })
  expect(records[1]).toMatchObject({ subject: 'BK-none', fetched: null })
  expect(stderr).toContain('could not read BK-none; see partner bookings get BK-none')
})

test('webhooks listen prints deliveries as a growing table at a terminal', async (context) => {
  skipWithout(context, TERMINAL)
  const port = await freePort()
  const seen = await runInTerminal(
    ['webhooks', 'listen', '--port', String(port), '--journal', join(freshDirectory(), 'h.ndjson')],
    [
      ['listening on', () => void post(`http://127.0.0.1:${port}`, bookingEvent('BOOKING_UPDATED'))],
      ['BK-1001', () => void post(`http://127.0.0.1:${port}`, bookingEvent('GIFTCARDS_CANCELLED', 'BK-1002'))],
      ['BK-1002', '\u0003'],
    ],
    freshHome(),
  )
  expect(seen.standing).toContain('2 deliveries')
  const rows = seen.standing.filter((row) => /BK-|EVENT/.test(row))
  expect(rows.map((row) => row.indexOf('new'))).toEqual([-1, rows[0]?.indexOf('VERDICT'), rows[0]?.indexOf('VERDICT')])
})

test('webhooks listen reports all command-line mistakes at once and does not start', async () => {
  const run = await listen(
    ...['--max-body', '1x', '--path', 'hooks', '--count', '0', '--exec', 'true', '--forward-to', 'ftp://a'],
    ...['--require-header', 'X-Key=plain-secret-value', '--quiet-after', '5', '--host', 'a b'],
  )
  for (const says of [
    '--max-body must be a size in bytes, not "1x"',
    '--path must begin with a slash, such as /hooks, not "hooks"',
    '--count must be a whole number, 1 or more, not "0"',
    '--exec and --forward-to cannot be used together',
    '--forward-to must be an absolute http or https URL, not "ftp://a"',
    '--require-header must be NAME=env:VARIABLE or NAME=file:PATH',
    '--quiet-after: "5" has no unit',
    '--host must be an address such as 0.0.0.0, not "a b"',
  ])
    expectRefusal(run, { code: 2, says, secrets: ['plain-secret-value'] })
  expectRefusal(await listen('--require-header', 'X-Key=env:NOT_SET'), { code: 4, says: 'NOT_SET' })
  expectRefusal(await listen('--query', '[].event'), { code: 2, says: '--query needs --count' })
})

test('webhooks listen refuses and reports a non-HTTP request', async () => {
  const listener = await startListening()
  expect(await sendRaw(Number(new URL(listener.url).port), 'HELLO\r\n\r\n')).toContain('400 Bad Request')
  await listener.says('refused with 400: The request is not valid HTTP')
})
