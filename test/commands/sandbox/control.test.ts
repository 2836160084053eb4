import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectClean, refused } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import { until } from '../../support/until.ts'
import { words } from '../../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'
const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '10', '--json']

/** Returns a function that runs commands with the `sandbox` profile in a new home directory. */
function venue() {
  const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
  return { env, partner: (...args: string[]) => runPartner(args, { env }) }
}

describe('sandbox journal', () => {
  test('sandbox journal shows the endpoint of each request, or why it was rejected, without secrets', async () => {
    const sandbox = await startSandboxProcess()
    onTestFinished(async () => void (await sandbox.stop()))
    const env = { ...freshHome(), ...sandbox.env }
    const wrongKey = { ...env, PARTNER_API_KEY: 'somebody-elses-key' }
    await runPartner(['giftcards', 'get', CARD], { env })
    await runPartner(['giftcards', 'get', CARD], { env: wrongKey })
    const wrongCase = `/giftcards/${CARD}`
    await fetch(`${sandbox.baseUrl}${wrongCase}?x=\u001b[31m`, { headers: { 'x-api-key': sandbox.apiKey } })
    const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' }
    await fetch(`${sandbox.baseUrl}/GiftCards/redeem`, { method: 'POST', headers, body: '{"cardNumber":' })
    const json = await runPartner(['sandbox', 'journal', '--json'], { env })
    expect(JSON.parse(json.stdout)).toMatchObject([
      { method: 'GET', path: `/GiftCards/${CARD}`, endpoint: 'giftcards.get', status: 200, note: null, faults: [] },
      { endpoint: 'giftcards.get', status: 401, note: 'the key was rejected: Unauthorized' },
      { path: wrongCase, query: 'x=%1B[31m', endpoint: null, status: 404, note: 'no endpoint has this path' },
      { endpoint: 'giftcards.redeem', status: 400, request: { body: '{"cardNumber":' } },
    ])
    expectClean(json, [sandbox.apiKey, 'somebody-elses-key'])
    const table = await runPartner(['sandbox', 'journal'], { env })
    expect(table.stdout).toMatch(/^AT +STATUS +METHOD +PATH +WHY +ENDPOINT +MS +FAULTS\n/)
    const last = await runPartner(words('sandbox journal --limit 2 -o csv --columns status'), { env })
    expect(last.stdout).toBe('status\n404\n400\n')
  })

  test('sandbox journal prints a message if it has no requests yet', async () => {
    const { partner } = venue()
    expect(await partner('sandbox', 'journal')).toEqual({ code: 0, stdout: '', stderr: 'No requests yet.\n' })
    expect((await partner('sandbox', 'journal', '--json')).stdout).toBe('[]\n')
  })

  test.each([
    ['a table', [], /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}200 {2}GET \/GiftCards\/GIFT1-00000100-AAAA {2}[\d.]+ ms$/],
    ['ndjson', ['-o', 'ndjson', '--columns', 'path'], /^\{"path":"\/GiftCards\/GIFT1-00000100-AAAA"\}$/],
  ])(
    'sandbox journal --follow prints new requests as %s and exits with code 0 on SIGTERM',
    async (_format, args, line) => {
      const { env, partner } = venue()
      await partner('giftcards', 'get', 'GIFT2-00005025-AAAA')
      const follower = startPartner([...words('sandbox journal --follow --limit 0'), ...args], { env })
      // Repeat the request until it is printed, because sandbox journal --follow may start after the first one.
      await until(async () => {
        await partner('giftcards', 'get', CARD)
        return follower.said.stdout !== ''
      })
      follower.process.kill('SIGTERM')
      const { code, stdout } = await follower.ended
      expect(code).toBe(0)
      expect(stdout.split('\n')[0]).toMatch(line)
      expect(stdout).not.toContain('GIFT2')
    },
  )

  test('sandbox journal refuses invalid flags and arguments', async () => {
    const { partner } = venue()
    const journal = (...args: string[]) => partner('sandbox', 'journal', ...args)
    await refused(journal('--limit', '-1'), 2, '--limit must be a whole number from 0')
    const both = journal('--follow', '--columns', 'path')
    await refused(both, 2, '--follow and --columns cannot be used together in a table', '-o csv')
    await refused(journal('--data', '/nowhere'), 3, '/nowhere does not contain a sandbox')
    await refused(journal('latest'), 2, 'unexpected argument "latest"')
    await refused(journal('--folow'), 2, 'did you mean --follow?')
  })
})

