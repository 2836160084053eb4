import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { NOT_ROOT, skipWithout } from '../../support/needs.ts'
import { type Environment, freshHome, runPartner } from '../../support/partner.ts'
import { answers, freePort, RAW_KEY, startRawServer } from '../../support/raw-server.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import { mountSmallDisk, SMALL_DISK } from '../../support/small-disk.ts'
import { IS_WINDOWS, WITHOUT_LINKS, WITHOUT_MODES } from '../../support/windows.ts'
import { words } from '../../support/words.ts'
import { rowsSkippedFor, runDoctor } from './run-doctor.ts'

const sandbox = await startSharedSandbox()
const SECRET = 'signing-secret-0815'

/** Creates a home directory with one profile, `till`, for this file's sandbox. */
async function homeWithProfile(more: readonly string[] = []) {
  const home = freshHome()
  const args = ['profiles', 'add', 'till', '--base-url', sandbox.baseUrl, '--timezone', 'Australia/Sydney', ...more]
  const run = await runPartner([...args, '--api-key-stdin'], { env: home, input: sandbox.apiKey })
  expect(run.code, run.stderr).toBe(0)
  return { home, file: join(home.PARTNER_CONFIG_DIR, 'profiles.json') }
}

/** Matches a row with the given name whose message contains the given text. */
const row = (name: string, message: string) => ({ name, message: expect.stringContaining(message) })

const failed = (rows: readonly { readonly status: string; readonly name: string }[]) =>
  rows.filter(({ status }) => status === 'fail').map(({ name }) => name)

describe('doctor and the profile file', () => {
  test("doctor's modes row, and no other row, fails if other users can read the profile file", async (context) => {
    skipWithout(context, WITHOUT_MODES)
    const { home, file } = await homeWithProfile()
    chmodSync(file, 0o644)
    const { cause, rows } = await runDoctor(home)
    expect(failed(rows)).toEqual(['modes'])
    expect(cause).toMatchObject({ message: `other users can read ${file} (mode 0644)`, next: `chmod 600 ${file}` })
  })

  test("doctor's configuration row fails for a corrupt profile file without printing its content", async () => {
    const { home, file } = await homeWithProfile()
    writeFileSync(file, '{"profiles": {"till": {"apiKey": {"value": "s3cret-key-99"', { mode: 0o600 })
    const { cause, rows, stderr } = await runDoctor(home)
    expect(cause).toMatchObject(row('configuration', 'profiles.json is not valid JSON'))
    expect(cause?.next).toMatch(/^ls -l '?\S+profiles\.json'?$/)
    expect(rowsSkippedFor(rows, 'configuration')).toEqual(expect.arrayContaining(['profile', 'secrets', 'dns', 'key']))
    expect(rows.find(({ name }) => name === 'operations')?.status).toBe('ok')
    expect(JSON.stringify(rows) + stderr).not.toContain('s3cret')
  })

  test('doctor warns about a corrupt profile file instead of failing if variables or the sandbox provide the settings', async () => {
    const { home, file } = await homeWithProfile()
    writeFileSync(file, '{', { mode: 0o600 })
    for (const [env, args] of [
      [{ ...home, ...sandbox.env }, []],
      [home, words('--profile sandbox')],
    ] as const) {
      const { code, row } = await runDoctor(env, args)
      expect(code).toBe(0)
      expect(row('configuration')?.status).toBe('warn')
      expect(row('key')?.status).toBe('ok')
    }
  })

  test('doctor warns about a profile file that is a symbolic link, and fails if the link is broken', async (context) => {
    skipWithout(context, WITHOUT_LINKS)
    const { home, file } = await homeWithProfile()
    const elsewhere = join(home.PARTNER_CONFIG_DIR, 'real.json')
    symlinkSync(elsewhere, `${file}.new`)
    rmSync(file)
    symlinkSync(elsewhere, file)
    expect((await runDoctor(home)).cause).toMatchObject(row('configuration', 'dangling symbolic link'))
    writeFileSync(elsewhere, '{"profiles": {}}', { mode: 0o600 })
    const linked = { ...row('links', `is a symbolic link (to ${elsewhere})`), status: 'warn' }
    expect((await runDoctor(home, words('--profile sandbox'))).row('links')).toMatchObject(linked)
  })

  test("doctor's profile row fails if the requested profile does not exist", async () => {
    const { home } = await homeWithProfile()
    const message = 'there is no profile "tlil" (from --profile)'
    const next = 'partner profiles list'
    expect((await runDoctor(home, words('--profile tlil'))).cause).toMatchObject({ name: 'profile', message, next })
    const { cause } = await runDoctor(freshHome())
    expect(cause).toMatchObject({ name: 'profile', next: expect.stringContaining('sandbox') })
  })

  test.each([
    ['http://service.example', /must use https/],
    ['https://till:pw-4711@service.example', /must not contain a user name/],
  ])("doctor's profile row fails if the profile's base URL is %s", async (baseUrl, says) => {
    const { home, file } = await homeWithProfile()
    writeFileSync(file, JSON.stringify({ current: 'till', profiles: { till: { baseUrl } } }), { mode: 0o600 })
    const { cause, rows } = await runDoctor(home)
    expect(cause).toMatchObject({ name: 'profile', next: 'partner profiles show till' })
    expect(cause?.message).toMatch(says)
    expect(JSON.stringify(rows)).not.toContain('pw-4711')
  })

  test("doctor's profile row fails for an unknown time zone", async () => {
    const { cause } = await runDoctor({ ...sandbox.env, PARTNER_TIMEZONE: 'Sydney' })
    expect(cause).toMatchObject({ name: 'profile', message: '"Sydney" (PARTNER_TIMEZONE) is not a time zone' })
  })
})

