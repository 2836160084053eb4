import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { NOT_ROOT, standBackWithout } from '../../support/needs.ts'
import { type Environment, freshHome, runPartner } from '../../support/partner.ts'
import { answers, freePort, RAW_KEY, startRawServer } from '../../support/raw-server.ts'
import { sandboxOfThisFile } from '../../support/sandbox-process.ts'
import { SMALL_DISK, smallDisk } from '../../support/small-disk.ts'
import { words } from '../../support/words.ts'
import { examined, skippedFor } from './patient.ts'

const sandbox = await sandboxOfThisFile()
const SECRET = 'signing-secret-0815'

/** A home with one profile, `till`, of the sandbox of this file. */
async function homeWithProfile(more: readonly string[] = []) {
  const home = freshHome()
  const args = ['profiles', 'add', 'till', '--base-url', sandbox.baseUrl, '--timezone', 'Australia/Sydney', ...more]
  const run = await runPartner([...args, '--api-key-stdin'], { env: home, input: sandbox.apiKey })
  expect(run.code, run.stderr).toBe(0)
  return { home, file: join(home.PARTNER_CONFIG_DIR, 'profiles.json') }
}

/** A row of this name whose message contains a text. */
const row = (name: string, message: string) => ({ name, message: expect.stringContaining(message) })

const failed = (rows: readonly { readonly status: string; readonly name: string }[]) =>
  rows.filter(({ status }) => status === 'fail').map(({ name }) => name)

describe('the profile file', () => {
  test('that others may read is the cause, and nothing else fails', async () => {
    const { home, file } = await homeWithProfile()
    chmodSync(file, 0o644)
    const { cause, rows } = await examined(home)
    expect(failed(rows)).toEqual(['modes'])
    expect(cause).toMatchObject({ message: `other users may read ${file} (mode 0644)`, next: `chmod 600 ${file}` })
  })

  test('that is corrupt is the cause, and echoes nothing of it', async () => {
    const { home, file } = await homeWithProfile()
    writeFileSync(file, '{"profiles": {"till": {"apiKey": {"value": "s3cret-key-99"', { mode: 0o600 })
    const { cause, rows, stderr } = await examined(home)
    expect(cause).toMatchObject({ ...row('configuration', `${file} is not valid JSON`), next: `ls -l ${file}` })
    expect(skippedFor(rows, 'configuration')).toEqual(expect.arrayContaining(['profile', 'secrets', 'dns', 'key']))
    expect(rows.find(({ name }) => name === 'operations')?.status).toBe('ok')
    expect(JSON.stringify(rows) + stderr).not.toContain('s3cret')
  })

  test('that is corrupt does not matter where variables or the sandbox do without it', async () => {
    const { home, file } = await homeWithProfile()
    writeFileSync(file, '{', { mode: 0o600 })
    for (const [env, args] of [
      [{ ...home, ...sandbox.env }, []],
      [home, words('--profile sandbox')],
    ] as const) {
      const { code, row } = await examined(env, args)
      expect(code).toBe(0)
      expect(row('configuration')?.status).toBe('warn')
      expect(row('key')?.status).toBe('ok')
    }
  })

  test('that is a link is a warning, and one that leads nowhere is the cause', async () => {
    const { home, file } = await homeWithProfile()
    const elsewhere = join(home.PARTNER_CONFIG_DIR, 'real.json')
    symlinkSync(elsewhere, `${file}.new`)
    rmSync(file)
    symlinkSync(elsewhere, file)
    expect((await examined(home)).cause).toMatchObject(row('configuration', 'dangling symbolic link'))
    writeFileSync(elsewhere, '{"profiles": {}}', { mode: 0o600 })
    const linked = { ...row('links', `is a symbolic link (to ${elsewhere})`), status: 'warn' }
    expect((await examined(home, words('--profile sandbox'))).row('links')).toMatchObject(linked)
  })

  test('without the profile that is meant makes the profile the cause', async () => {
    const { home } = await homeWithProfile()
    const message = 'there is no profile "tlil" (from --profile)'
    const next = 'partner profiles list'
    expect((await examined(home, words('--profile tlil'))).cause).toMatchObject({ name: 'profile', message, next })
    const { cause } = await examined(freshHome())
    expect(cause).toMatchObject({ name: 'profile', next: expect.stringContaining('sandbox') })
  })

  test.each([
    ['http://service.example', /must use https/],
    ['https://till:pw-4711@service.example', /must not contain a user name/],
  ])('with the address %s makes the profile the cause', async (baseUrl, says) => {
    const { home, file } = await homeWithProfile()
    writeFileSync(file, JSON.stringify({ current: 'till', profiles: { till: { baseUrl } } }), { mode: 0o600 })
    const { cause, rows } = await examined(home)
    expect(cause).toMatchObject({ name: 'profile', next: 'partner profiles show till' })
    expect(cause?.message).toMatch(says)
    expect(JSON.stringify(rows)).not.toContain('pw-4711')
  })

  test('with a time zone that there is not makes the profile the cause', async () => {
    const { cause } = await examined({ ...sandbox.env, PARTNER_TIMEZONE: 'Sydney' })
    expect(cause).toMatchObject({ name: 'profile', message: '"Sydney" (PARTNER_TIMEZONE) is not a time zone' })
  })
})

