import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '../test/base/json/seeded.ts'
import { freshHome } from './support/home.ts'

// Keeps two copies of a constantly changing venue up to date, once a second, while a fifth of the requests fail and the
// syncs are killed at random: `node bench/soak.ts [SECONDS]`, 180 by default; SEED=7 for another sequence. Finally,
// each copy must equal the service's data, with nothing missing, stale or duplicated. `--overlap 0s` ensures that a
// cursor ahead of the data is noticed.

const root = join(import.meta.dirname, '..')
const bin = join(root, 'bin', 'run.js')
const seconds = Number(process.argv[2] ?? 180)
const seed = Number(process.env['SEED'] ?? 1)
const random = seededRandom(seed)
const { home, env: own } = freshHome()

/** Faults for a share of the requests, in percent. `--truncate` sends only the first bytes of a body. */
const FAULTS: readonly (readonly string[])[] = [
  ['--share', '5', '--status', '503'],
  ['--share', '5', '--reset'],
  ['--share', '3', '--truncate', '20'],
  ['--share', '3', '--truncate', '900'],
  ['--share', '3', '--hang'],
  ['--share', '4', '--status', '429'],
]

const service = spawn(process.execPath, [bin, 'sandbox', 'start', '--data', ':memory:', '--json'], {
  env: own,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = (await once(createInterface({ input: service.stdout }), 'line')) as [string]
const { baseUrl, apiKey } = JSON.parse(line) as { baseUrl: string; apiKey: string }
const env = { ...own, PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: apiKey }

function partner(args: readonly string[], expected = 0): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { env, encoding: 'utf8' })
  if (status !== expected) throw new Error(`partner ${args.join(' ')} ended with ${status}:\n${stderr}${stdout}`)
  return stdout
}

interface Booking {
  readonly bookingId: string
  readonly lastModifiedDate: string
}

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const response = await fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok && response.status !== 400) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

async function everything(): Promise<readonly Booking[]> {
  const all = 'UpdatedFromDate=2000-01-01T00:00:00.000Z&UpdatedToDate=2100-01-01T00:00:00.000Z'
  return ((await ask('GET', `/Bookings?${all}`)) as { bookings: Booking[] }).bookings
}

/** A copy that a sync keeps up to date, and the messages of its runs. */
class SyncedCopy {
  readonly to: string
  readonly #more: readonly string[]
  #process: ChildProcess | null = null
  #said = ''
  killed = 0
  peakMiB = 0

  constructor(name: string, more: readonly string[]) {
    this.to = join(home, name)
    this.#more = more
  }

  get runs(): number {
    return this.#said.split('; window ').length - 1
  }

  get failures(): readonly string[] {
    return this.#said.split('\n').filter((text) => text.includes('retrying'))
  }

  /** Messages that are neither about a successful run nor about a failed one. */
  get remarks(): readonly string[] {
    return this.#said.split('\n').filter((text) => !/^$|; window |retrying/.test(text))
  }

  start(): void {
    const sync = [bin, 'bookings', 'sync', '--source', 'soak', '--to', this.to, '--overlap', '0s', '--timeout', '2s']
    const child = spawn(process.execPath, [...sync, '--every', '1s', ...this.#more], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#said += chunk
    })
    child.once('exit', (code, signal) => {
      if (signal === null && code !== 130) this.#said += `ended with ${code}\n`
    })
    this.#process = child
  }

  async end(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const child = this.#process
    if (child === null || child.exitCode !== null) throw new Error(`the sync ended on its own:\n${this.#said}`)
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
    this.peakMiB = Math.max(this.peakMiB, Number(peak) / 1024)
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
    if (signal === 'SIGKILL') this.killed++
  }
}

const done = { created: 0, changed: 0, cancelled: 0 }

/** Creates, changes or cancels a booking. */
async function change(ids: string[]): Promise<void> {
  const what = random()
  const id = ids[Math.floor(random() * ids.length)] ?? ''
  if (what < 0.3) {
    const time = new Date(Date.now() + random() * 6 * 86_400_000).toISOString().slice(0, 16)
    const made = (await ask('POST', '/Bookings', { numOfPeople: 2, time })) as { bookingId?: string }
    if (made.bookingId !== undefined) ids.push(made.bookingId)
    done.created++
  } else if (what < 0.8) {
    await ask('PATCH', `/Bookings/${id}/updatepax`, { pax: 1 + Math.floor(random() * 8) })
    done.changed++
  } else {
    await ask('PATCH', `/Bookings/${id}/updatestatus`, { status: 'CANCELLED' })
    done.cancelled++
  }
}

