import { describe, expect, onTestFinished, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import { expectClean, expectRefusal, refused, reportedError } from '../../support/refusal.ts'
import { startSandbox } from '../../support/sandbox-process.ts'
import { words } from '../../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'
const READ = ['giftcards', 'get', CARD, '--json', '--retries', '0']
const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '10', '--json']
/** Flags for `hang` faults, which also make reads time out. */
const SOON = words('--timeout 2s --retries 3')

/** Starts an in-memory sandbox for one test. Returns functions that run commands with it. */
async function bench() {
  const sandbox = await startSandbox()
  onTestFinished(async () => void (await sandbox.stop()))
  const env = { ...freshHome(), ...sandbox.env }
  const partner = (args: readonly string[]) => runPartner(args, { env })
  return {
    sandbox,
    partner,
    fault: async (endpoint: string, ...flags: readonly string[]) => {
      const run = await partner(['sandbox', 'faults', 'add', '--endpoint', endpoint, ...flags])
      expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining(sandbox.baseUrl) })
    },
    balance: async () => {
      const headers = { 'x-api-key': sandbox.apiKey }
      for (;;) {
        const response = await fetch(`${sandbox.baseUrl}/GiftCards/${CARD}`, { headers })
        if (response.ok) return ((await response.json()) as { remainingAmount: number }).remainingAmount
      }
    },
  }
}

describe('sandbox faults that affect reads', () => {
  test.each<[name: string, flags: readonly string[], exitCode: number, code?: string | undefined, says?: RegExp]>([
    ['a 401', ['--status', '401'], 4, 'UNAUTHORIZED', /^Unauthorized$/],
    ['a 404', ['--status', '404'], 3, 'NOT_FOUND'],
    ['a 409', ['--status', '409'], 6, 'CONFLICT'],
    ['a 429', ['--status', '429'], 7, 'RATE_LIMITED', /10 times every 1000/],
    [
      'a 400 with a custom message',
      ['--status', '400', '--message', 'No such thing.'],
      5,
      'REJECTED',
      /No such thing\./,
    ],
    ['a 500', ['--status', '500'], 8, 'SERVICE_ERROR'],
    ['a 503', ['--status', '503'], 8, 'SERVICE_ERROR'],
    ['a short latency', ['--latency', '300ms'], 0],
    ['a latency above --timeout', ['--latency', '5s'], 8, 'TIMEOUT'],
    ['a connection reset', ['--reset'], 8, 'NETWORK_ERROR', /was lost \(ECONNRESET\)/],
    ['a closed connection', ['--close'], 8, 'NETWORK_ERROR', /was lost/],
    ['a truncated body', ['--truncate', '20'], 8, 'NETWORK_ERROR', /was lost/],
    ['malformed JSON', ['--malformed'], 8, 'SERVICE_ERROR', /cannot be read/],
    ['a slow body', ['--dribble'], 0],
    ['a slow body that takes longer than --timeout', ['--dribble'], 8, 'TIMEOUT'],
    ['a response that never arrives', ['--hang'], 8, 'TIMEOUT'],
    ['a body above the size limit', ['--oversize', '20MiB'], 8, undefined, /16 MiB/],
    ['a redirect', ['--redirect', 'http://127.0.0.1:1/elsewhere'], 5, 'REJECTED', /127\.0\.0\.1:1/],
    ['a wrong Date', ['--skew', '-10m'], 0],
  ])('a read reports %s with the documented exit code and error', async (_name, flags, exitCode, code, says) => {
    const { fault, partner, sandbox } = await bench()
    await fault('GET /GiftCards/{cardNumber}', ...flags)
    const run = await partner([...READ, ...(code === 'TIMEOUT' ? ['--timeout', '300ms'] : [])])
    expect(run.code).toBe(exitCode)
    expectClean(run, [sandbox.apiKey])
    if (exitCode === 0) expect(JSON.parse(run.stdout)).toMatchObject({ cardNumber: CARD, remainingAmount: 100 })
    else {
      expect(run.stdout).toBe('')
      expect(reportedError(run)).toMatchObject({ outcome: 'none', ...(code === undefined ? {} : { code }) })
      if (says) expect(reportedError(run).message).toMatch(says)
    }
  })

  test('a read succeeds on its third attempt after two failures', async () => {
    const { fault, partner } = await bench()
    await fault('GET /GiftCards/{cardNumber}', '--status', '503', '--next', '2')
    const run = await partner(['giftcards', 'get', CARD, '--json', '--verbose'])
    expect(run.code).toBe(0)
    // Match 503 only as a status, not as a duration in milliseconds.
    expect(run.stderr.match(/ 503 \d+ ms/g)).toHaveLength(2)
  })
})