test("doctor's modes row, and no other row, fails if other users can read a file that contains a secret", async (context) => {
  skipWithout(context, WITHOUT_MODES)
  const home = freshHome()
  mkdirSync(home.PARTNER_CONFIG_DIR, { mode: 0o700 })
  const key = join(home.PARTNER_CONFIG_DIR, 'the key')
  writeFileSync(key, sandbox.apiKey, { mode: 0o644 })
  chmodSync(key, 0o644)
  const { cause, rows } = await runDoctor({ ...home, PARTNER_BASE_URL: sandbox.baseUrl, PARTNER_API_KEY_FILE: key })
  expect(failed(rows)).toEqual(['modes'])
  expect(cause?.next).toBe(`chmod 600 '${key}'`)
})

describe('doctor and the disk', () => {
  test("doctor's disk row fails if the disk is full, and doctor skips the checks that would write", async (context) => {
    skipWithout(context, SMALL_DISK)
    const data = join(mountSmallDisk(128), 'data')
    mkdirSync(data, { mode: 0o700 })
    const tried = await runDoctor({ ...sandbox.env, PARTNER_DATA_DIR: data })
    const full = row('disk', 'is full: no space left on device (ENOSPC); no money write can be recorded')
    expect(tried.cause).toMatchObject({
      ...full,
      next: IS_WINDOWS ? 'Get-PSDrive -PSProvider FileSystem' : `df -h ${data}`,
    })
    expect(rowsSkippedFor(tried.rows, 'disk')).toEqual(['operations'])
    expect(tried.row('key')?.status).toBe('ok')
    const inside = await runDoctor({ PARTNER_DATA_DIR: data }, words('--profile sandbox'))
    expect(inside.cause?.name).toBe('disk')
    expect(rowsSkippedFor(inside.rows, 'disk')).toContain('service')
  })

  test('if the data directory does not exist, doctor checks the disk that would contain it', async () => {
    const home = freshHome()
    const data = join(home.PARTNER_DATA_DIR, 'deeper', 'partner')
    const { row } = await runDoctor({ ...home, ...sandbox.env, PARTNER_DATA_DIR: data })
    expect(row('data directory')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('does not exist yet'),
    })
    expect(row('disk')?.message).toMatch(/can be written to, .* free$/)
    expect(existsSync(home.PARTNER_DATA_DIR)).toBe(false)
  })

  test("doctor's disk row fails if the data directory is not writable", async (context) => {
    skipWithout(context, NOT_ROOT)
    const home = freshHome()
    mkdirSync(home.PARTNER_DATA_DIR, { mode: 0o500 })
    const { cause } = await runDoctor({ ...home, ...sandbox.env })
    expect(cause).toMatchObject(row('disk', 'cannot be written: permission denied (EACCES)'))
  })

  test("doctor's data directory row fails if its path leads to a file", async () => {
    const home = freshHome()
    writeFileSync(home.PARTNER_DATA_DIR, '')
    const { cause, rows } = await runDoctor({ ...home, ...sandbox.env })
    expect(cause).toMatchObject(row('data directory', 'a file is in the way'))
    expect(rowsSkippedFor(rows, 'data directory')).toEqual(['disk', 'operations'])
  })
})