describe('sandbox deliveries', () => {
  test('sandbox deliveries shows each attempt with its response, including retries after the clock is advanced', async () => {
    const receiver = await startRawServer([answers(503), answers(500), answers(200)])
    const { partner } = venue()
    await partner('webhooks', 'create', 'GIFTCARDS_REDEEMED', `${receiver.baseUrl}/hook`, '--yes')
    await partner('webhooks', 'create', 'GIFTCARDS_CANCELLED', 'http://127.0.0.1:1/', '--yes')
    expect((await partner(...REDEEM)).code).toBe(0)
    const attempts = [{ status: 503, delivered: false }]
    const expected = [{ id: 1, event: 'GIFTCARDS_REDEEMED', subject: CARD, state: 'pending', attempts }]
    expect(JSON.parse((await partner('sandbox', 'deliveries', '--json')).stdout)).toMatchObject(expected)
    await partner('sandbox', 'clock', 'advance', '5s')
    expect(receiver.requests).toHaveLength(1)
    await partner('sandbox', 'clock', 'advance', '10s')
    expect(receiver.requests).toHaveLength(2)
    await partner('sandbox', 'clock', 'advance', '2m')
    expect(receiver.requests).toHaveLength(3)
    expect(receiver.requests[2]?.body).toContain('"eventType":"GIFTCARDS_REDEEMED"')
    await partner('giftcards', 'cancel', CARD, '--yes')
    const { stdout } = await partner('sandbox', 'deliveries')
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 5))).toMatchObject([
      ['ID', 'EVENT', 'SUBJECT', 'STATE', 'RESPONSES'],
      [' 1', 'GIFTCARDS_REDEEMED', CARD, 'delivered', '503, 500, 200'],
      [' 2', 'GIFTCARDS_CANCELLED', CARD, 'pending', 'ECONNREFUSED'],
      [''],
    ])
    expect((await partner('sandbox', 'deliveries', '1')).stdout).toMatch(
      /^Delivery 1 {2}GIFTCARDS_REDEEMED {2}delivered\n[\s\S]*Attempts\n[\s\S]*503[\s\S]*500[\s\S]*200/,
    )
    await refused(partner('sandbox', 'deliveries', '3'), 3, 'has no delivery 3')
    await refused(partner('sandbox', 'deliveries', 'x'), 2, 'ID must be a whole number')
  })

  test('sandbox deliveries prints a message if nothing has been delivered yet', async () => {
    const run = await venue().partner('sandbox', 'deliveries')
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('No deliveries') })
  })
})

describe('sandbox clock', () => {
  test('sandbox clock changes the clock for all commands that use the same data', async () => {
    const { partner } = venue()
    const clock = async (...args: string[]) => JSON.parse((await partner('sandbox', 'clock', ...args, '--json')).stdout)
    expect(await clock()).toMatchObject({ frozen: false, shifted: false })
    const expected = { now: '2027-01-15T07:00:00.000Z', frozen: true, shifted: true }
    expect(await clock('set', '2027-01-15 18:00', '--frozen')).toEqual(expected)
    expect(await clock('advance', '2h')).toMatchObject({ now: '2027-01-15T09:00:00.000Z', frozen: true })
    expect(await clock()).toMatchObject({ now: '2027-01-15T09:00:00.000Z' })
    const walkIn = ['bookings', 'create', '--people', '2', '--time-utc', '2027-01-15T09:00:00Z', '--json']
    const { bookingId } = JSON.parse((await partner(...walkIn)).stdout)
    const { bookedAt } = JSON.parse((await partner('bookings', 'get', bookingId, '--json')).stdout)
    expect(bookedAt).toBe('2027-01-15T09:00:00.000Z')
    expect(await clock('reset')).toMatchObject({ frozen: false, shifted: false })
    expect((await partner('sandbox', 'clock', 'set', '+3h')).stdout).toMatch(
      /running[\s\S]* {2}3h ahead of this machine\n[\s\S]*clock reset/,
    )
  })

  test('sandbox clock advance expires gift cards', async () => {
    const { partner } = venue()
    await partner('sandbox', 'clock', 'advance', '1200d')
    const { stdout } = await partner('giftcards', 'get', CARD, '--json', '--columns', 'status')
    expect(stdout).toBe('{"status":"Expired"}\n')
  })

  test('sandbox clock refuses invalid times and durations', async () => {
    const { partner } = venue()
    const clock = (...args: string[]) => partner('sandbox', 'clock', ...args)
    await refused(clock('set'), 2, 'missing argument TIME')
    await refused(clock('set', 'noonish'), 2, '"noonish" is not a time')
    await refused(clock('set', '2h'), 2, 'in the past or the future', '+2h')
    await refused(clock('set', '9500-01-01'), 2, 'between the years 1970 and 9000')
    await refused(clock('advance', '-2h'), 2, '"-2h" is not a duration')
    await refused(clock('advance', '2'), 2, 'has no unit')
    await refused(clock('advance', '0s'), 2, 'too short')
    await refused(clock('sett', '2027-01-01'), 2, 'unknown command "sandbox clock sett"')
    expect(JSON.parse((await clock('--json')).stdout)).toMatchObject({ shifted: false })
  })
})

