import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { POSTGRES, TestServer } from '../test/support/postgres.ts'
import { until } from '../test/support/until.ts'
import { freshHome } from './support/home.ts'

// Measures how soon a change is in a copy that `sync --wake` keeps: `node bench/wake.ts [SECONDS]`, 60 by default. A
// sandbox's bookings change ten times a second, once with a journal and an NDJSON copy, and once with an inbox and a
// copy in PostgreSQL. Then a fifth of the events are dropped, and the next run at the interval must find whatever is
// missing. The exit code is 1 if a change is missing, or if the 95th percentile is above two seconds.

const root = join(import.meta.dirname, '..')
const bin = join(root, 'bin', 'run.js')
const seconds = Number(process.argv[2] ?? 60)
const CHANGES_A_SECOND = 10
const GOAL_MS = 2000
/** After this time, events start no more runs. */
const SETTLED_MS = 5000
/** An interval that does not end during a measurement. */
const NEVER = '1h'
const { home, env: own } = freshHome()
const children: ChildProcess[] = []
const said = new Map<ChildProcess, string>()

function start(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  child.stderr?.on('data', (chunk: Buffer) => void said.set(child, saidBy(child) + String(chunk)))
  return child
}

/** Returns what a process has written to standard error. */
function saidBy(child: ChildProcess): string {
  return said.get(child) ?? ''
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  await ended
}

const service = start(['sandbox', 'start', '--data', ':memory:', '--json'], own)
const [facts] = (await once(createInterface({ input: service.stdout as Readable }), 'line')) as [string]
const { baseUrl, apiKey } = JSON.parse(facts) as { baseUrl: string; apiKey: string }
const env = { ...own, PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: apiKey }

function partner(...args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`partner ${args.join(' ')} ended with ${status}:\n${stderr}`)
}

async function ask(method: string, path: string, body?: object): Promise<Response> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  return await fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}

/** Returns the number of people of each booking in a copy, at least of those with these IDs. */
type ReadCopy = (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>

function readerOf(path: string): ReadCopy {
  const newest = new Map<string, number>()
  const buffer = Buffer.alloc(1 << 20)
  let offset = 0
  let rest = ''
  return async () => {
    if (!existsSync(path)) return newest
    const descriptor = openSync(path, 'r')
    for (let length = -1; length !== 0; offset += length) {
      length = readSync(descriptor, buffer, 0, buffer.length, offset)
      rest += buffer.toString('latin1', 0, length)
    }
    closeSync(descriptor)
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { bookingId, people } = JSON.parse(line) as { bookingId: string; people: number }
      newest.set(bookingId, people)
    }
    return newest
  }
}

function databaseReaderOf(client: Client): ReadCopy {
  return async (ids) => {
    const { rows } = await client.query('SELECT id, people FROM bookings WHERE id = ANY($1)', [ids])
    return new Map(rows.map(({ id, people }) => [String(id), Number(people)]))
  }
}

interface Measured {
  readonly name: string
  readonly every: string
  readonly to: string
  readonly wake: string
  /** The flag that makes the listener store deliveries where `wake` finds them. */
  readonly listenFlag: '--journal' | '--to'
  readonly read: ReadCopy
}