describe('doctor and signing', () => {
  const SIGNING = { PARTNER_SIGNING_SECRET: SECRET, PARTNER_NAME: 'pos', PARTNER_SIGNATURE_HEADER: 'X-Sig' }

  test("doctor's signing row fails and names the missing settings if signing is only partly set up", async () =>
    expect((await runDoctor((await homeWithProfile(words('--partner-name sandbox-pos'))).home)).cause).toMatchObject({
      ...row('signing', 'the header (PARTNER_SIGNATURE_HEADER) and the secret (PARTNER_SIGNING_SECRET)'),
      next: 'partner profiles set till --signature-header NAME --signing-secret env:VAR',
    }))

  test("doctor's signing row fails if the variable for the signing secret is not set", async () => {
    const more = words('--partner-name sandbox-pos --signature-header X-Sig --signing-secret env:TILL_SECRET')
    const { home } = await homeWithProfile(more)
    const message = 'the signing secret should come from the variable TILL_SECRET, which is not set'
    const next = 'read -rs TILL_SECRET && export TILL_SECRET && partner doctor'
    expect((await runDoctor(home)).cause).toMatchObject({ name: 'signing', message, next })
  })

  test("doctor's signing row fails for a wrong signing secret and passes for the right secret", async () => {
    const own = { PARTNER_NAME: sandbox.partnerName, PARTNER_SIGNATURE_HEADER: sandbox.signatureHeader }
    const wrong = await runDoctor({ ...sandbox.env, ...own, PARTNER_SIGNING_SECRET: SECRET })
    const refused = 'the service rejects the signature (signed as sandbox-pos in X-Partner-Signature)'
    expect(wrong.cause).toMatchObject(row('signing', refused))
    const right = await runDoctor({
      ...{ ...sandbox.env, ...own, PARTNER_SIGNING_SECRET: sandbox.signingSecret },
      PARTNER_LOCATION_ID: sandbox.locationId,
    })
    expect(right.row('signing')?.status).toBe('ok')
  })

  test('doctor warns that it cannot check signing if the request is rejected for a reason other than the signature', async () => {
    const { env, requests } = await startRawServer(({ method }) =>
      method === 'POST' ? answers(400, { message: 'Bad request' }) : answers(200, [{ code: 'SEATED' }]),
    )
    const { code, row } = await runDoctor({ ...env, ...SIGNING })
    expect(code).toBe(0)
    expect(row('signing')).toMatchObject({ status: 'warn', message: expect.stringContaining('400: Bad request') })
    expect(requests.at(-1)).toMatchObject({ target: '/partners/pos/giftcards/balance' })
    expect(JSON.parse(requests.at(-1)?.body ?? '')).toEqual({ cardNumber: 'DOCTR-00000000-0000' })
  })
})

