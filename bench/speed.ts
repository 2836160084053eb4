import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus } from 'node:os'
import { freshHome } from './support/home.ts'
import { Measuring, median, type Taken } from './support/measured.ts'
import { bin, CARD, startBookingServer, startSandbox } from './support/service.ts'
import { measureStart } from './support/starts.ts'

// Prints the table in docs/performance.md: `npm run bench`, or `npm run bench -- starts lists million sandbox` for
// parts of it. Starts are ratios to `node -e 0`, run in alternation. Lists are compared with curl and jq on the same
// server. RUNS=40 starts each command
// 40 times and prints the median; SECONDS=10 sends requests to the sandbox for ten seconds.

const runs = Number(process.env['RUNS'] ?? 20)
const seconds = Number(process.env['SECONDS'] ?? 5)
const parts = process.argv.slice(2)
const { home, env } = freshHome()

function row(work: string, reached: string, goal: string): void {
  process.stdout.write(`| ${work} | ${reached} | ${goal} |\n`)
}

/** What an MCP client sends to list the tools. */
const TOOLS_LIST = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list', params: {} },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('')

async function starts(): Promise<void> {
  const sandbox = await startSandbox(['--data', ':memory:'], env)
  const service = { ...env, PARTNER_BASE_URL: sandbox.baseUrl, PARTNER_API_KEY: sandbox.apiKey }
  const week = ['bookings', 'list', '--from', '-7d', '--to', '+7d', '--limit', '1', '-o', 'ndjson']
  const booking = JSON.parse(execFileSync(process.execPath, [bin, ...week], { env: service, encoding: 'utf8' }))
  const start = (work: string, args: readonly string[], goal: string, more: typeof env = env, input = '') => {
    const { ratio, ms, nodeMs } = measureStart([bin, ...args], more, runs, input)
    row(work, `${ratio.toFixed(2)} (${ms.toFixed(0)} ms, Node ${nodeMs.toFixed(0)} ms)`, goal)
  }
  const signing = { ...env, PARTNER_SIGNING_SECRET: 'bench' }
  start('`--version`', ['--version'], '1.10')
  start('`--help`', ['--help'], '1.10')
  start('`bookings --help`', ['bookings', '--help'], '1.10')
  start('`bookings list --help`', ['bookings', 'list', '--help'], '1.10')
  start('`sign --url … --body …`', ['sign', '--url', 'https://example.com/hook', '--body', '{}'], '1.75', signing)
  start(
    '`bookings get ID --json` from a local server',
    ['bookings', 'get', booking.bookingId, '--json'],
    '2.15',
    service,
  )
  const redeem = ['giftcards', 'redeem', CARD, '--amount', '0.01', '--yes', '--json']
  start('`giftcards redeem … --yes --json`, including its record on disk', redeem, '2.6', service)
  start('`profiles list`', ['profiles', 'list'], '1.5')
  const statuses = ['bookings', 'statuses', '--profile', 'sandbox']
  start('`bookings statuses --profile sandbox`, including the sandbox', statuses, '2.8')
  start('`bookings statuses --profile sandbox --json`, including the sandbox', [...statuses, '--json'], '2.8')
  start('`mcp`, until it has answered `tools/list`', ['mcp', '--allow', 'money'], '12', service, TOOLS_LIST)
  await sandbox.stop()
}

const FORMATS = ['ndjson', 'csv', 'tsv', 'table'] as const

/** Lists `count` bookings `times` times in each format, and returns each format's median run. */
async function listed(count: number, times: number) {
  const server = await startBookingServer(count, home, env)
  try {
    const measuring = new Measuring(home, { ...env, PARTNER_BASE_URL: server.baseUrl, PARTNER_API_KEY: 'bench' })
    const medianOf = async (take: () => Promise<Taken>) => {
      const all: Taken[] = []
      for (let time = 0; time < times; time++) all.push(await take())
      const middle = median(all.map((one) => one.seconds))
      return all.find((one) => one.seconds === middle) as Taken
    }
    const own = new Map<string, Taken>()
    for (const format of FORMATS) {
      const args = ['bookings', 'list', '--updated-from', '2020-01-01', '-o', format, '--quiet']
      own.set(format, await medianOf(() => measuring.node([bin, ...args])))
    }
    return { own, measuring, medianOf, baseUrl: server.baseUrl, close: () => server.close() }
  } catch (error) {
    server.close()
    throw error
  }
}

