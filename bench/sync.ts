import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { POSTGRES, TestServer } from '../test/support/postgres.ts'
import { Measuring, median, type Taken } from './support/measured.ts'
import { startBookingServer } from './support/service.ts'

// Compares syncs of very many bookings with what people do without this tool. Each ratio is measured within one run of
// this program: `node bench/sync.ts [COUNT]`, 100,000 by default. RUNS=3 makes three runs and prints the median.

const root = join(import.meta.dirname, '..')
const bin = join(root, 'bin', 'run.js')
const count = Number(process.argv[2] ?? 100_000)
const runs = Number(process.env['RUNS'] ?? (count > 200_000 ? 1 : 3))
const starts = Number(process.env['STARTS'] ?? 20)
const home = mkdtempSync(join(tmpdir(), 'partner-bench-'))
const path = (name: string) => join(home, name)
const own = { PATH: process.env['PATH'], HOME: home, PARTNER_CACHE_DIR: path('cache'), PARTNER_DATA_DIR: path('data') }

function has(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
}

function say(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(48)} ${figure}\n`)
}

/** Returns the run with the median duration. */
function medianRun(all: readonly Taken[]): Taken {
  const seconds = median(all.map((one) => one.seconds))
  return all.find((one) => one.seconds === seconds) as Taken
}

function figures({ seconds, cpuSeconds, peakMiB }: Taken): string {
  const cpu = cpuSeconds === null ? '' : `, ${cpuSeconds.toFixed(2)} s of CPU time`
  return `${seconds.toFixed(2)} s${cpu}${peakMiB === null ? '' : `, ${peakMiB.toFixed(0)} MiB peak`}`
}

/** Prints a ratio of elapsed times, and one of CPU times, which other work on the machine affects less. */
function sayRatio(what: string, taken: Taken, than: Taken | null, words: (ratio: number) => string): void {
  if (than === null) {
    say(what, figures(taken))
    return
  }
  const both = taken.cpuSeconds !== null && than.cpuSeconds !== null
  const cpu = both ? `, ${words(Number(taken.cpuSeconds) / Number(than.cpuSeconds))} in CPU time` : ''
  say(what, `${words(taken.seconds / than.seconds)}${cpu} (${figures(taken)})`)
}

const { baseUrl, requestsSince, close } = await startBookingServer(count, home, {
  ...own,
  PARTNER_CONFIG_DIR: path('config'),
})
const measuring = new Measuring(home, {
  ...own,
  PARTNER_BASE_URL: baseUrl,
  PARTNER_API_KEY: 'bench',
  PARTNER_TIMEZONE: 'Australia/Melbourne',
})
const sync = (to: string) => measuring.node([bin, 'bookings', 'sync', '--source', 'bench', '--to', to])

function remove(name: string): void {
  for (const end of ['', '.state', '-wal', '-shm']) rmSync(`${path(name)}${end}`, { force: true })
}

async function benchFiles(): Promise<void> {
  const withTools = has('curl') && has('jq')
  if (!withTools) say('curl | jq', 'skipped: curl or jq is not installed')
  const taken: Record<'jq' | 'ndjson' | 'csv' | 'db', Taken[]> = { jq: [], ndjson: [], csv: [], db: [] }
  for (let run = 0; run < runs; run++) {
    for (const end of ['ndjson', 'csv', 'db'] as const) {
      remove(`bookings.${end}`)
      taken[end].push(await sync(path(`bookings.${end}`)))
    }
    if (!withTools) continue
    const line = `curl -s ${baseUrl}/Bookings | jq -c '.bookings[]' > ${path('jq.ndjson')}`
    taken.jq.push(await measuring.bash(line))
  }
  const [ndjson, jq] = [medianRun(taken.ndjson), withTools ? medianRun(taken.jq) : null]
  say('size', `${(statSync(path('bookings.ndjson')).size / 1e6).toFixed(0)} MB of NDJSON`)
  if (jq !== null) say("curl -s … | jq -c '.bookings[]'", figures(jq))
  sayRatio('first sync, NDJSON', ndjson, jq, (ratio) => `${(1 / ratio).toFixed(2)} times as fast as curl | jq`)
  sayRatio('first sync, CSV', medianRun(taken.csv), ndjson, (ratio) => `${ratio.toFixed(2)}x NDJSON`)
  sayRatio('first sync, SQLite', medianRun(taken.db), ndjson, (ratio) => `${ratio.toFixed(2)}x NDJSON`)
}

async function benchNothingNew(name: string): Promise<void> {
  await sync(path(name))
  await requestsSince()
  const all: { readonly node: Taken; readonly partner: Taken }[] = []
  for (let run = 0; run < starts; run++)
    all.push({ node: await measuring.node(['-e', '0']), partner: await sync(path(name)) })
  const requests = await requestsSince()
  const ratio = median(all.map(({ node, partner }) => partner.seconds / node.seconds))
  const cpu = median(all.map(({ node, partner }) => (partner.cpuSeconds ?? 0) / (node.cpuSeconds ?? 1)))
  const partner = medianRun(all.map((one) => one.partner))
  const asked = `${(requests / starts).toFixed(0)} request`
  say(
    `nothing new, ${name}`,
    `${ratio.toFixed(2)}x node -e 0, ${cpu.toFixed(2)}x its CPU time; ${asked} (${figures(partner)})`,
  )
}

const TABLES = ['bookings', 'booking_tables', 'booking_tags', 'booking_items']

async function benchPostgres(): Promise<void> {
  if (!POSTGRES.isMet) return say('PostgreSQL', `skipped: ${POSTGRES.lack}`)
  const settings = ['shared_buffers = 128MB', 'max_wal_size = 4GB', 'checkpoint_timeout = 30min']
  const database = new TestServer({ settings })
  try {
    await database.create()
    const taken: Record<'sync' | 'copy', Taken[]> = { sync: [], copy: [] }
    for (let run = 0; run < runs; run++) {
      const url = await database.database()
      taken.sync.push(await sync(url))
      taken.copy.push(await copied(database, url))
    }
    const copy = medianRun(taken.copy)
    say('\\copy of the same rows into the same tables', figures(copy))
    sayRatio('first sync, PostgreSQL', medianRun(taken.sync), copy, (ratio) => `${ratio.toFixed(2)}x \\copy`)
  } finally {
    await database.remove()
  }
}

/** Measures how long it takes to empty a database's tables and load the same rows from files. */
async function copied(database: TestServer, url: string): Promise<Taken> {
  const files = TABLES.map((table) => [table, join(database.directory, `${table}.copy`)] as const)
  for (const [table, file] of files) await database.query(url, `COPY ${table} TO '${file}'`)
  await database.query(url, `TRUNCATE ${TABLES.join(', ')}`)
  await database.query(url, 'CHECKPOINT')
  if (has('psql')) {
    const commands = files.flatMap(([table, file]) => ['-c', `\\copy ${table} from '${file}'`])
    return await measuring.program('psql', [url, '-q', '-1', '-v', 'ON_ERROR_STOP=1', ...commands])
  }
  say('\\copy', 'replaced with COPY on the server, which is a little faster, because psql is not installed')
  const started = performance.now()
  await database.query(url, files.map(([table, file]) => `COPY ${table} FROM '${file}'`).join(';'))
  return { seconds: (performance.now() - started) / 1000, cpuSeconds: null, peakMiB: null, stderr: '' }
}

try {
  say(
    'bookings',
    `${count}${count < 1_000_000 ? ' (1000000 takes some minutes)' : ''}; each figure is the median of ${runs}`,
  )
  await benchFiles()
  for (const name of ['bookings.ndjson', 'bookings.csv', 'bookings.db']) await benchNothingNew(name)
  await benchPostgres()
} finally {
  close()
  rmSync(home, { recursive: true, force: true })
}