describe('doctor and webhooks', () => {
  test('doctor reports a plain-http webhook URL as a failure without printing the token in the URL', async () => {
    const home = freshHome()
    const create = (event: string, url: string) =>
      runPartner(['webhooks', 'create', event, url, '--profile', 'sandbox', '--yes'], { env: home })
    expect((await create('BOOKING_CREATED', 'http://till.example/hooks')).code).toBe(0)
    expect((await create('BOOKING_UPDATED', 'http://till.example/hooks?token=t0ken-4711')).code).toBe(0)
    const { cause, rows } = await runDoctor(home, words('--profile sandbox'))
    const message =
      'the event is sent to http://till.example/hooks over plain http, so anyone on the network path can read it'
    const next = 'partner webhooks update BOOKING_CREATED https://till.example/hooks --dry-run --profile sandbox'
    expect(cause).toEqual({ name: 'webhook BOOKING_CREATED', status: 'fail', message, next })
    expect(failed(rows)).toEqual(['webhook BOOKING_CREATED', 'webhook BOOKING_UPDATED'])
    expect(JSON.stringify(rows)).not.toContain('t0ken')
  })

  test('doctor checks whether something is listening at the webhook URL of a local sandbox', async () => {
    const env = freshHome()
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/hooks?token=t0ken-4711`
    const create = words('webhooks create BOOKING_CREATED --profile sandbox --yes')
    expect((await runPartner([...create, url], { env })).code).toBe(0)
    const name = 'webhook BOOKING_CREATED'
    const sent = `the event is sent to http://127.0.0.1:${port}/hooks`
    const silent = { status: 'fail', message: `${sent}, but nothing is listening at 127.0.0.1:${port}` }
    const next = `partner webhooks listen --port ${port}`
    expect((await runDoctor(env, words('--profile sandbox'))).cause).toEqual({ name, ...silent, next })
    await startRawServer([answers(200)], { port })
    const { code, row } = await runDoctor(env, words('--profile sandbox'))
    expect(code).toBe(0)
    const message = `${sent}, and 127.0.0.1:${port} accepts connections`
    expect(row(name)).toEqual({ name, status: 'ok', message, next: null })
  })

  test('doctor warns about a webhook URL whose host name does not resolve', async () => {
    const { env } = await startRawServer(({ target }) =>
      answers(200, target === '/Webhooks' ? [{ event: 'X', webhookUrl: 'https://gone.invalid/h' }] : [{ code: 'A' }]),
    )
    const { code, row } = await runDoctor(env)
    expect(code).toBe(0)
    expect(row('webhook X')).toMatchObject({ status: 'warn', message: expect.stringContaining('does not resolve') })
  })
})