describe('sandbox faults after a redemption', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['a connection reset', ['--reset', '--phase', 'after'], []],
    ['a closed connection', ['--close', '--phase', 'after'], []],
    ['a response that never arrives', ['--hang', '--phase', 'after'], SOON],
    ['a 503', ['--status', '503', '--phase', 'after'], []],
    ['a 504', ['--status', '504', '--phase', 'after'], []],
    ['a truncated body', ['--truncate', '10'], []],
    ['malformed JSON', ['--malformed'], []],
    ['a slow body that takes longer than --timeout', ['--dribble'], words('--timeout 500ms --retries 9')],
    ['a body above the size limit', ['--oversize', '20MiB'], []],
  ])(
    'giftcards redeem succeeds without resending if the redemption was applied before %s',
    async (_name, flags, args) => {
      const { fault, partner, balance } = await bench()
      await fault('POST /GiftCards/redeem', ...flags)
      const run = await partner([...REDEEM, ...args])
      expect(run.code).toBe(0)
      expect(JSON.parse(run.stdout)).toMatchObject({ cardNumber: CARD, amountRedeemed: 10 })
      expect(run.stderr).toMatch(/applied|was (done|redeemed|taken)|went down/i)
      expect(await balance()).toBe(90)
      const query = "length([?endpoint == 'giftcards.redeem'])"
      const { stdout } = await partner([...words('sandbox journal --json --query'), query])
      expect(stdout.trim()).toBe('1')
    },
  )
})

describe('sandbox faults before a redemption', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['a connection reset', ['--reset'], []],
    ['a closed connection', ['--close'], []],
    ['a response that never arrives', ['--hang'], SOON],
    ['a 503', ['--status', '503'], []],
    ['a truncated body', ['--truncate', '10', '--phase', 'before'], []],
  ])(
    'giftcards redeem leaves an open operation after %s if the redemption was not applied',
    async (_name, flags, args) => {
      const { fault, partner, balance } = await bench()
      await fault('POST /GiftCards/redeem', ...flags)
      const run = await partner([...REDEEM, ...args])
      expect(reportedError(run)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
      expect(await balance()).toBe(100)
      const expected = [{ state: 'open', target: CARD, amount: expect.stringMatching(/^10(\.00)?$/) }]
      expect(JSON.parse((await partner(['operations', 'list', '--json'])).stdout)).toMatchObject(expected)
      expect((await partner(REDEEM)).code).toBe(9)
    },
  )

  test('giftcards redeem refuses a redirect and does not send the key to another origin', async () => {
    const { fault, partner, balance } = await bench()
    await fault('POST /GiftCards/redeem', '--redirect', 'https://elsewhere.example/')
    const { exitCode, message } = reportedError(await partner(REDEEM))
    expect([exitCode, message]).toEqual([5, expect.stringContaining('https://elsewhere.example/')])
    expect(await balance()).toBe(100)
  })

  test('a redemption that the service rejects with a documented error can be repeated', async () => {
    const { fault, partner, balance } = await bench()
    await fault('POST /GiftCards/redeem', '--status', '500', '--next', '1')
    expect(reportedError(await partner(REDEEM))).toMatchObject({ exitCode: 8, outcome: 'not-applied' })
    await fault('POST /GiftCards/redeem', '--status', '429', '--next', '1')
    expect((await partner([...REDEEM, '--retries', '0'])).code).toBe(7)
    expect(await balance()).toBe(100)
    expect((await partner(REDEEM)).code).toBe(0)
    expect(await balance()).toBe(90)
  })
})

test('giftcards cancel succeeds if its response is lost after the card is cancelled', async () => {
  const { fault, partner } = await bench()
  await fault('PATCH /GiftCards/cancel', '--reset', '--phase', 'after')
  const run = await partner(['giftcards', 'cancel', CARD, '--yes', '--json'])
  expect(run.code).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ cardNumber: CARD, status: 'Cancelled' })
})

test('webhook faults duplicate, delay and drop webhooks', async () => {
  const { fault, partner } = await bench()
  await partner(['webhooks', 'create', 'GIFTCARDS_REDEEMED', 'http://127.0.0.1:1/', '--yes'])
  await fault('POST /GiftCards/redeem', '--duplicate-webhook', '3', '--next', '1')
  expect((await partner(REDEEM)).code).toBe(0)
  await fault('POST /GiftCards/redeem', '--late-webhook', '2h', '--next', '1')
  expect((await partner(REDEEM)).code).toBe(0)
  await fault('POST /GiftCards/redeem', '--lost-webhook', '--next', '1')
  expect((await partner(REDEEM)).code).toBe(0)
  const { stdout } = await partner(['sandbox', 'deliveries', '--json'])
  const deliveries = JSON.parse(stdout) as { created: string; due: string; state: string; attempts: [] }[]
  expect(deliveries).toHaveLength(5)
  const [late, lost] = deliveries.slice(-2)
  expect(Date.parse(late?.due ?? '') - Date.parse(late?.created ?? '')).toBe(2 * 3_600_000)
  expect(lost).toMatchObject({ state: 'dropped', due: null, attempts: [] })
})

