import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { deliveryLine } from '../../../src/webhooks/events/journal/entry.ts'
import { parseNdjson } from '../../support/ndjson.ts'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { answers, freePort, hangs, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'
import { bookingEvent, startListening } from '../../webhooks/listener/listening.ts'

const START = Date.parse('2026-11-20T10:00:00Z')
const CARD = 'GIFT1-00000100-AAAA'

/** Writes a journal whose deliveries are one second apart. Returns the path of the journal. */
function journalOf(bodies: readonly (string | Buffer)[], headers: Readonly<Record<string, string>> = {}): string {
  const path = join(freshDirectory(), 'hooks.ndjson')
  const lines = bodies.map((body, at) =>
    deliveryLine({
      timeMs: START + at * 1000,
      headers: { host: 'other.example', 'content-type': 'application/json', 'content-length': '3', ...headers },
      body: Buffer.from(body),
      verdict: 'new',
    }),
  )
  writeFileSync(path, lines.join(''))
  return path
}

const replay = (journal: string, ...args: readonly string[]) =>
  runPartner(['webhooks', 'replay', journal, ...args], { env: { ...freshHome(), HOOK_KEY: 'key-of-the-hook' } })

const EVENTS = [
  bookingEvent('BOOKING_CREATED'),
  bookingEvent('BOOKING_UPDATED'),
  JSON.stringify({ eventType: 'GIFTCARDS_REDEEMED', data: { cardNumber: CARD } }),
  bookingEvent('BOOKING_UPDATED', 'BK-1002'),
]

test('webhooks replay sends every delivery in order and byte for byte, with its headers but without credentials', async () => {
  const target = await startRawServer([answers(200)])
  const odd = '{ "eventType": "X" ,\r\n "n": 1.50 }\n'
  const journal = journalOf([...EVENTS, odd], { 'x-request-id': 'r-1', 'x-security-key': '••••' })
  const run = await replay(journal, '--to', `${target.baseUrl}/in?a=1`, '--json')
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(target.requests.map(({ body }) => body)).toEqual([...EVENTS, odd])
  expect(target.requests[0]).toMatchObject({ method: 'POST', target: '/in?a=1' })
  expect(target.requests[0]?.headers).toMatchObject({ 'x-request-id': 'r-1', 'content-type': 'application/json' })
  expect(target.requests[0]?.headers['host']).toBe(`127.0.0.1:${target.port}`)
  expect(target.requests[0]?.headers).not.toHaveProperty('x-security-key')
  expect(JSON.parse(run.stdout)[2]).toMatchObject({
    ...{ line: 3, time: '2026-11-20T10:00:02.000Z', event: 'GIFTCARDS_REDEEMED', subject: CARD },
    ...{ status: 200, error: null },
  })
})

test('webhooks replay sends an unknown stored header only if --keep-header names it', async () => {
  const target = await startRawServer([answers(200)])
  const stored = { 'x-gitlab-token': 'token-of-an-earlier-release', 'x-shard': '7', 'x-request-id': 'r-1' }
  const journal = journalOf(EVENTS.slice(0, 1), stored)
  expect((await replay(journal, '--to', target.baseUrl)).code).toBe(0)
  expect((await replay(journal, '--to', target.baseUrl, '--keep-header', 'X-Shard')).code).toBe(0)
  const [first, second] = target.requests.map(({ headers }) => headers)
  expect(first).toMatchObject({ 'x-request-id': 'r-1' })
  for (const name of ['x-gitlab-token', 'x-shard']) expect(first).not.toHaveProperty(name)
  expect(second).toMatchObject({ 'x-shard': '7' })
  expect(second).not.toHaveProperty('x-gitlab-token')
  const wrong = await replay(journal, '--to', target.baseUrl, '--keep-header', 'a b')
  expectRefusal(wrong, { code: 2, says: '--keep-header must be the name of a header' })
})

test('webhooks replay accepts only references to credentials and never sends them over plain http to another machine', async () => {
  const target = await startRawServer([answers(200)])
  const journal = journalOf(EVENTS.slice(0, 1))
  const run = await replay(journal, '--to', target.baseUrl, '--security-key', 'env:HOOK_KEY')
  expect(run.code).toBe(0)
  expect(target.requests[0]?.headers['x-security-key']).toBe('key-of-the-hook')
  const away = await replay(journal, '--to', 'http://pos.example/hooks', '--security-key', 'env:HOOK_KEY')
  expectRefusal(away, { code: 2, says: '--to must use https: plain http to pos.example' })
  const plain = await replay(journal, '--to', target.baseUrl, '--security-key', 'secret-itself')
  expectRefusal(plain, { code: 2, says: '--security-key must be env:VARIABLE', secrets: ['secret-itself'] })
})

describe('selecting deliveries for webhooks replay', () => {
  test.each([
    ['--event BOOKING_UPDATED', [1, 3]],
    ['--event BOOKING_CREATED --event giftcards_redeemed', [0, 2]],
    ['--only BK-1001', [0, 1]],
    [`--only ${CARD.toLowerCase()}`, [2]],
    ['--since 2026-11-20T10:00:01Z --until 2026-11-20T10:00:02Z', [1, 2]],
    ['--since 2026-11-21', []],
  ])('webhooks replay sends only the deliveries that match %s', async (flags, chosen) => {
    const target = await startRawServer([answers(200)])
    const journal = journalOf(EVENTS)
    const run = await replay(journal, '--to', target.baseUrl, ...words(flags))
    expect(run.code).toBe(0)
    expect(target.requests.map(({ body }) => body)).toEqual(chosen.map((at) => EVENTS[at]))
    if (chosen.length === 0) expect(run.stderr).toContain('No delivery in the journal matches.')
  })

  test('webhooks replay --dry-run shows the deliveries that it would send, but sends nothing', async () => {
    const target = await startRawServer([answers(200)])
    const flags = words(`--to ${target.baseUrl} --dry-run -o csv --columns line,subject`)
    const run = await replay(journalOf(EVENTS), ...flags)
    expect(run).toMatchObject({ code: 0, stdout: `line,subject\n1,BK-1001\n2,BK-1001\n3,${CARD}\n4,BK-1002\n` })
    expect(run.stderr).toContain('nothing was sent')
    expect(target.requests).toHaveLength(0)
  })
})

test('webhooks replay --speed shortens the original pauses proportionally', async () => {
  const arrived: number[] = []
  const target = await startRawServer(() => {
    arrived.push(performance.now())
    return answers(200)
  })
  expect((await replay(journalOf(EVENTS), '--to', target.baseUrl, '--speed', '10x')).code).toBe(0)
  const [first = 0] = arrived
  // The shortened pauses add up to 300 ms. Allow for timers that fire slightly early.
  expect((arrived.at(-1) ?? 0) - first).toBeGreaterThan(290)
})

test('webhooks replay continues after a delivery is rejected, but exits with code 11', async () => {
  const statuses = [200, 500, 302, 200]
  const target = await startRawServer(statuses.map((status) => answers(status, '', { location: 'http://a.example' })))
  const run = await replay(journalOf(EVENTS), '--to', target.baseUrl, '-o', 'ndjson')
  expect(parseNdjson(run.stdout).map(({ status }) => status)).toEqual(statuses)
  expect(reportedError(run)).toMatchObject({ exitCode: 11, message: '2 of 4 deliveries were not accepted' })
})

test('webhooks replay counts a delivery as rejected if the receiver does not respond in time', async () => {
  const target = await startRawServer([hangs])
  const run = await replay(journalOf(EVENTS.slice(0, 1)), '--to', target.baseUrl, '--timeout', '300ms', '-o', 'ndjson')
  const late = { status: null, error: 'no complete response within 300ms' }
  expect(JSON.parse(run.stdout.split('\n')[0] ?? '')).toMatchObject(late)
  expect(reportedError(run)).toMatchObject({ exitCode: 11 })
})

test('webhooks replay exits with code 8 and explains how to continue if the receiver is unreachable', async () => {
  const run = await replay(journalOf(EVENTS), '--to', `http://127.0.0.1:${await freePort()}`)
  expectRefusal({ ...run, stdout: '' }, { code: 8, says: 'nothing is listening at', next: 'already sent: 0' })
})

test('webhooks replay reports all command-line mistakes at once and sends nothing', async () => {
  const run = await replay('nope.ndjson', ...words('--to pos.example --event BOOKING_UPDATE --speed fast --since x'))
  for (const says of [
    '--to must be an absolute http or https URL, not "pos.example"',
    'unknown event "BOOKING_UPDATE"; did you mean BOOKING_UPDATED?',
    '--speed must be max or a factor such as 1x, 2x or 0.5x, not "fast"',
    '--since: "x" is not a time',
  ])
    expectRefusal(run, { code: 2, says })
  expectRefusal(await replay('nope.ndjson', '--to', 'http://127.0.0.1:9'), { code: 2, says: 'cannot read nope.ndjson' })
  const user = await replay('nope.ndjson', '--to', 'http://me:pass-word@127.0.0.1:9')
  expectRefusal(user, { code: 2, says: '--to must not contain a user name or password', secrets: ['pass-word'] })
})

describe('webhooks replay to a receiver that uses the same journal', () => {
  test('webhooks replay sends each delivery once if the receiver appends to the same journal', async () => {
    const listener = await startListening()
    for (const body of EVENTS) await listener.post(body)
    const run = await replay(listener.journal, '--to', listener.url, '--json')
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout)).toHaveLength(EVENTS.length)
    expect(listener.lines()).toHaveLength(2 * EVENTS.length)
    const again = await replay(listener.journal, '--to', listener.url, '--json')
    expect(JSON.parse(again.stdout)).toHaveLength(2 * EVENTS.length)
  })

  test.skipIf(process.platform === 'win32')(
    'webhooks replay from a pipe stops when it reads a delivery that it sent',
    async () => {
      const listener = await startListening()
      for (const body of EVENTS) await listener.post(body)
      const pipe = join(freshDirectory(), 'pipe')
      execFileSync('mkfifo', [pipe])
      const tail = spawn('sh', ['-c', 'exec tail -n +1 -f "$1" > "$2"', 'sh', listener.journal, pipe])
      onTestFinished(() => void tail.kill())
      const run = await replay(pipe, '--to', listener.url)
      expect(run.code).toBe(5)
      expect(run.stderr).toContain(
        'line 5 is a delivery that this replay sent: the receiver at --to writes to the same journal',
      )
      expect(listener.lines().length).toBeLessThanOrEqual(2 * EVENTS.length)
    },
  )
})
