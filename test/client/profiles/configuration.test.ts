import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NOT_ROOT, skipWithout } from '../../support/needs.ts'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { answers, RAW_KEY, runAgainst, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, operationOf, refused, reportedError } from '../../support/refusal.ts'
import { IS_WINDOWS, toolPath } from '../../support/windows.ts'

const CARD = 'GIFT1-00000100-AAAA'
const SERVICE_COMMANDS = [
  'bookings list --from today',
  'bookings get BK-1',
  'bookings statuses',
  'bookings schedule --date today --people 2',
  `giftcards get ${CARD}`,
  `giftcards redeem ${CARD} --amount 5`,
  `giftcards cancel ${CARD} --yes`,
  'profiles check',
]

const STORED_KEY = 'stored-key-0815'

function homeWith(text: string) {
  const home = freshHome()
  const file = join(home.PARTNER_CONFIG_DIR, 'profiles.json')
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, text, { mode: 0o600 })
  return { home, file }
}

describe('commands if nothing is configured', () => {
  test.each(SERVICE_COMMANDS)(
    'partner %s exits with code 4 and suggests the sandbox if nothing is configured',
    (line) => refused(runPartner(line, { env: freshHome() }), 4, 'no profile is set up', /--profile sandbox/),
  )

  test('the JSON error has the code NO_PROFILE if nothing is configured', async () => {
    const error = reportedError(await runPartner('bookings statuses --json', { env: freshHome() }))
    expect(error).toMatchObject({ code: 'NO_PROFILE', exitCode: 4, outcome: 'none' })
  })

  test('a command exits with code 4 and names the missing variable if a base URL but no key is set', async () => {
    const server = await startRawServer([answers(200, [])])
    const run = await runPartner('bookings statuses', { env: { ...freshHome(), PARTNER_BASE_URL: server.baseUrl } })
    expectRefusal(run, { code: 4, says: 'PARTNER_API_KEY' })
    expect(server.connections).toBe(0)
  })

  test('profiles list shows only the sandbox and explains how to add a profile if nothing is configured', async () => {
    const run = await runPartner('profiles list', { env: freshHome() })
    const stdout = expect.stringMatching(/^NAME .*\nsandbox .*\n$/)
    expect(run).toMatchObject({ code: 0, stdout, stderr: expect.stringContaining('partner profiles add') })
  })
})

describe('unknown profiles', () => {
  const staging = { baseUrl: 'https://staging.example', apiKey: { env: 'K' } }
  const freshStaging = () => homeWith(JSON.stringify({ profiles: { staging } })).home

  test.each([
    ['bookings statuses --profile stagin', 'staging'],
    ['profiles use stagin', 'staging'],
    ['profiles show stagin', 'staging'],
    ['profiles set stagin --timezone UTC', 'staging'],
    ['profiles remove stagin --yes', 'staging'],
    ['profiles check sandbx', 'sandbox'],
  ])('partner %s exits with code 4 and suggests %s', (line, near) =>
    refused(runPartner(line, { env: freshStaging() }), 4, 'there is no profile', `did you mean ${near}?`),
  )

  test('an error about an unknown profile names PARTNER_PROFILE if that variable selected it', async () => {
    const run = runPartner('bookings statuses', { env: { ...freshStaging(), PARTNER_PROFILE: 'live' } })
    await refused(run, 4, 'there is no profile "live" (from PARTNER_PROFILE)', /your profiles: staging/)
  })

  test('bookings statuses exits with code 4 and lists the profiles if no profile is current', () =>
    refused(runPartner('bookings statuses', { env: freshStaging() }), 4, 'profile', /staging/))

  test('a command exits with code 4 and names the variable if the profile refers to an unset variable', () =>
    refused(runPartner('bookings statuses -p staging', { env: freshStaging() }), 4, /\bK\b/))
})