describe('sandbox seed', () => {
  test('sandbox seed always creates the same bookings for the same seed', async () => {
    const seed = async (...args: string[]) => {
      const { partner } = venue()
      const days = ['--from', '2024-03-01', '--to', '2024-03-31']
      const run = await partner('sandbox', 'seed', '--bookings', '400', ...days, ...args, '--json')
      expect(JSON.parse(run.stdout)).toMatchObject({ bookings: 400, customers: 0, giftcards: 0 })
      return (await partner('bookings', 'list', ...days, '-o', 'csv', '--columns', 'bookingId')).stdout
    }
    const [one, same, other] = await Promise.all([seed(), seed('--seed', '1'), seed('--seed', '2')])
    expect(one.trim().split('\n')).toHaveLength(401)
    expect(one).toBe(same)
    expect(one).not.toBe(other)
  })

  test('sandbox seed adds customers and cards only once and shows no progress if stderr is a pipe', async () => {
    const { partner } = venue()
    const counts = async () => [
      (await partner('customers', 'list', '-o', 'ndjson')).stdout.split('\n').length,
      (await partner('giftcards', 'list', '-o', 'ndjson')).stdout.split('\n').length,
    ]
    const before = await counts()
    expect(await partner('sandbox', 'seed', '--customers', '50', '--giftcards', '40')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Seeded 50 customers, 40 gift cards {2}in /),
    })
    const after = await counts()
    expect(after[0]).toBe((before[0] ?? 0) + 50)
    expect(after[1]).toBeGreaterThan(before[1] ?? 0)
    await partner('sandbox', 'seed', '--customers', '50', '--giftcards', '40')
    expect(await counts()).toEqual(after)
  })

  test('sandbox seed reports all invalid numbers and days together', async () => {
    const { partner } = venue()
    const seed = (...args: string[]) => partner('sandbox', 'seed', ...args)
    await refused(seed(), 2, '--bookings, --customers or --giftcards is required')
    const says = /5 problems:\n {2}--bookings [\s\S]*--customers [\s\S]*--giftcards [\s\S]*--seed [\s\S]*--from/
    await refused(seed(...words('--bookings -1 --customers x --giftcards 99999999 --seed z --from b')), 2, says)
    await refused(seed('--bookings', '1', '--from', '2024-02-01', '--to', '2024-01-01'), 2, 'is after')
    await refused(seed('--customers', '1', '--from', '2024-02-01'), 2, '--from and --to need --bookings')
    await refused(seed('--bookings', '1', '--data', ':memory:'), 2, '--data :memory:')
  })
})

describe('sandbox reset', () => {
  test('sandbox reset reports what it deleted, and leaves a directory without a sandbox unchanged', async () => {
    const { env, partner } = venue()
    await partner('giftcards', 'get', CARD)
    expect((await partner('sandbox', 'reset', '--yes')).stdout).toMatch(/^The sandbox is empty/)
    expect(readdirSync(join(env.PARTNER_DATA_DIR, 'sandbox'))).toEqual([])
    const again = await partner('sandbox', 'reset', '--yes', '--json')
    expect(again.stdout).toMatch(/^\{"reset":".*sandbox","existed":false\}\n$/)
    const project = freshDirectory()
    writeFileSync(join(project, 'journal.ndjson'), '{"mine":true}\n')
    const other = await partner('sandbox', 'reset', '--yes', '--data', project)
    expect(other.stdout).toMatch(/^Nothing was reset, because the sandbox did not exist/)
    expect(existsSync(join(project, 'journal.ndjson'))).toBe(true)
    await refused(partner('sandbox', 'reset', '--yes', '--data', ':memory:'), 2, ':memory:')
  })
})