describe("doctor and partner's own records", () => {
  test('doctor warns about an operation with an unknown outcome and suggests the command that resolves it', async () => {
    const home = freshHome()
    const env: Environment = { ...home, ...sandbox.env }
    const fault = ['sandbox', 'faults', 'add', '--endpoint', 'POST /GiftCards/redeem', '--reset', '--phase', 'before']
    expect((await runPartner([...fault, '--next', '1', '--base-url', sandbox.baseUrl], { env })).code).toBe(0)
    expect((await runPartner(words('giftcards redeem GIFT2-00005025-AAAA --amount 5'), { env })).code).toBe(9)
    const { code, row } = await runDoctor(env)
    expect(code).toBe(0)
    const message = expect.stringMatching(
      /^op_\w{10} is open: the outcome of giftcards redeem of 5\.00, started \S+ ago, is unknown$/,
    )
    const next = expect.stringMatching(/^partner operations resolve op_\w{10}$/)
    expect(row('operations')).toMatchObject({ status: 'warn', message, next })
    const expected = { status: 'ok', message: 'no open operations for this service; 1 for other services' }
    expect((await runDoctor(home, words('--profile sandbox'))).row('operations')).toMatchObject(expected)
  })

  test("doctor's operations row fails if the database of money writes is damaged", async () => {
    const home = freshHome()
    mkdirSync(home.PARTNER_DATA_DIR, { mode: 0o700 })
    writeFileSync(join(home.PARTNER_DATA_DIR, 'operations.db'), '')
    expect((await runDoctor({ ...home, ...sandbox.env })).cause).toMatchObject({ name: 'operations' })
  })

  test('doctor warns about a rate-limit file that is stale, damaged or dated in the future', async () => {
    const home = freshHome()
    const path = join(home.PARTNER_CACHE_DIR, 'pace.db')
    mkdirSync(home.PARTNER_CACHE_DIR, { mode: 0o700 })
    const remembering = (learnedAt: number) => {
      rmSync(path, { force: true })
      const database = new DatabaseSync(path)
      database.exec(
        'CREATE TABLE limits (key TEXT PRIMARY KEY, count INTEGER NOT NULL, windowMs INTEGER NOT NULL, learnedAt INTEGER NOT NULL)',
      )
      const scope = `${sandbox.baseUrl} `
      database.prepare('INSERT INTO limits VALUES (?, 10, 1000, ?)').run(`${scope} GET /Bookings`, learnedAt)
      database.close()
    }
    const env = { ...home, ...sandbox.env }
    const day = 24 * 3_600_000
    remembering(Date.now() - 2 * day)
    const message = expect.stringContaining('is stale')
    const next = expect.stringMatching(/^rm '?\S+pace\.db'?$/)
    expect((await runDoctor(env)).row('pace file')).toMatchObject({ status: 'warn', message, next })
    remembering(Date.now() + day)
    expect((await runDoctor(env)).row('pace file')?.message).toContain('with a time in the future')
    remembering(Date.now() - 60_000)
    const well = await runDoctor(env)
    expect(well.row('pace file')?.status).toBe('ok')
    expect(well.row('rate limit')?.message).toMatch(
      /^10 requests every 1s for GET \/Bookings, as the service reported 1m/,
    )
    writeFileSync(path, 'not a database, but long enough to be opened as one')
    expect((await runDoctor(env)).row('pace file')?.message).toContain('is damaged')
  })

  test('doctor --sync reports on each copy in a database', async () => {
    const { home } = await homeWithProfile()
    const database = join(home.PARTNER_CONFIG_DIR, 'venue.db')
    for (const line of [`bookings sync --since -1h --to ${database}`, `giftcards sync --to ${database}`])
      expect((await runPartner(words(line), { env: home })).code).toBe(0)
    const found = (await runDoctor(home, ['--sync', database])).rows.filter(({ name }) => name === `sync ${database}`)
    expect(found.map(({ message }) => message.split(':')[0])).toEqual(['bookings', 'giftcards'])
    const nobodys = await runDoctor({ ...freshHome(), ...sandbox.env }, ['--sync', database])
    expect(nobodys.cause).toMatchObject(row(`sync ${database}`, 'the profile that this copy belongs to is unknown'))
  })

  test('doctor --sync reports whether a copy is up to date and refuses an unknown kind of copy', async () => {
    const home = freshHome()
    const copy = join(home.PARTNER_CONFIG_DIR, '..', 'b.ndjson')
    const env = { ...home, ...sandbox.env }
    expect((await runPartner(['bookings', 'sync', '--to', copy, '--since', '-1h'], { env })).code).toBe(0)
    const { code, row } = await runDoctor(env, ['--sync', copy, '--sync', `${copy}.ndjson`])
    expect(code).toBe(0)
    const message = expect.stringMatching(/^bookings: .* behind, \d+ rows; not locked$/)
    expect(row(`sync ${copy}`)).toMatchObject({ status: 'ok', message })
    expect(row(`sync ${copy}.ndjson`)?.status).toBe('warn')
    const wrong = await runPartner(['doctor', '--sync', 'b.xls', '--sync', 'c'], { env })
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toMatch(/--sync "b.xls"[\s\S]*--sync "c"/)
  })
})

test("doctor's configuration row fails if a directory variable is not an absolute path", async () => {
  const { cause, rows } = await runDoctor({ ...sandbox.env, PARTNER_CONFIG_DIR: 'here' })
  expect(cause).toMatchObject(row('configuration', 'must be an absolute path'))
  expect(failed(rows)).toEqual(['configuration'])
})

test('doctor never prints the API key', async () => {
  const { rows } = await runDoctor((await homeWithProfile()).home)
  expect(JSON.stringify(rows)).not.toContain(sandbox.apiKey)
  expect(JSON.stringify(rows)).not.toContain(RAW_KEY)
})