describe('unusable profile files', () => {
  const USES = [
    'bookings statuses',
    'bookings statuses --profile dev',
    'profiles list',
    'profiles show dev',
    'profiles use dev',
    'profiles set dev --timezone UTC',
    'profiles remove dev --yes',
    'profiles add other --base-url https://other.example --api-key env:K',
  ]
  const SECRET = 'sk-never-shown-4711'
  const CORRUPT = {
    truncated: `{"profiles":{"dev":{"apiKey":{"value":"${SECRET}"`,
    'not JSON': `apiKey = ${SECRET}`,
    empty: '',
    'of a different shape': `{"profiles":[{"apiKey":"${SECRET}"}]}`,
    'full of zeros': '\0'.repeat(4096),
  }

  describe.each(Object.entries(CORRUPT))('a profile file that is %s', (what, text) => {
    test.each(USES)(`partner %s exits with code 2 and does not change a profile file that is ${what}`, async (line) => {
      const { home, file } = homeWith(text)
      const before = statSync(file)
      const run = await runPartner(line, { env: home })
      expectRefusal(run, { code: 2, says: 'profiles.json', next: /it was left unchanged/, secrets: [SECRET] })
      expect(readFileSync(file, 'utf8')).toBe(text)
      expect(statSync(file).mtimeMs).toBe(before.mtimeMs)
    })
  })

  test.each(USES)('partner %s exits with code 2 if the profile file cannot be read', async (line) => {
    const home = freshHome()
    // Not even root can read a directory as a file.
    mkdirSync(join(home.PARTNER_CONFIG_DIR, 'profiles.json'), { recursive: true, mode: 0o700 })
    await refused(runPartner(line, { env: home }), 2, 'profiles.json')
  })

  test('bookings statuses exits with code 2 if the permissions of the profile file forbid reading it', async (context) => {
    skipWithout(context, NOT_ROOT)
    const { home, file } = homeWith('{"profiles":{}}')
    chmodSync(file, 0)
    await refused(runPartner('bookings statuses', { env: home }), 2, 'cannot read the profiles')
  })

  test('a command ignores an invalid profile file if environment variables provide all settings', async () => {
    const run = await runAgainst([answers(200, [])], 'bookings statuses --json', { env: homeWith('{').home })
    expect(run).toMatchObject({ code: 0, stdout: '[]\n' })
  })

  test('the sandbox profile ignores an invalid profile file', async () =>
    expect((await runPartner('bookings statuses --json --profile sandbox', { env: homeWith('{').home })).code).toBe(0))
})

describe('base URLs that partner must not send a key to', () => {
  test.each([
    ['http://partner.example/api', /must use https/],
    ['http://127.0.0.1.evil.example', /must use https/],
    ['http://localhost.evil.example', /must use https/],
    ['http://[::2]:4010', /must use https/],
    ['https://user:secret-in-url@partner.example', /must not contain a user name/],
    ['https://partner.example/?key=1', /must not contain a query/],
    ['ftp://partner.example', /http/],
    ['partner.example', /absolute URL/],
    ['', /no profile is set up|base URL/],
  ])('partner refuses the base URL "%s" in a flag and in an environment variable', async (url, says) => {
    const env = { ...freshHome(), PARTNER_API_KEY: RAW_KEY }
    const secrets = [RAW_KEY, 'secret-in-url']
    const byFlag = await runPartner(['bookings', 'statuses', '--base-url', url], { env })
    if (url !== '') expectRefusal(byFlag, { code: 2, says, secrets })
    const byVariable = await runPartner('bookings statuses', { env: { ...env, PARTNER_BASE_URL: url } })
    expectRefusal(byVariable, { code: url === '' ? 4 : 2, says: url === '' ? /base URL|profile/ : says, secrets })
  })

  test.each(['http://127.0.0.1', 'http://localhost', 'http://[::1]'])(
    'partner accepts plain http to the loopback address %s',
    async (host) => {
      const server = await startRawServer([answers(200, [])])
      const env = { ...freshHome(), PARTNER_API_KEY: RAW_KEY }
      const line = `bookings statuses --retries 0 --base-url ${host}:${server.port}`
      expect((await runPartner(line, { env })).code).not.toBe(2)
    },
  )

  test("partner refuses to send a profile's stored key to a --base-url with a different origin", async () => {
    const dev = { baseUrl: 'https://dev.example', apiKey: { value: STORED_KEY } }
    const { home } = homeWith(JSON.stringify({ profiles: { dev } }))
    const server = await startRawServer([answers(200, [])])
    const args = ['bookings', 'statuses', '--profile', 'dev', '--base-url', server.baseUrl]
    const byProfile = await runPartner(args, { env: home })
    const says = 'belongs to https://dev.example'
    expectRefusal(byProfile, { code: 2, says, next: /PARTNER_API_KEY/, secrets: [STORED_KEY] })
    expect(server.connections).toBe(0)
    const withKey = { ...home, PARTNER_API_KEY: RAW_KEY }
    await refused(runPartner(args, { env: withKey }), 2, 'belongs to', /omit --profile/)
    expect(server.connections).toBe(0)
    const alone = await runPartner(['bookings', 'statuses', '--base-url', server.baseUrl, '--json'], { env: withKey })
    expect(alone).toMatchObject({ code: 0, stdout: '[]\n' })
    expect(server.requests[0]?.headers['x-api-key']).toBe(RAW_KEY)
  })
})

