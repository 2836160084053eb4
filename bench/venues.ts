import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { freshHome } from './support/home.ts'

// Compares reading many venues at the same time with reading them one after another: `node bench/venues.ts [VENUES]
// [LATENCY_MS]`, 30 and
// 200 by default. Each venue is a service that responds after the latency. The exit code is 1 if `--jobs 10` takes more
// than a quarter of the time that `--jobs 1` takes.

const bin = join(import.meta.dirname, '..', 'bin', 'run.js')
const venues = Number(process.argv[2] ?? 30)
const latencyMs = Number(process.argv[3] ?? 200)
const GOAL = 0.25
const ROUNDS = 3

const statuses = JSON.stringify(
  Array.from({ length: 8 }, (_, at) => ({ code: `S${at}`, name: `Status ${at}`, statusType: 'standard' })),
)
const { home, env } = freshHome()
const servers = await Promise.all(
  Array.from({ length: venues }, async () => {
    const server = createServer((_, response) => {
      setTimeout(() => response.setHeader('content-type', 'application/json').end(statuses), latencyMs)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }),
)
const profiles = servers.map((server, at) => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return [`venue-${at}`, { baseUrl, apiKey: { value: 'a-key-of-the-bench' } }]
})
const directory = String(env['PARTNER_CONFIG_DIR'])
mkdirSync(directory, { recursive: true, mode: 0o700 })
const stored = JSON.stringify({ current: null, profiles: Object.fromEntries(profiles) })
writeFileSync(join(directory, 'profiles.json'), stored, { mode: 0o600 })

/** Returns how long a run takes, in milliseconds. */
async function timed(jobs: number): Promise<number> {
  const started = performance.now()
  const args = [bin, 'bookings', 'statuses', '--profiles', 'all', '--jobs', String(jobs), '--json']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`--jobs ${jobs} ended with ${code}`)
  return performance.now() - started
}

await timed(10)
const best = async (jobs: number) => {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(jobs))
  return Math.min(...times)
}
const [one, four, ten] = [await best(1), await best(4), await best(10)]
const share = (ms: number) => `${Math.round(ms)} ms, ${((ms / one) * 100).toFixed(0)} %`
process.stdout.write(`${venues} venues with a latency of ${latencyMs} ms, best of ${ROUNDS} runs
  --jobs 1   ${Math.round(one)} ms
  --jobs 4   ${share(four)}
  --jobs 10  ${share(ten)} (at most ${GOAL * 100} %)
`)
for (const server of servers) {
  server.close()
  server.closeAllConnections()
}
rmSync(home, { recursive: true, force: true })
process.exitCode = ten / one <= GOAL ? 0 : 1