test('a file of a secret that others may read is the cause', async () => {
  const home = freshHome()
  mkdirSync(home.PARTNER_CONFIG_DIR, { mode: 0o700 })
  const key = join(home.PARTNER_CONFIG_DIR, 'the key')
  writeFileSync(key, sandbox.apiKey, { mode: 0o644 })
  chmodSync(key, 0o644)
  const { cause, rows } = await examined({ ...home, PARTNER_BASE_URL: sandbox.baseUrl, PARTNER_API_KEY_FILE: key })
  expect(failed(rows)).toEqual(['modes'])
  expect(cause?.next).toBe(`chmod 600 '${key}'`)
})

describe('the disk', () => {
  test('that is full is the cause, and nothing that writes is begun', async (context) => {
    standBackWithout(context, SMALL_DISK)
    const data = join(smallDisk(128), 'data')
    mkdirSync(data, { mode: 0o700 })
    const tried = await examined({ ...sandbox.env, PARTNER_DATA_DIR: data })
    const full = row('disk', 'is full: no space left on device (ENOSPC); no write of money can be noted')
    expect(tried.cause).toMatchObject({ ...full, next: `df -h ${data}` })
    expect(skippedFor(tried.rows, 'disk')).toEqual(['operations'])
    expect(tried.row('key')?.status).toBe('ok')
    const inside = await examined({ PARTNER_DATA_DIR: data }, words('--profile sandbox'))
    expect(inside.cause?.name).toBe('disk')
    expect(skippedFor(inside.rows, 'disk')).toContain('service')
  })

  test('is tried where the data directory will be, and nothing of that stays', async () => {
    const home = freshHome()
    const data = join(home.PARTNER_DATA_DIR, 'deeper', 'partner')
    const { row } = await examined({ ...home, ...sandbox.env, PARTNER_DATA_DIR: data })
    expect(row('data directory')).toMatchObject({ status: 'ok', message: expect.stringContaining('is not there yet') })
    expect(row('disk')?.message).toMatch(/can be written, .* free$/)
    expect(existsSync(home.PARTNER_DATA_DIR)).toBe(false)
  })

  test('on which the data directory cannot be written is the cause', async (context) => {
    standBackWithout(context, NOT_ROOT)
    const home = freshHome()
    mkdirSync(home.PARTNER_DATA_DIR, { mode: 0o500 })
    const { cause } = await examined({ ...home, ...sandbox.env })
    expect(cause).toMatchObject(row('disk', 'cannot be written: permission denied (EACCES)'))
  })

  test('that has a file in the place of the data directory makes that the cause', async () => {
    const home = freshHome()
    writeFileSync(home.PARTNER_DATA_DIR, '')
    const { cause, rows } = await examined({ ...home, ...sandbox.env })
    expect(cause).toMatchObject(row('data directory', 'a file is in the way'))
    expect(skippedFor(rows, 'data directory')).toEqual(['disk', 'operations'])
  })
})