const GOALS = { ndjson: '0.7 s (jq: 11 times)', csv: 'jq: 5 times', tsv: 'jq: 5 times', table: 'jq: 3 times' } as const

async function lists(): Promise<void> {
  const { own, measuring, medianOf, baseUrl, close } = await listed(100_000, 3)
  const curl = await medianOf(() => measuring.bash(`curl -s ${baseUrl}/Bookings > /dev/null`))
  const hasJq = spawnSync('bash', ['-c', 'jq --version']).status === 0
  const line = `curl -s ${baseUrl}/Bookings | jq -c '.bookings[]' > /dev/null`
  const jq = hasJq ? await measuring.bash(line) : null
  close()
  row('100,000 bookings of 1.1 KB with `curl` alone', `${curl.seconds.toFixed(2)} s`, 'none')
  if (jq) row("100,000 bookings with `curl … \\| jq -c '.bookings[]'`", `${jq.seconds.toFixed(1)} s`, 'none')
  for (const format of FORMATS) {
    const { seconds: taken, peakMiB } = own.get(format) as Taken
    const than = jq ? ` (jq: ${(jq.seconds / taken).toFixed(1)} times as long)` : ''
    row(
      `100,000 bookings with \`-o ${format}\``,
      `${taken.toFixed(2)} s${than}, ${peakMiB?.toFixed(0)} MiB`,
      GOALS[format],
    )
  }
}

async function million(): Promise<void> {
  const few = await listed(100_000, 1)
  few.close()
  const many = await listed(1_000_000, 1)
  many.close()
  for (const format of FORMATS) {
    const [one, ten] = [few.own.get(format) as Taken, many.own.get(format) as Taken]
    const more = Number(ten.peakMiB) - Number(one.peakMiB)
    const memory = `${ten.peakMiB?.toFixed(0)} MiB (${more < 0 ? '' : '+'}${more.toFixed(0)} MiB over 100,000)`
    row(
      `1,000,000 bookings with \`-o ${format}\``,
      `${ten.seconds.toFixed(1)} s, ${memory}`,
      `${format === 'ndjson' ? '6.5 s, ' : ''}+20 MiB`,
    )
  }
}

async function sandbox(): Promise<void> {
  const { baseUrl, apiKey, stop } = await startSandbox(['--rate-limit', '100000000/1000'], env)
  const ask = (path: string, more: readonly string[], forSeconds = seconds): number => {
    const args = ['-j', '-c', '8', '-d', String(forSeconds), '-H', `x-api-key=${apiKey}`, ...more, `${baseUrl}${path}`]
    const cannon = createRequire(import.meta.url).resolve('autocannon')
    const said = spawnSync(process.execPath, [cannon, ...args], { env, encoding: 'utf8' })
    const { '2xx': good, non2xx: bad, duration } = JSON.parse(said.stdout)
    if (bad > 0) throw new Error(`${bad} requests for ${path} were rejected`)
    return good / duration
  }
  const body = JSON.stringify({ cardNumber: CARD, amount: 0.01 })
  const redeem = ['-m', 'POST', '-H', 'content-type=application/json', '-b', body]
  ask(`/GiftCards/${CARD}`, [], 1)
  row('reads from the sandbox over 8 connections', `${Math.round(ask(`/GiftCards/${CARD}`, []))}/s`, '6,000/s')
  row(
    'durable redemptions in the sandbox over 8 connections',
    `${Math.round(ask('/GiftCards/redeem', redeem))}/s`,
    '4,000/s',
  )
  await stop()
}

const PARTS = { starts, lists, million, sandbox }
const unknown = parts.filter((part) => !Object.hasOwn(PARTS, part))
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}: ${Object.keys(PARTS).join(', ')}`)

try {
  process.stdout.write(`Node ${process.version}, ${cpus().length} cores\n\n| Work | Result | Goal |\n|---|---|---|\n`)
  for (const [name, measure] of Object.entries(PARTS)) if (parts.length === 0 || parts.includes(name)) await measure()
} finally {
  rmSync(home, { recursive: true, force: true })
}