describe('a profile selected with --profile takes precedence over environment variables', () => {
  const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '5']

  /**
   * Starts two services with one card each. The `till` profile selects the first service, and the environment variables
   * select the second.
   */
  async function twoServices() {
    const card = { cardNumber: CARD, remainingAmount: 100, status: 'Active', amountRedeemed: 5, isSuccess: true }
    const service = ({ target }: { target: string }) => answers(200, /statuses/.test(target) ? [] : card)
    const [own, other] = [await startRawServer(service), await startRawServer(service)]
    const till = { baseUrl: own.baseUrl, apiKey: { env: 'TILL_KEY' }, timezone: 'Australia/Sydney' }
    const { home } = homeWith(JSON.stringify({ profiles: { till } }))
    return { own, other, env: { ...home, ...other.env, TILL_KEY: 'key-of-the-till' } }
  }

  test("giftcards redeem -p uses the profile's service and key instead of those in environment variables", async () => {
    const { own, other, env } = await twoServices()
    expect(await runPartner([...REDEEM, '-p', 'till', '--json'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(other.connections).toBe(0)
    expect(own.requests.map(({ method }) => method)).toContain('POST')
    expect(new Set(own.requests.map(({ headers }) => headers['x-api-key']))).toEqual(new Set(['key-of-the-till']))
  })

  test('profiles check NAME checks that profile instead of the service in environment variables', async () => {
    const { own, other, env } = await twoServices()
    const run = await runPartner('profiles check till --json', { env })
    expect(JSON.parse(run.stdout)).toMatchObject({ profile: 'till', baseUrl: own.baseUrl })
    expect(other.connections).toBe(0)
  })

  test('other environment variables take precedence over the profile in PARTNER_PROFILE', async () => {
    const { own, other, env } = await twoServices()
    expect((await runPartner([...REDEEM, '--json'], { env: { ...env, PARTNER_PROFILE: 'till' } })).code).toBe(0)
    expect([own.connections, other.requests.length > 0]).toEqual([0, true])
  })

  test('-v names the environment variables that partner ignores because of --profile', async () => {
    const { env } = await twoServices()
    const said =
      '--profile till takes precedence; ignored variables: PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_TIMEZONE\n'
    const variables = { ...env, PARTNER_TIMEZONE: 'Europe/London' }
    const read = ['giftcards', 'get', CARD, '--json', '-p', 'till']
    expect((await runPartner([...read, '-v'], { env: variables })).stderr).toContain(said)
    expect((await runPartner(read, { env: { ...variables, PARTNER_DEBUG: '1' } })).stderr).toContain(said)
    expect((await runPartner(read, { env: variables })).stderr).toBe('')
    const unset = { ...env, PARTNER_BASE_URL: undefined, PARTNER_API_KEY: undefined }
    expect((await runPartner([...read, '-v'], { env: unset })).stderr).not.toContain('ignored variables')
  })

  test("sign -p uses the profile's signing secret, and -v names the ignored variable", async () => {
    const { home } = homeWith(JSON.stringify({ profiles: { till: { signingSecret: { env: 'TILL_SECRET' } } } }))
    const args = ['sign', '--url', 'https://x.example/a', '--body', 'b', '--json']
    const env = { ...home, TILL_SECRET: 'one' }
    const own = await runPartner(args, { env: { ...home, PARTNER_SIGNING_SECRET: 'one' } })
    const run = await runPartner([...args, '-p', 'till', '-v'], { env: { ...env, PARTNER_SIGNING_SECRET: 'two' } })
    expect(JSON.parse(run.stdout)).toMatchObject({ signature: JSON.parse(own.stdout).signature })
    expect(run.stderr).toBe('--profile till takes precedence; ignored variables: PARTNER_SIGNING_SECRET\n')
  })

  test('-p sandbox ignores a key in an environment variable, but PARTNER_PROFILE=sandbox uses it', async () => {
    const env = { ...freshHome(), PARTNER_API_KEY: 'sandbox_key_unknown_app' }
    const read = ['giftcards', 'get', CARD, '--json']
    expect((await runPartner([...read, '-p', 'sandbox'], { env })).code).toBe(0)
    const tried = await runPartner(read, { env: { ...env, PARTNER_PROFILE: 'sandbox' } })
    expect(reportedError(tried)).toMatchObject({ code: 'UNKNOWN_APP', exitCode: 4 })
  })
})

describe('operations resolve after a lost response', () => {
  const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '5', '--json']

  /** Starts a service that performs a redemption but closes the connection instead of responding. */
  const losingService = () =>
    startRawServer(({ method }, earlier) => {
      const sent = earlier.some((request) => request.method === 'POST')
      if (method === 'POST') return (socket) => void socket.destroy()
      // The first read after the redemption still returns the old balance, so the outcome is unknown at first.
      const reads = earlier.filter((request) => request.method === 'GET').length
      return answers(200, { cardNumber: CARD, remainingAmount: sent && reads > 1 ? 95 : 100, status: 'Active' })
    })

  test.each([
    ['--profile, while environment variables name a different service', ['-p', 'till'], 'elsewhere'],
    ['the current profile, with the key from an environment variable', [], 'key'],
    ['a base URL and a key in environment variables', [], 'both'],
  ] as const)(
    'operations resolve reads from the service that received the write, even if it was selected by %s',
    async (_what, flags, variables) => {
      const server = await losingService()
      const other = await startRawServer([answers(404)])
      const till = { baseUrl: server.baseUrl, apiKey: variables === 'elsewhere' ? { value: STORED_KEY } : undefined }
      const { home } = homeWith(JSON.stringify({ current: 'till', profiles: { till } }))
      const env = {
        ...home,
        ...{ elsewhere: other.env, both: server.env, key: { PARTNER_API_KEY: RAW_KEY } }[variables],
      }
      const operation = operationOf(await runPartner([...REDEEM, ...flags], { env }))
      const run = await runPartner(`operations resolve ${operation} --json`, { env })
      expect(run).toMatchObject({ code: 0 })
      expect(JSON.parse(run.stdout)).toMatchObject({ state: 'applied', service: server.baseUrl })
      expect(other.connections).toBe(0)
    },
  )
})

describe('sources of API keys', () => {
  function keyFile() {
    const file = join(freshDirectory(), 'key')
    writeFileSync(file, `${RAW_KEY}\n`, { mode: 0o600 })
    return file
  }

  test('partner reads the key from the file named by PARTNER_API_KEY_FILE, without the trailing line break', async () => {
    const server = await startRawServer([answers(200, [])])
    const env = { ...freshHome(), PARTNER_BASE_URL: server.baseUrl, PARTNER_API_KEY_FILE: keyFile() }
    expect(await runPartner('bookings statuses --json', { env })).toMatchObject({ code: 0, stderr: '' })
    expect(server.requests[0]?.headers['x-api-key']).toBe(RAW_KEY)
  })

  const command = IS_WINDOWS ? 'command:type "KEYFILE"' : "command:cat 'KEYFILE'"
  test.each(['env:SOME_KEY', 'file:KEYFILE', command])(
    'profiles add stores %s as a reference that is resolved at each use',
    async (typed) => {
      const server = await startRawServer([answers(200, [])])
      const env = { ...freshHome(), SOME_KEY: RAW_KEY }
      const add = ['profiles', 'add', 'dev', '--base-url', server.baseUrl, '--api-key']
      expect((await runPartner([...add, typed.replace('KEYFILE', toolPath(keyFile()))], { env })).code).toBe(0)
      expect(readFileSync(join(env.PARTNER_CONFIG_DIR, 'profiles.json'), 'utf8')).not.toContain(RAW_KEY)
      expect(await runPartner('bookings statuses --json', { env })).toMatchObject({
        code: 0,
        stdout: '[]\n',
        stderr: '',
      })
      expect(server.requests[0]?.headers['x-api-key']).toBe(RAW_KEY)
    },
  )

  test('profiles add refuses a plain key in --api-key (exit code 2) without printing it', async () => {
    const args = ['profiles', 'add', 'dev', '--base-url', 'https://dev.example', '--api-key', RAW_KEY]
    await refused(runPartner(args, { env: freshHome() }), 2, '--api-key', /secret/)
  })
})

describe('empty and invalid environment variables', () => {
  const variables = ['PARTNER_OUTPUT', 'PARTNER_TIMEOUT', 'PARTNER_RETRIES', 'PARTNER_PROFILE']
  test.each(variables)('an empty %s counts as unset', async (name) => {
    const run = await runAgainst([answers(200, [{ code: 'A', name: 'B' }])], 'bookings statuses', {
      env: { [name]: '' },
    })
    expect(run).toMatchObject({ code: 0, stderr: '' })
  })

  test('PARTNER_OUTPUT is validated like the flag, and sets the output format if no flag does', async () => {
    const run = (line: string, PARTNER_OUTPUT: string) =>
      runAgainst([answers(200, [{ code: 'A' }])], line, { env: { PARTNER_OUTPUT } })
    expect((await run('bookings statuses', 'csv')).stdout).toMatch(/^code,name,statusType\r\n|^\S*code/)
    expect(JSON.parse((await run('bookings statuses --json', 'csv')).stdout)).toEqual([{ code: 'A' }])
    await refused(run('bookings statuses', 'xml'), 2, 'table, json, ndjson, csv')
  })

  test.each([
    ['PARTNER_TIMEOUT', 'soon'],
    ['PARTNER_RETRIES', 'many'],
  ])('a command exits with code 2 and names the variable if %s is invalid', async (name, value) => {
    const server = await startRawServer([answers(200, [])])
    await refused(server.run('bookings statuses', { env: { [name]: value } }), 2, name)
    expect(server.connections).toBe(0)
  })

  test('PARTNER_DEBUG=1 prints one line per request, without the key', async () => {
    const run = await runAgainst([answers(200, [])], 'bookings statuses --json', { env: { PARTNER_DEBUG: '1' } })
    expect(run).toMatchObject({ code: 0, stdout: '[]\n' })
    expect(run.stderr).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/Resources\/booking-statuses 200 \d+ ms, attempt 1\n$/)
    expect(run.stderr).not.toContain(RAW_KEY)
  })
})