describe('sandbox faults', () => {
  test('sandbox faults can add, list, count and clear faults', async () => {
    const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
    const partner = (...args: string[]) => runPartner(args, { env })
    const stderr = 'No faults: the sandbox behaves as the specification says.\n'
    expect(await partner('sandbox', 'faults', 'list')).toEqual({ code: 0, stdout: '', stderr })
    const endpoint = 'get /GiftCards/{cardNumber}'
    const flags = words('--status 404 --nth 2 --json')
    const added = await partner('sandbox', 'faults', 'add', '--endpoint', endpoint, ...flags)
    const effect = { kind: 'status', status: 404 }
    expect(JSON.parse(added.stdout)).toEqual({ id: 1, seen: 0, fired: 0, endpoint, effect, nth: 2 })
    await partner('sandbox', 'faults', 'add', '--endpoint', '*', '--latency', '1ms', '--share', '50', '--seed', '3')
    for (const code of [0, 3, 0]) expect(await partner(...READ)).toMatchObject({ code })
    const listed = await partner('sandbox', 'faults', 'list')
    expect(listed.stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'ID | ENDPOINT | FAULT | CHANGE | AFFECTS | SEEN | AFFECTED',
      ' 1 | get /GiftCards/{cardNumber} | status 404 | request 2, done | 3 | 1',
      expect.stringMatching(/^ 2 \| \* \| 1ms late \| 50%, seed 3 \| 3 \| [0-3]$/),
      '',
    ])
    const csv = await partner('sandbox', 'faults', 'list', '-o', 'csv', '--columns', 'id,effect.kind')
    expect(csv.stdout).toBe('id,effect.kind\n1,status\n2,latency\n')
    expect((await partner('sandbox', 'faults', 'clear', '1', '--json')).stdout).toBe('{"cleared":1}\n')
    await refused(partner('sandbox', 'faults', 'clear', '1'), 3, 'no fault 1', 'faults list')
    expect((await partner('sandbox', 'faults', 'clear', '--json')).stdout).toBe('{"cleared":1}\n')
    expect(await partner('sandbox', 'faults', 'clear')).toMatchObject({ code: 0, stdout: 'There were no faults\n' })
  })

  test('sandbox faults add reports all problems with an invalid fault together without adding it', async () => {
    const env = freshHome()
    const add = (...args: string[]) => runPartner(['sandbox', 'faults', 'add', ...args], { env })
    const flags = words('--status 99 --reset --next 0 --share 101 --phase during --data a --base-url b')
    const wrong = await add('--endpoint', 'GET /giftcards/{cardNumber}', ...flags)
    expectRefusal(wrong, { code: 2, says: '9 problems' })
    for (const part of [
      '--status and --reset cannot be used together',
      '--status must be a whole number from 200 to 599, not "99"',
      '--next and --share cannot be used together',
      '--next must be a whole number',
      '--share must be a percentage',
      '--phase must be before or after, not "during"',
      "did you mean 'GET /GiftCards/{cardNumber}'?",
      '--data and --base-url cannot be used together',
      '--base-url must be the address of a sandbox, such as http://127.0.0.1:4010, not "b"',
    ])
      expect(wrong.stderr).toContain(part)
    await refused(add(), 2, /--endpoint is required[\s\S]*one of --status, [-, a-z]* is required/)
    await refused(add('--endpoint', '*', '--hang', '--message', 'x'), 2, '--message needs --status')
    await refused(add('--endpoint', '*', '--hang', '--seed', '1'), 2, '--seed needs --share')
    const says = '--phase and --skew cannot be used together'
    await refused(add('--endpoint', '*', '--skew', '5m', '--phase', 'after'), 2, says)
    await refused(add('--endpoint', '*', '--truncate', '1.5GB'), 2, '--truncate must be')
    await refused(add('--endpoint', '*', '--redirect', 'http://a\nx: y'), 2, 'not allowed in a header')
    expect((await runPartner(['sandbox', 'faults', 'list', '--json'], { env })).stdout).toBe('[]\n')
  })

  test('sandbox faults list requires an existing sandbox', async () => {
    const faults = (...args: string[]) => runPartner(['sandbox', 'faults', 'list', ...args], { env: freshHome() })
    await refused(faults('--base-url', 'http://127.0.0.1:1'), 2, 'you have no sandbox running')
    await refused(faults('--base-url', 'https://example.com'), 2, '--base-url must be the address of a sandbox')
    await refused(faults('--data', '/nowhere'), 3, '/nowhere does not contain a sandbox')
    await refused(faults('--data', ':memory:'), 2, '--data :memory:', '--base-url')
    await refused(faults('--data', ''), 2, '--data must not be empty')
  })

  test('sandbox faults without a subcommand lists its subcommands', async () => {
    const { code, stdout } = await runPartner(['sandbox', 'faults'])
    expect(code).toBe(0)
    for (const verb of ['add', 'list', 'clear']) expect(stdout).toContain(`sandbox faults ${verb}`)
    const help = await runPartner(['sandbox', 'faults', 'add', '--help'])
    expect(help.stdout).toMatch(/^ {2}Make an endpoint of the sandbox misbehave\.$[\s\S]*--oversize=BYTES/m)
    await refused(runPartner(['sandbox', 'faults', 'ad']), 2, 'did you mean "partner sandbox faults add"?')
    await refused(runPartner(['sandbox', 'fault', 'list']), 2, 'did you mean "partner sandbox faults list"?')
  })
})
