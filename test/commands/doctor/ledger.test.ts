import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { CARD, openShop, type Shop } from '../../money/cashier.ts'
import { needs } from '../../support/needs.ts'
import { type Environment, freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../../support/postgres.ts'
import { freePort } from '../../support/raw-server.ts'
import { reportedError } from '../../support/refusal.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import { words } from '../../support/words.ts'
import { type DoctorRun, runDoctor } from './run-doctor.ts'

const sandbox = await startSharedSandbox()
const service: Environment = { ...sandbox.env, PARTNER_TIMEZONE: 'Australia/Sydney' }
const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '25.00', '--json']

const ledgerRows = ({ rows }: DoctorRun) => rows.filter(({ name }) => name === 'ledger')

/** Returns the part of a database URL that messages show: the host and the path, without the user. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** Adds a PostgreSQL server option to a URL. */
const withOption = (url: string, option: string) =>
  `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(option)}`

test('doctor without a ledger prints no ledger row', async () => {
  const run = await runDoctor(service)
  expect(run.code).toBe(0)
  expect(ledgerRows(run)).toEqual([])
})

test("doctor's ledger row fails if the database cannot be reached", async () => {
  const port = await freePort()
  const url = `postgres://till@127.0.0.1:${port}/books`
  for (const [env, args] of [
    [{ ...service, PARTNER_LEDGER: url }, []],
    [service, ['--ledger', url]],
  ] as const) {
    const run = await runDoctor(env, args)
    expect(run.code).toBe(1)
    expect(run.cause).toEqual({
      name: 'ledger',
      status: 'fail',
      message: `cannot reach PostgreSQL at 127.0.0.1:${port}: connection refused (ECONNREFUSED); until this is fixed, no money write is sent`,
      next: 'check the host, the port and any firewall, and that the database is running',
    })
    expect(run.row('key')?.status).toBe('ok')
  }
})

test("doctor's ledger row fails if the database does not respond within --timeout", async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const run = await runDoctor(service, ['--ledger', `postgres://till@127.0.0.1:${port}/books`, '--timeout', '500ms'])
  silent.close()
  expect(run.cause).toMatchObject({ name: 'ledger', next: expect.stringContaining('firewall') })
  expect(run.cause?.message).toMatch(`PostgreSQL at 127.0.0.1:${port} did not respond within 0.5 s`)
})

test('support bundle succeeds and includes the failed ledger row if the ledger cannot be reached', async () => {
  const cwd = freshDirectory()
  const ledger = `postgres://till@127.0.0.1:${await freePort()}/books`
  const env = { ...freshHome(), ...service, PARTNER_LEDGER: ledger }
  const run = await runPartner(['support', 'bundle', '--out', 'b.zip'], { env, cwd })
  expect(run.code, run.stderr).toBe(0)
  const files = unzipSync(readFileSync(join(cwd, 'b.zip')))
  const { rows } = JSON.parse(Buffer.from(files['doctor.json'] ?? []).toString()) as DoctorRun
  expect(rows.find(({ name }) => name === 'ledger')).toMatchObject({ status: 'fail' })
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['drift.json', 'operations.json', 'settings.json']))
})

test('doctor rejects a ledger URL with a password without printing the password', async () => {
  const run = await runDoctor({ ...service, PARTNER_LEDGER: 'postgres://till:s3cret-77@db.example/books' })
  expect(run.cause).toMatchObject({ name: 'profile', message: expect.stringContaining('must not contain a password') })
  expect(JSON.stringify(run.rows) + run.stderr).not.toContain('s3cret')
})

