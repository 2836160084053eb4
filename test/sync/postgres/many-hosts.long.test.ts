import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFailed, test } from 'vitest'
import { chance } from '../../money/chance.ts'
import { needs } from '../../support/needs.ts'
import { freshDirectory, freshHome, type Running } from '../../support/partner.ts'
import { OWN_POSTGRES, postgresServer } from '../../support/postgres.ts'
import { startProxy } from '../../support/proxy.ts'
import { answers, RAW_KEY, type RawServer, startRawServer } from '../../support/raw-server.ts'
import { startPartner } from '../../support/running.ts'
import { until } from '../../support/until.ts'
import { configureVenues, type TestVenue } from '../../support/venues.ts'

needs(OWN_POSTGRES)
const server = postgresServer()

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 4)
const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_122)

interface Booking {
  readonly bookingId: string
  readonly people: number
  readonly changedMs: number
}

/** A fake service. Tests change its bookings while hosts are reading them. */
class Service {
  readonly bookings = new Map<string, Booking>()
  /**
   * Called for each request with the name of the host that sent it. The service responds when the returned promise
   * resolves.
   */
  hold: ((host: string) => Promise<void>) | null = null
  /** The notes in every booking, which make the bookings large. */
  notes = 'by the window '.repeat(60)
  #changes = 0