describe('signing', () => {
  const SIGNING = { PARTNER_SIGNING_SECRET: SECRET, PARTNER_NAME: 'pos', PARTNER_SIGNATURE_HEADER: 'X-Sig' }

  test('that is set up in part is the cause, and says what is missing', async () =>
    expect((await examined((await homeWithProfile(words('--partner-name sandbox-pos'))).home)).cause).toMatchObject({
      ...row('signing', 'the header (PARTNER_SIGNATURE_HEADER) and the secret (PARTNER_SIGNING_SECRET)'),
      next: 'partner profiles set till --signature-header NAME --signing-secret env:VAR',
    }))

  test('with a secret in a variable that is not set is the cause', async () => {
    const more = words('--partner-name sandbox-pos --signature-header X-Sig --signing-secret env:TILL_SECRET')
    const { home } = await homeWithProfile(more)
    const message = 'the signing secret should come from the variable TILL_SECRET, which is not set'
    const next = 'read -rs TILL_SECRET && export TILL_SECRET && partner doctor'
    expect((await examined(home)).cause).toMatchObject({ name: 'signing', message, next })
  })

  test('with a wrong secret is the cause; with the right one it is well', async () => {
    const own = { PARTNER_NAME: sandbox.partnerName, PARTNER_SIGNATURE_HEADER: sandbox.signatureHeader }
    const wrong = await examined({ ...sandbox.env, ...own, PARTNER_SIGNING_SECRET: SECRET })
    const refused = 'the service refuses the signature (signed as sandbox-pos in X-Partner-Signature)'
    expect(wrong.cause).toMatchObject(row('signing', refused))
    const right = await examined({
      ...{ ...sandbox.env, ...own, PARTNER_SIGNING_SECRET: sandbox.signingSecret },
      PARTNER_LOCATION_ID: sandbox.locationId,
    })
    expect(right.row('signing')?.status).toBe('ok')
  })

  test('that a service answers with another 400 cannot be judged, and is a warning', async () => {
    const { env, requests } = await startRawServer(({ method }) =>
      method === 'POST' ? answers(400, { message: 'Bad request' }) : answers(200, [{ code: 'SEATED' }]),
    )
    const { code, row } = await examined({ ...env, ...SIGNING })
    expect(code).toBe(0)
    expect(row('signing')).toMatchObject({ status: 'warn', message: expect.stringContaining('400: Bad request') })
    expect(requests.at(-1)).toMatchObject({ target: '/partners/pos/giftcards/balance' })
    expect(JSON.parse(requests.at(-1)?.body ?? '')).toEqual({ cardNumber: 'DOCTR-00000000-0000' })
  })
})

describe('webhooks', () => {
  test('over plain http are the cause, and a token in the URL is not shown', async () => {
    const home = freshHome()
    const create = (event: string, url: string) =>
      runPartner(['webhooks', 'create', event, url, '--profile', 'sandbox', '--yes'], { env: home })
    expect((await create('BOOKING_CREATED', 'http://till.example/hooks')).code).toBe(0)
    expect((await create('BOOKING_UPDATED', 'http://till.example/hooks?token=t0ken-4711')).code).toBe(0)
    const { cause, rows } = await examined(home, words('--profile sandbox'))
    const message = 'it is sent to http://till.example/hooks over plain http: everybody on the way can read it'
    const next = 'partner webhooks update BOOKING_CREATED https://till.example/hooks --dry-run --profile sandbox'
    expect(cause).toEqual({ name: 'webhook BOOKING_CREATED', status: 'fail', message, next })
    expect(failed(rows)).toEqual(['webhook BOOKING_CREATED', 'webhook BOOKING_UPDATED'])
    expect(JSON.stringify(rows)).not.toContain('t0ken')
  })

  test('of a local sandbox to a local listener are ok while it listens, and say so when nothing does', async () => {
    const env = freshHome()
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/hooks?token=t0ken-4711`
    const create = words('webhooks create BOOKING_CREATED --profile sandbox --yes')
    expect((await runPartner([...create, url], { env })).code).toBe(0)
    const name = 'webhook BOOKING_CREATED'
    const sent = `it is sent to http://127.0.0.1:${port}/hooks, and `
    const silent = { status: 'fail', message: `${sent}nothing listens at 127.0.0.1:${port}` }
    const next = `partner webhooks listen --port ${port}`
    expect((await examined(env, words('--profile sandbox'))).cause).toEqual({ name, ...silent, next })
    await startRawServer([answers(200)], { port })
    const { code, row } = await examined(env, words('--profile sandbox'))
    expect(code).toBe(0)
    const message = `${sent}127.0.0.1:${port} takes connections`
    expect(row(name)).toEqual({ name, status: 'ok', message, next: null })
  })

  test('to a name that leads nowhere are a warning', async () => {
    const { env } = await startRawServer(({ target }) =>
      answers(200, target === '/Webhooks' ? [{ event: 'X', webhookUrl: 'https://gone.invalid/h' }] : [{ code: 'A' }]),
    )
    const { code, row } = await examined(env)
    expect(code).toBe(0)
    expect(row('webhook X')).toMatchObject({ status: 'warn', message: expect.stringContaining('does not resolve') })
  })
})

