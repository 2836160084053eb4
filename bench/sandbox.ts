import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freshHome } from './support/home.ts'
import { median } from './support/measured.ts'

// Measures how long `sandbox start` takes to respond, as a ratio to `node -e 0` run in alternation; how long it takes
// to seed and list a venue with 100,000 bookings; and the peak memory. RUNS=40 COUNT=1000000 node bench/sandbox.ts
// measures more. Requests per second are measured in bench/speed.ts.

const root = join(import.meta.dirname, '..')
const bin = join(root, 'bin', 'run.js')
const runs = Number(process.env['RUNS'] ?? 20)
const count = Number(process.env['COUNT'] ?? 100_000)
const { home, env } = freshHome()
const reporter = join(home, 'peak-memory.cjs')
writeFileSync(
  reporter,
  "process.on('exit', () => require('node:fs').writeSync(3, String(process.resourceUsage().maxRSS)))\n",
)
const CARD = 'GIFT7-99999999-AAAA'

interface Running {
  readonly port: number
  readonly apiKey: string
  /** Stops the sandbox, and returns its peak memory in MiB. */
  stop(): Promise<number>
}

async function start(args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, ['--require', reporter, bin, 'sandbox', 'start', '--json', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const peak = collected(child)
  if (!child.stdout) throw new Error('the sandbox has no output')
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { baseUrl, apiKey } = JSON.parse(line) as { baseUrl: string; apiKey: string }
  return {
    port: Number(new URL(baseUrl).port),
    apiKey,
    stop: async () => {
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
      return Number(peak()) / 1024
    },
  }
}

/** Collects what a child process writes to file descriptor 3. */
function collected(child: ChildProcess): () => string {
  let text = ''
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    text += chunk
  })
  return () => text
}

function request({ port, apiKey }: Running, method: string, path: string, body = ''): Buffer {
  const about = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: ${apiKey}\r\n${about}\r\n${body}`,
  )
}

/**
 * Repeats a request over one connection until a given time, and returns the number of responses. Fails if any of them
 * has a status other than 200.
 */
function ask(port: number, bytes: Buffer, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setNoDelay(true)
    let answered = 0
    let got: Buffer = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      got = got.length === 0 ? chunk : Buffer.concat([got, chunk])
      const end = got.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = got.toString('latin1', 0, end)
      if (got.length < end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1])) return
      got = Buffer.alloc(0)
      if (!head.startsWith('HTTP/1.1 200')) {
        socket.destroy()
        return reject(new Error(head))
      }
      answered++
      if (performance.now() < until) return void socket.write(bytes)
      socket.end()
      resolve(answered)
    })
  })
}

function say(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(58)} ${figure}\n`)
}

async function benchStart(name: string, args: readonly string[], before: () => void): Promise<void> {
  const pairs: { node: number; sandbox: number }[] = []
  for (let run = 0; run <= runs; run++) {
    before()
    const started = performance.now()
    spawnSync(process.execPath, ['-e', '0'], { env, timeout: 30_000 })
    const node = performance.now() - started
    const again = performance.now()
    const child = spawn(process.execPath, [bin, 'sandbox', 'start', '--json', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { baseUrl, apiKey } = JSON.parse(line) as { baseUrl: string; apiKey: string }
    const sandbox = { port: Number(new URL(baseUrl).port), apiKey, stop: async () => 0 }
    await ask(sandbox.port, request(sandbox, 'GET', `/GiftCards/${CARD}`), 0)
    pairs.push({ node, sandbox: performance.now() - again })
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  pairs.shift()
  const ratio = median(pairs.map(({ node, sandbox }) => sandbox / node))
  const [node, sandbox] = [median(pairs.map((pair) => pair.node)), median(pairs.map((pair) => pair.sandbox))]
  say(name, `${ratio.toFixed(2)}x   (${sandbox.toFixed(0)} ms, node -e 0 ${node.toFixed(0)} ms)`)
}

async function benchLargeVenue(): Promise<void> {
  const data = join(home, 'large')
  const days = ['--from', '2024-01-01', '--to', '2025-12-31']
  const started = performance.now()
  const seeded = spawnSync(
    process.execPath,
    [bin, 'sandbox', 'seed', '--data', data, '--bookings', String(count), ...days],
    {
      env,
      timeout: 300_000,
      encoding: 'utf8',
    },
  )
  if (seeded.status !== 0) throw new Error(seeded.stderr)
  say(`seeding ${count} bookings`, `${((performance.now() - started) / 1000).toFixed(1)} s`)
  for (const [length, range] of [
    ['a month of them', ['--from', '2024-01-01', '--to', '2024-01-31']],
    ['all of them', days],
  ] as const) {
    const sandbox = await start(['--data', data])
    const listing = performance.now()
    const { bytes, peakMiB } = await listed(sandbox, range)
    const took = ((performance.now() - listing) / 1000).toFixed(1)
    const server = await sandbox.stop()
    say(
      `listing ${length} as NDJSON, ${(bytes / 1e6).toFixed(0)} MB`,
      `${took} s, peak memory: sandbox ${server.toFixed(0)} MiB, partner ${peakMiB.toFixed(0)} MiB`,
    )
  }
}

/** Seeds a year of bookings in a running sandbox, and lists them. The peak memory should stay below 150 MB. */
async function benchYear(name: string, data: string): Promise<void> {
  const sandbox = await start(['--data', data])
  const days = ['--from', '2026-01-01', '--to', '2026-12-31']
  const address = ['--base-url', `http://127.0.0.1:${sandbox.port}`]
  const seeded = spawnSync(
    process.execPath,
    [bin, 'sandbox', 'seed', ...address, '--bookings', String(count), ...days],
    {
      env,
      timeout: 300_000,
      encoding: 'utf8',
    },
  )
  if (seeded.status !== 0) throw new Error(seeded.stderr)
  await listed(sandbox, days)
  const peakMb = ((await sandbox.stop()) * 1024 * 1024) / 1e6
  say(`seeding and listing a year of ${count} bookings ${name}`, `peak memory: ${peakMb.toFixed(0)} MB`)
}

function listed({ port, apiKey }: Running, range: readonly string[]): Promise<{ bytes: number; peakMiB: number }> {
  return new Promise((resolve, reject) => {
    const args = ['--require', reporter, bin, 'bookings', 'list', ...range, '--include-customer', '-o', 'ndjson']
    const child = spawn(process.execPath, args, {
      env: { ...env, PARTNER_BASE_URL: `http://127.0.0.1:${port}`, PARTNER_API_KEY: apiKey },
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      timeout: 300_000,
    })
    const peak = collected(child)
    let bytes = 0
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    child.on('close', (code) =>
      code === 0
        ? resolve({ bytes, peakMiB: Number(peak()) / 1024 })
        : reject(new Error(`bookings list: exit ${code}`)),
    )
  })
}

try {
  const nothing = () => undefined
  const own = join(env.PARTNER_DATA_DIR, 'sandbox')
  await benchStart('sandbox start until it responds', [], nothing)
  await benchStart('the same in memory', ['--data', ':memory:'], nothing)
  await benchStart('the same, with a new venue on disk', [], () => rmSync(own, { recursive: true, force: true }))
  await benchLargeVenue()
  await benchYear('in memory', ':memory:')
  await benchYear('in a directory', join(home, 'year'))
} finally {
  rmSync(home, { recursive: true, force: true })
}