  change(count: number): void {
    for (let at = 0; at < count; at += 1) {
      this.#changes += 1
      const bookingId = `B-${(this.#changes * 7919) % 5003}`
      this.bookings.set(bookingId, { bookingId, people: this.#changes, changedMs: Date.now() - 1000 })
    }
  }

  body(target: string): string {
    const { searchParams } = new URL(target, 'http://service.example')
    const [from, to] = ['UpdatedFromDate', 'UpdatedToDate'].map((name) => Date.parse(searchParams.get(name) ?? ''))
    const found = [...this.bookings.values()]
      .filter(({ changedMs }) => changedMs >= (from ?? 0) && changedMs <= (to ?? 0))
      .map(({ bookingId, people, changedMs }) => ({
        ...{ bookingId, people, notes: this.notes, bookingTime: '2026-11-22T18:30:00' },
        ...{ tables: [{ tableName: `T${people % 30}` }], lastModifiedDate: new Date(changedMs).toISOString() },
      }))
    return JSON.stringify({ count: found.length, bookings: found })
  }

  get rows() {
    return [...this.bookings.values()]
      .map(({ bookingId, people }) => ({ id: bookingId, people: String(people), table_name: `T${people % 30}` }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  start(): Promise<RawServer> {
    return startRawServer(({ target, headers }) => (socket, request) => {
      const host = headers['x-api-key'] ?? ''
      void Promise.resolve(this.hold?.(host)).then(() => {
        const date = { date: new Date().toUTCString(), 'content-type': 'application/json' }
        answers(200, this.body(target), date)(socket, request)
      })
    })
  }
}

const ROWS = `SELECT id, people, table_name FROM bookings LEFT JOIN booking_tables t ON t.booking_id = id AND t.source = bookings.source
  ORDER BY id COLLATE "C"`

function startHost(url: string, baseUrl: string, name: string, ...flags: readonly string[]): Running {
  const args = ['bookings', 'sync', '--to', url, '--source', 'venue', '--since', '2026-11-01', ...flags]
  const env = { ...freshHome(), PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: `${RAW_KEY}-${name}` }
  return startPartner(args, { env, isService: true })
}

/** Returns the process that currently holds the copy, and how many times a process has acquired the lease. */
async function holderOf(url: string): Promise<{ readonly pid: number | null; readonly epoch: number }> {
  const [row] = await server
    .query(url, `SELECT (holder::json->>'pid') AS pid, epoch FROM sync_state WHERE lease_until > now()`)
    .catch(() => [])
  return { pid: row?.['pid'] ? Number(row['pid']) : null, epoch: Number(row?.['epoch'] ?? 0) }
}

const everSince = ['--every', '1s', '--lease', '3s', '--standby'] as const

function account(hosts: readonly Running[]): string {
  return hosts.map(({ process, said }) => `${process.pid} (${process.exitCode ?? 'runs'}):\n${said.stderr}`).join('\n')
}

test('three hosts complete a copy even if one is suspended past the end of its lease and another is killed', async () => {
  const url = await server.database()
  const service = new Service()
  service.change(3000)
  const { baseUrl } = await service.start()
  const hosts = ['one', 'two', 'three'].map((name) => startHost(url, baseUrl, name, ...everSince))
  onTestFailed(() => void process.stderr.write(account(hosts)))
  const byPid = (pid: number | null) => hosts.find(({ process }) => process.pid === pid)
  const holding = async (but: readonly Running[]): Promise<Running> => {
    let found: Running | undefined
    await until(async () => {
      found = byPid((await holderOf(url)).pid)
      return found !== undefined && !but.includes(found)
    })
    return found as Running
  }
  const copied = () => until(async () => (await server.query(url, ROWS)).length === service.bookings.size)

  // The first host reads the changes and is suspended before it can commit them.
  const first = await holding([])
  await copied()
  await until(() => first.said.stderr.includes(' new, '))
  let isStopped = false
  service.hold = async () => {
    if (isStopped) return
    isStopped = true
    first.process.kill('SIGSTOP')
  }
  service.change(1500)
  await until(() => isStopped)
  const { epoch } = await holderOf(url)

  // Another host takes over when the lease expires. It cannot do so earlier, because the first process still exists.
  const second = await holding([first])
  expect((await holderOf(url)).epoch).toBe(epoch + 1)
  expect(second.said.stderr).toContain('but its lease expired: taking over')
  await copied()
  service.change(500)
  await until(() => second.said.stderr.split(' new, ').length > 2)
  const before = await server.query(url, ROWS)

  // The first host resumes. It must not write any of the outdated records that it has already read.
  first.process.kill('SIGCONT')
  await until(() => first.said.stderr.includes('this run lost its lease'))
  expect(first.said.stderr).toMatch(/bookings: .*this run lost its lease to process \d+ on \S+ \(bookings sync\)/)
  await until(() => first.said.stderr.includes('waiting for it to end'))
  expect(before.length).toBeGreaterThan(0)

  // The second host is killed. Its process no longer exists, so another host takes over without waiting for the lease
  // to expire.
  second.process.kill('SIGKILL')
  await second.ended
  service.change(700)
  const third = await holding([second])
  await copied()
  await until(async () => JSON.stringify(await server.query(url, ROWS)) === JSON.stringify(service.rows))

  for (const host of hosts) if (host !== second) host.process.kill('SIGINT')
  for (const host of hosts) expect((await host.ended).code).toBe(host === second ? null : 130)
  expect(third.said.stderr).toContain('has exited: taking over')
  expect(await holderOf(url)).toMatchObject({ pid: null })
  expect(await server.query(url, ROWS)).toEqual(service.rows)
})

test('a run that was suspended until its lease expired exits with code 12 if another run has taken over', async () => {
  const url = await server.database()
  const service = new Service()
  service.change(2500)
  const { baseUrl } = await service.start()
  let first: Running | undefined
  service.hold = async (host) => void (host.endsWith('first') && first?.process.kill('SIGSTOP'))
  first = startHost(url, baseUrl, 'first', '--lease', '2s')
  await until(async () => (await holderOf(url)).pid === first?.process.pid)
  expect((await startHost(url, baseUrl, 'second', '--lease', '2s', '--standby').ended).code).toBe(0)
  first.process.kill('SIGCONT')
  expect(await first.ended).toMatchObject({ stderr: expect.stringContaining('this run lost its lease'), code: 12 })
  expect(await server.query(url, ROWS)).toEqual(service.rows)
})

test('one venue that hangs does not block others, and a second process can take over all of them', async () => {
  const url = await server.database()
  const services = ['city', 'harbour', 'hanging'].map((name) => ({ name, service: new Service() }))
  const venues: TestVenue[] = []
  for (const { name, service } of services) {
    service.change(20)
    const { baseUrl } = await service.start()
    venues.push({ name, baseUrl })
  }
  const [city, harbour, hanging] = services.map(({ service }) => service)
  if (!city || !harbour || !hanging) throw new Error('expected three venues')
  const stuck = Promise.withResolvers<void>()
  hanging.hold = () => stuck.promise
  const { env } = configureVenues(venues)
  const args = ['bookings', 'sync', '--profiles', 'all', '--to', url, '--since', '2026-11-01', ...everSince]
  const start = () => startPartner(args, { env, isService: true })
  const held = `SELECT source, (holder::json->>'pid') AS pid FROM sync_state WHERE lease_until > now() ORDER BY source`
  const holders = () => server.query(url, held).catch(() => [])
  const heldBy = (running: Running) => async () =>
    JSON.stringify(await holders()) ===
    JSON.stringify(['city', 'hanging', 'harbour'].map((source) => ({ source, pid: String(running.process.pid) })))
  const count = async (source: string) =>
    Number((await server.query(url, `SELECT count(*) AS n FROM bookings WHERE source = '${source}'`))[0]?.['n'])
  const first = start()
  await until(heldBy(first))
  const second = start()
  onTestFailed(() => void process.stderr.write(account([first, second])))
  await until(async () => (await count('city')) === 20 && (await count('harbour')) === 20)
  city.change(5)
  await until(async () => (await count('city')) === city.bookings.size)
  expect(await count('hanging')).toBe(0)
  await until(() => second.said.stderr.split('waiting for it to end').length === 4)
  first.process.kill('SIGKILL')
  await first.ended
  await until(heldBy(second))
  harbour.change(5)
  await until(async () => (await count('harbour')) === harbour.bookings.size)
  stuck.resolve()
  await until(async () => (await count('hanging')) === hanging.bookings.size)
  second.process.kill('SIGINT')
  expect((await second.ended).code).toBe(130)
  expect(await holders()).toEqual([])
})

test('Ctrl-C releases the lease, so that the next run does not have to wait', async () => {
  const url = await server.database()
  const { baseUrl } = await new Service().start()
  const first = startHost(url, baseUrl, 'first', '--every', '1h', '--lease', '1h')
  await until(() => first.said.stderr.includes(' new, '))
  const refused = await startHost(url, baseUrl, 'second').ended
  expect(refused).toMatchObject({ code: 12, stderr: expect.stringContaining(`process ${first.process.pid} on `) })
  first.process.kill('SIGINT')
  expect((await first.ended).code).toBe(130)
  expect(await startHost(url, baseUrl, 'third').ended).toMatchObject({ code: 0 })
})

test('a run that loses its connection while storing a large window restarts from the last commit', async () => {
  const url = await server.database()
  const proxy = await startProxy(server.port)
  const service = new Service()
  service.notes = 'by the window '.repeat(160)
  service.change(5000)
  const { baseUrl, requests } = await service.start()
  let batches = 0
  proxy.onSent = (bytes) => {
    if (!bytes.includes('INSERT INTO bookings ')) return 'pass'
    batches += 1
    return batches === 5 ? 'cut-after' : 'pass'
  }
  const done = await startHost(url.replace(`:${server.port}/`, `:${proxy.port}/`), baseUrl, 'first').ended
  expect(done, done.stderr).toMatchObject({ code: 0 })
  expect(done.stderr).toMatch(/the connection .* was lost: .*; retrying/)
  expect(done.stderr).toContain('5000 new, 0 changed, 0 unchanged')
  expect(await server.query(url, ROWS)).toEqual(service.rows)
  expect(requests.length).toBeGreaterThan(1)
})

describe('killed syncs to PostgreSQL', () => {
  test.each(Array.from({ length: KILLS }, (_, turn) => turn))(
    'after a sync is killed at random point %i, the next run completes the copy',
    { timeout: 240_000 },
    async (turn) => {
      const luck = chance(SEED + turn)
      const url = await server.database()
      const service = new Service()
      service.change(4000)
      const { baseUrl } = await service.start()
      const fatal = luck.integer(1, 40)
      const mark = join(freshDirectory(), 'dies')
      const killing = { KILL_AT: String(fatal), KILL_MARK: mark, KILL_PORT: String(server.port) }
      const args = ['bookings', 'sync', '--to', url, '--source', 'venue', '--since', '2026-11-01']
      const given = { ...freshHome(), PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: RAW_KEY }
      const killed = await startPartner(args, { env: { ...given, ...killing }, preload: KILLER }).ended
      expect(killed.code === null, killed.stderr).toBe(existsSync(mark))
      const again = await startPartner(args, { env: given }).ended
      expect(again.code, `killed at packet ${fatal}: ${again.stderr}`).toBe(0)
      expect(await server.query(url, ROWS)).toEqual(service.rows)
      expect((await startPartner(args, { env: given }).ended).stderr).toMatch(/\b0 new, 0 changed/)
    },
  )
})

/** A preloaded script that kills partner either before or after it sends its n-th packet to the database. */
const KILLER = `
const { Socket } = require('node:net')
const { writeFileSync } = require('node:fs')
let packets = 0
const die = () => { writeFileSync(process.env.KILL_MARK, ''); process.kill(process.pid, 'SIGKILL') }
const connect = Socket.prototype.connect
const { KILL_AT: at } = process.env
Socket.prototype.connect = function (...args) {
  const port = Number(args[0]?.port ?? args[0]?.[0]?.port ?? args[0])
  if (port === Number(process.env.KILL_PORT)) {
    const write = this.write
    this.write = (...rest) => {
      packets += 1
      if (packets === Number(at)) {
        if (packets % 2) write.apply(this, rest)
        setImmediate(die)
        return true
      }
      return write.apply(this, rest)
    }
  }
  return connect.apply(this, args)
}
`