/**
 * Lists the differences between the service's bookings and a copy, which may have several versions of a booking, newest
 * last.
 */
function differences(service: readonly Booking[], copy: readonly Booking[]): string[] {
  const newest = new Map(copy.map(({ bookingId, lastModifiedDate }) => [bookingId, lastModifiedDate]))
  const wrong = service
    .filter(({ bookingId, lastModifiedDate }) => newest.get(bookingId) !== lastModifiedDate)
    .map(({ bookingId, lastModifiedDate }) => `${bookingId}: ${newest.get(bookingId)}, not ${lastModifiedDate}`)
  const versions = new Set(copy.map(({ bookingId, lastModifiedDate }) => `${bookingId} ${lastModifiedDate}`))
  if (versions.size < copy.length) wrong.push(`${copy.length - versions.size} versions are duplicates`)
  if (newest.size > service.length) wrong.push(`${newest.size - service.length} bookings are not at the service`)
  return wrong
}

function readCopy(path: string): Booking[] {
  if (path.endsWith('.ndjson'))
    return readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = database.prepare('SELECT raw FROM bookings').all()
    return rows.map(({ raw }) => JSON.parse(String(raw)))
  } finally {
    database.close()
  }
}

const copies = [new SyncedCopy('bookings.ndjson', []), new SyncedCopy('bookings.db', ['--retries', '1'])]
try {
  const before = await everything()
  const ids = before.map(({ bookingId }) => bookingId)
  for (const [index, fault] of FAULTS.entries())
    partner(
      [
        'sandbox',
        'faults',
        'add',
        '--base-url',
        baseUrl,
        '--endpoint',
        'GET /Bookings',
        '--seed',
        `${seed + index}`,
      ].concat(fault),
    )
  for (const copy of copies) copy.start()
  const until = performance.now() + seconds * 1000
  let nextKill = performance.now() + 10_000
  while (performance.now() < until) {
    await change(ids)
    await delay(random() * 100)
    if (performance.now() < nextKill) continue
    const copy = copies[Math.floor(random() * copies.length)] as SyncedCopy
    await copy.end('SIGKILL')
    copy.start()
    nextKill = performance.now() + 5000 + random() * 20_000
  }
  for (const copy of copies) await copy.end('SIGINT')
  const faults = JSON.parse(partner(['sandbox', 'faults', 'list', '--base-url', baseUrl, '--json'])) as {
    seen: number
    fired: number
  }[]
  partner(['sandbox', 'faults', 'clear', '--base-url', baseUrl])
  const fired = faults.reduce((sum, fault) => sum + fault.fired, 0)
  process.stdout.write(
    `${seconds} s, seed ${seed}: ${done.created} bookings created, ${done.changed} changed, ${done.cancelled} cancelled; ${fired} of ${faults[0]?.seen} requests failed on purpose\n`,
  )
  const service = await everything()
  for (const copy of copies) {
    partner(['bookings', 'sync', '--source', 'soak', '--to', copy.to])
    const wrong = differences(service, readCopy(copy.to))
    const name = copy.to.slice(home.length + 1)
    process.stdout.write(
      `${name}: ${copy.runs} runs, ${copy.failures.length} failed, killed ${copy.killed} times, ${copy.peakMiB.toFixed(0)} MiB peak; ${wrong.length} differences\n`,
    )
    for (const text of [...new Set(copy.remarks), ...wrong]) process.stdout.write(`  ${text}\n`)
    partner(['bookings', 'sync', 'verify', '--source', 'soak', '--to', copy.to])
    process.stdout.write(`  bookings sync verify finds no difference\n`)
    if (wrong.length > 0) process.exitCode = 1
  }
} finally {
  for (const copy of copies) await copy.end('SIGKILL').catch(() => {})
  service.kill()
  rmSync(home, { recursive: true, force: true })
}