describe('what is kept here', () => {
  test('an open operation is a warning, with the command that finds out', async () => {
    const home = freshHome()
    const env: Environment = { ...home, ...sandbox.env }
    const fault = ['sandbox', 'faults', 'add', '--endpoint', 'POST /GiftCards/redeem', '--reset', '--phase', 'before']
    expect((await runPartner([...fault, '--next', '1', '--base-url', sandbox.baseUrl], { env })).code).toBe(0)
    expect((await runPartner(words('giftcards redeem GIFT2-00005025-AAAA --amount 5'), { env })).code).toBe(9)
    const { code, row } = await examined(env)
    expect(code).toBe(0)
    const message = expect.stringMatching(/^op_\w{10} is open: nobody knows whether giftcards redeem of 5\.00 was done/)
    const next = expect.stringMatching(/^partner operations resolve op_\w{10}$/)
    expect(row('operations')).toMatchObject({ status: 'warn', message, next })
    const expected = { status: 'ok', message: 'none is open here; 1 at other services' }
    expect((await examined(home, words('--profile sandbox'))).row('operations')).toMatchObject(expected)
  })

  test('a damaged record of money writes is the cause', async () => {
    const home = freshHome()
    mkdirSync(home.PARTNER_DATA_DIR, { mode: 0o700 })
    writeFileSync(join(home.PARTNER_DATA_DIR, 'operations.db'), '')
    expect((await examined({ ...home, ...sandbox.env })).cause).toMatchObject({ name: 'operations' })
  })

  test('a pace file that is old, from the future or damaged is a warning', async () => {
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
    expect((await examined(env)).row('pace file')).toMatchObject({ status: 'warn', message, next: `rm ${path}` })
    remembering(Date.now() + day)
    expect((await examined(env)).row('pace file')?.message).toContain('from the future')
    remembering(Date.now() - 60_000)
    const well = await examined(env)
    expect(well.row('pace file')?.status).toBe('ok')
    expect(well.row('rate limit')?.message).toMatch(/^10 every 1s to GET \/Bookings, as it said 1m/)
    writeFileSync(path, 'no database at all, and long enough to be looked at as one')
    expect((await examined(env)).row('pace file')?.message).toContain('is damaged')
  })

  test('a database is said to have each of its copies', async () => {
    const { home } = await homeWithProfile()
    const database = join(home.PARTNER_CONFIG_DIR, 'venue.db')
    for (const line of [`bookings sync --since -1h --to ${database}`, `giftcards sync --to ${database}`])
      expect((await runPartner(words(line), { env: home })).code).toBe(0)
    const found = (await examined(home, ['--sync', database])).rows.filter(({ name }) => name === `sync ${database}`)
    expect(found.map(({ message }) => message.split(':')[0])).toEqual(['bookings', 'giftcards'])
    const nobodys = await examined({ ...freshHome(), ...sandbox.env }, ['--sync', database])
    expect(nobodys.cause).toMatchObject(row(`sync ${database}`, 'whose records'))
  })

  test('a copy is said to be up to date, missing, or of no kind', async () => {
    const home = freshHome()
    const copy = join(home.PARTNER_CONFIG_DIR, '..', 'b.ndjson')
    const env = { ...home, ...sandbox.env }
    expect((await runPartner(['bookings', 'sync', '--to', copy, '--since', '-1h'], { env })).code).toBe(0)
    const { code, row } = await examined(env, ['--sync', copy, '--sync', `${copy}.ndjson`])
    expect(code).toBe(0)
    const message = expect.stringMatching(/^bookings: .* behind, \d+ rows; nobody holds it$/)
    expect(row(`sync ${copy}`)).toMatchObject({ status: 'ok', message })
    expect(row(`sync ${copy}.ndjson`)?.status).toBe('warn')
    const wrong = await runPartner(['doctor', '--sync', 'b.xls', '--sync', 'c'], { env })
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toMatch(/--sync "b.xls"[\s\S]*--sync "c"/)
  })
})

test('a directory that is no whole path is the cause', async () => {
  const { cause, rows } = await examined({ ...sandbox.env, PARTNER_CONFIG_DIR: 'here' })
  expect(cause).toMatchObject(row('configuration', 'must be an absolute path'))
  expect(failed(rows)).toEqual(['configuration'])
})

test('a key is never shown', async () => {
  const { rows } = await examined((await homeWithProfile()).home)
  expect(JSON.stringify(rows)).not.toContain(sandbox.apiKey)
  expect(JSON.stringify(rows)).not.toContain(RAW_KEY)
})