/** A change that is not in the copy yet. `eventMs` is when the listener received its event, or `null` before that. */
interface Change {
  readonly people: number
  readonly changedMs: number
  eventMs: number | null
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function sayPercentiles(what: string, all: readonly number[]): void {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => `${percentile(sorted, share).toFixed(0)} ms`
  say(`  ${what}: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, longest ${at(1)} (${all.length} changes)`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Changes bookings for a while. Prints how soon the changes are in the copy, and how many are missing at the end. */
async function measure({ name, every, to, wake, listenFlag, read }: Measured): Promise<void> {
  const listener = start(['webhooks', 'listen', '--port', '0', listenFlag, wake, '-o', 'ndjson'], env)
  await until(() => saidBy(listener).includes('listening on '))
  const url = /listening on (\S+);/.exec(saidBy(listener))?.[1]
  const { ok } = await ask('POST', '/Webhooks', { event: 'BOOKING_UPDATED', webhookUrl: url })
  if (!ok) throw new Error('the sandbox rejects the subscription')
  const sync = start(['bookings', 'sync', '--source', 'wake', '--to', to, '--every', every, '--wake', wake], env)
  await until(() => saidBy(sync).includes(' new, '))
  const waiting = new Map<string, Change>()
  const [fromChange, fromEvent]: [number[], number[]] = [[], []]
  let events = 0
  createInterface({ input: listener.stdout as Readable }).on('line', (line) => {
    const { subject, time } = JSON.parse(line) as { subject: string; time: string }
    const change = waiting.get(subject)
    if (change !== undefined) change.eventMs = Date.parse(time)
    events += 1
  })
  const look = async () => {
    const found = await read([...waiting.keys()])
    for (const [id, { people, changedMs, eventMs }] of waiting) {
      if (found.get(id) !== people) continue
      waiting.delete(id)
      fromChange.push(Date.now() - changedMs)
      if (eventMs !== null) fromEvent.push(Date.now() - eventMs)
    }
  }
  let changes = 0
  const began = Date.now()
  for (let n = 1; n <= seconds * CHANGES_A_SECOND; n++) {
    changes += (await change(waiting)) ? 1 : 0
    do {
      await look()
      await delay(5)
    } while (Date.now() < began + (n * 1000) / CHANGES_A_SECOND)
  }
  const spoken = saidBy(sync).length
  // All events have arrived long before that. If some were dropped, a run at the interval finds their changes.
  const deadline = Date.now() + (every === NEVER ? 10_000 : 60_000)
  const settled = Date.now() + SETTLED_MS
  let left = waiting.size
  const isPolled = () => /\d requests?\n/.test(saidBy(sync).slice(spoken))
  while (Date.now() < deadline && (every === NEVER ? waiting.size > 0 : !isPolled())) {
    await look()
    await delay(5)
    if (Date.now() < settled) left = waiting.size
  }
  await look()
  const woken = saidBy(sync).match(/woken by|checked again/g)?.length ?? 0
  say(`${name}: ${changes} changes, ${events} events, ${woken} runs started by events`)
  if (every !== NEVER) say(`  missing before the next run at the interval: ${left}`)
  say(`  missing at the end: ${waiting.size}`)
  sayPercentiles('from change to row', fromChange)
  sayPercentiles('from event to row', fromEvent)
  if (
    waiting.size > 0 ||
    (every === NEVER &&
      percentile(
        fromEvent.toSorted((a, b) => a - b),
        0.95,
      ) > GOAL_MS)
  )
    process.exitCode = 1
  await stop(sync)
  await stop(listener)
}

const all = '/Bookings?UpdatedFromDate=2000-01-01T00:00:00.000Z&UpdatedToDate=2100-01-01T00:00:00.000Z'
const { bookings } = (await (await ask('GET', all)).json()) as { bookings: { bookingId: string; people: number }[] }
const queue = bookings.map(({ bookingId, people }) => ({ id: bookingId, people }))

/** Changes the booking that was changed longest ago. Returns `false` if the service rejects the change. */
async function change(waiting: Map<string, Change>): Promise<boolean> {
  const booking = queue.shift() as (typeof queue)[number]
  const people = booking.people >= 6 ? 2 : booking.people + 1
  const changedMs = Date.now()
  waiting.set(booking.id, { people, changedMs, eventMs: null })
  const { ok } = await ask('PATCH', `/Bookings/${booking.id}/updatepax`, { pax: people })
  if (ok) queue.push({ id: booking.id, people })
  else waiting.delete(booking.id)
  return ok
}

try {
  const file = (name: string) => ({ to: join(home, `${name}.ndjson`), read: readerOf(join(home, `${name}.ndjson`)) })
  const journal = { wake: join(home, 'hooks.ndjson'), listenFlag: '--journal' } as const
  await measure({ name: 'NDJSON, journal', every: NEVER, ...file('a'), ...journal })
  if (POSTGRES.isMet) {
    const server = new TestServer({})
    try {
      await server.create()
      const [to, wake] = [await server.database(), await server.database()]
      const client = new Client({ connectionString: to })
      await client.connect()
      client.on('error', () => {})
      const inbox = { to, wake, listenFlag: '--to', read: databaseReaderOf(client) } as const
      await measure({ name: 'PostgreSQL, inbox', every: NEVER, ...inbox })
      await client.end()
    } finally {
      await server.remove()
    }
  } else say(`PostgreSQL: skipped: ${POSTGRES.lack}`)
  const fault = [
    '--endpoint',
    'PATCH /Bookings/{bookingId}/updatepax',
    '--lost-webhook',
    '--share',
    '20',
    '--seed',
    '7',
  ]
  partner('sandbox', 'faults', 'add', '--base-url', baseUrl, ...fault)
  await measure({ name: 'with 20 % of the events dropped', every: '20s', ...file('b'), ...journal })
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
}
