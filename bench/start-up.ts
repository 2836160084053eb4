import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// How long partner takes to start, as ratios to `node -e 0`: each command and the empty Node in turn, so that a machine
// whose speed drifts does not decide. Prints medians. RUNS=40 node bench/start-up.ts for more.

const root = join(import.meta.dirname, '..')
const bin = join(root, 'bin', 'run.js')
const runs = Number(process.env['RUNS'] ?? 20)
const home = mkdtempSync(join(tmpdir(), 'partner-bench-'))
const env: Record<string, string | undefined> = {
  PATH: process.env['PATH'],
  HOME: home,
  PARTNER_CONFIG_DIR: join(home, 'config'),
  PARTNER_DATA_DIR: join(home, 'data'),
  PARTNER_CACHE_DIR: join(home, 'cache'),
}

function wallMs(args: readonly string[], more: Record<string, string> = {}): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...env, ...more },
    timeout: 30_000,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - started
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function compare(name: string, args: readonly string[], more: Record<string, string> = {}): void {
  const pairs = Array.from({ length: runs + 1 }, () => ({
    node: wallMs(['-e', '0']),
    partner: wallMs([bin, ...args], more),
  })).slice(1)
  const ratio = median(pairs.map(({ node, partner }) => partner / node))
  const [node, partner] = [median(pairs.map((pair) => pair.node)), median(pairs.map((pair) => pair.partner))]
  process.stdout.write(
    `${name.padEnd(44)} ${ratio.toFixed(2)}x   (${partner.toFixed(0)} ms, node -e 0 ${node.toFixed(0)} ms)\n`,
  )
}

const sandbox = spawn(process.execPath, [bin, 'sandbox', 'start', '--data', ':memory:', '--json'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const first = await new Promise<string>((resolve) => createInterface({ input: sandbox.stdout }).once('line', resolve))
  const { baseUrl, apiKey } = JSON.parse(first) as { baseUrl: string; apiKey: string }
  const service = { PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: apiKey }
  const listed = spawnSync(
    process.execPath,
    [bin, 'bookings', 'list', '--from', '-7d', '--to', '+7d', '--limit', '1', '-o', 'ndjson'],
    {
      env: { ...env, ...service },
      encoding: 'utf8',
      timeout: 30_000,
    },
  )
  const { bookingId } = JSON.parse(listed.stdout) as { bookingId: string }
  compare('partner --version', ['--version'])
  compare('partner --help', ['--help'])
  compare('partner bookings list --help', ['bookings', 'list', '--help'])
  compare('partner bookings get ID --json', ['bookings', 'get', bookingId, '--json'], service)
  compare('partner bookings get ID', ['bookings', 'get', bookingId], service)
  compare('partner bookings statuses --profile sandbox', ['bookings', 'statuses', '--profile', 'sandbox'])
} finally {
  sandbox.kill()
  rmSync(home, { recursive: true, force: true })
}