describe('doctor with a PostgreSQL ledger', () => {
  needs(POSTGRES)
  const server = postgresServer()
  const env: Environment = { ...service, ...POSTGRES_ENV }
  const hasLedger = async (url: string) => {
    const find = "SELECT count(*) FROM pg_namespace WHERE nspname = 'partner_ledger'"
    return (await server.query(url, find))[0]?.['count'] === '1'
  }
  const fill = (url: string) => runPartner(['operations', 'list', '--ledger', url], { env: { ...freshHome(), ...env } })

  /** Sets up a shop that uses a ledger. */
  async function shopWith(url: string): Promise<Shop> {
    const shop = await openShop()
    Object.assign(shop.env, POSTGRES_ENV, { PARTNER_LEDGER: url })
    return shop
  }

  test('doctor says that a new ledger does not exist yet and does not create it', async () => {
    const url = await server.database()
    const home = freshHome()
    const add = ['profiles', 'add', 'till', '--base-url', sandbox.baseUrl, '--timezone', 'Australia/Sydney']
    const added = await runPartner([...add, '--ledger', url, '--api-key-stdin'], { env: home, input: sandbox.apiKey })
    expect(added.code, added.stderr).toBe(0)
    const run = await runDoctor({ ...home, ...POSTGRES_ENV }, words('--profile till'))
    expect(run.code).toBe(0)
    const message = `${placeOf(url)} has no ledger yet; the first command that uses it creates it`
    expect(ledgerRows(run)).toEqual([{ name: 'ledger', status: 'ok', message, next: null }])
    expect(await hasLedger(url)).toBe(false)
  })

  test("doctor's ledger row passes for a ledger without open operations", async () => {
    const url = await server.database()
    expect((await fill(url)).code).toBe(0)
    const run = await runDoctor(env, ['--ledger', url])
    const message = `${placeOf(url)} can be used (format 2), and no operation is open`
    expect(ledgerRows(run)).toEqual([{ name: 'ledger', status: 'ok', message, next: null }])
    const cron = await runDoctor({ ...env, HOME: freshDirectory(), PARTNER_LEDGER: url }, ['--cron'])
    expect(cron.row('cron variables')?.message).toContain('PARTNER_LEDGER')
  })

  test('doctor warns about open operations from any host', async () => {
    const url = await server.database()
    const shop = await shopWith(url)
    shop.server.setFaults('write', CARD, [{ kind: 'lost', loss: 'reset', phase: 'before' }])
    expect((await shop.run(...REDEEM)).code).toBe(9)
    const message = `1 operation in ${placeOf(url)} is open: its outcome is unknown`
    const variable = await runDoctor({ ...env, PARTNER_LEDGER: url })
    expect(variable.code).toBe(0)
    const next = 'partner operations list --state open'
    expect(ledgerRows(variable)).toEqual([{ name: 'ledger', status: 'warn', message, next }])
    const [row] = ledgerRows(await runDoctor(env, ['--ledger', url]))
    expect(row?.next).toMatch(/^partner operations list --ledger \S+ --state open$/)
    const list = await runPartner([...words(next.replace('partner ', '')), '--json'], {
      env: { ...freshHome(), ...env, PARTNER_LEDGER: url },
    })
    expect(JSON.parse(list.stdout)).toMatchObject([{ target: CARD, state: 'open' }])
  })

  test("doctor's ledger row fails if the ledger requires a newer release of partner", async () => {
    const url = await server.database()
    expect((await fill(url)).code).toBe(0)
    await server.query(url, 'UPDATE partner_ledger.version SET format = 3, oldest = 3')
    const { cause } = await runDoctor(env, ['--ledger', url])
    expect(cause).toMatchObject({
      name: 'ledger',
      message: expect.stringContaining('the ledger has format 3, which this release of partner does not support'),
      next: 'install the newest release on this machine',
    })
    await server.query(url, 'UPDATE partner_ledger.version SET oldest = 1')
    const run = await runDoctor(env, ['--ledger', url])
    expect(ledgerRows(run)).toMatchObject([{ status: 'ok', message: expect.stringContaining('(format 3)') }])
  })

  test.each([
    ['+', 'behind'],
    ['-', 'ahead of'],
  ])("doctor warns if the database's clock is off by %s1 minute", async (sign, word) => {
    const url = await server.database()
    await server.query(
      url,
      `CREATE SCHEMA shifted; CREATE FUNCTION shifted.clock_timestamp() RETURNS timestamptz LANGUAGE sql
        AS $$ SELECT pg_catalog.clock_timestamp() ${sign} interval '1 minute' $$`,
    )
    const shifted = withOption(url, '-csearch_path=shifted,pg_catalog')
    const run = await runDoctor({ ...env, PARTNER_LEDGER: shifted })
    expect(run.code).toBe(0)
    const [row] = ledgerRows(run)
    expect(row).toMatchObject({ status: 'warn', message: expect.stringContaining('no money is at risk') })
    expect(row?.message).toMatch(new RegExp(`^this machine's clock is (?:59\\.\\d+s|1m|1m \\ds) ${word} the clock of`))
  })

  test("doctor's ledger row fails if the user lacks privileges, and suggests SQL that grants them", async () => {
    const url = await server.database()
    const role = `till_${process.pid}`
    await server.query(url, `DROP ROLE IF EXISTS ${role}; CREATE ROLE ${role} LOGIN`)
    try {
      const own = server.url(placeOf(url).split('/')[1] ?? '', role)
      const doctor = () => runDoctor(env, ['--ledger', own])
      const grant = async (next: string | null | undefined, until: RegExp) =>
        server.query(url, (next ?? '').slice((next ?? '').search(until)))
      const use = () =>
        runPartner(['operations', 'list', '--ledger', own, '--json'], { env: { ...freshHome(), ...env } })
      const create = (await doctor()).cause
      expect(create).toMatchObject({ name: 'ledger', message: expect.stringContaining(`"${role}" may not create it`) })
      expect(reportedError(await use())).toMatchObject({
        code: 'NETWORK_ERROR',
        hint: expect.stringContaining(create?.next ?? '?'),
      })
      expect((await fill(url)).code).toBe(0)
      const refused = (await doctor()).cause
      expect(refused).toMatchObject({ name: 'ledger', message: expect.stringContaining(`"${role}" may not use`) })
      expect(reportedError(await use())).toMatchObject({
        code: 'NETWORK_ERROR',
        exitCode: 8,
        hint: expect.stringContaining(refused?.next ?? '?'),
      })
      await grant(refused?.next, /GRANT/)
      expect((await doctor()).code).toBe(0)
      expect((await use()).code).toBe(0)
    } finally {
      await server.query(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`)
    }
  })

  test("doctor's ledger row fails for a read-only database", async () => {
    const url = withOption(await server.database(), '-cdefault_transaction_read_only=on')
    const { cause } = await runDoctor(env, ['--ledger', url])
    expect(cause).toMatchObject({ name: 'ledger', next: 'this may be a replica: use the address of the primary' })
    expect(cause?.message).toContain('is read-only')
  })

  test('doctor warns about outcomes from this machine that are not in the ledger yet', async () => {
    const url = await server.database()
    const shop = await shopWith(url)
    const name = placeOf(url).split('/')[1] ?? ''
    const admin = server.url('postgres')
    const isOpen = (open: boolean) => server.query(admin, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${open}`)
    shop.server.setCallbacks('write', CARD, [
      async () => {
        await isOpen(false)
        await server.query(admin, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
      },
    ])
    expect((await shop.run(...REDEEM)).code).toBe(0)
    await isOpen(true)
    const home = { PARTNER_DATA_DIR: shop.env['PARTNER_DATA_DIR'], PARTNER_LEDGER: url }
    const before = readFileSync(shop.operationsFile)
    const run = await runDoctor({ ...env, ...home })
    const message = `${placeOf(url)} does not have 1 outcome from this machine yet; the next command that reaches it adds it`
    expect(ledgerRows(run)).toContainEqual({ name: 'ledger', status: 'warn', message, next: 'partner operations list' })
    expect(readFileSync(shop.operationsFile)).toEqual(before)
    expect((await runPartner(['operations', 'list'], { env: { ...freshHome(), ...env, ...home } })).code).toBe(0)
    expect(ledgerRows(await runDoctor({ ...env, ...home }))).toMatchObject([{ status: 'ok' }])
  })
})
