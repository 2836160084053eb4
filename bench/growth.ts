import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PUT_ROW } from '../src/money/operations/file.ts'
import { getCurrentMoment } from '../src/money/operations/moment.ts'
import { newRow, sealed } from '../src/money/operations/row.ts'
import { OperationStore } from '../src/money/operations/store.ts'
import { deliveryLine } from '../src/webhooks/events/journal/entry.ts'
import { freshHome } from './support/home.ts'
import { Measuring, type Taken } from './support/measured.ts'
import { bin, CARD, startBookingServer, startSandbox } from './support/service.ts'

// Measures how time and memory grow with the input, for each command that reads or stores data: `node bench/growth.ts`,
// or `node bench/growth.ts verify gaps` for only some commands. Each command runs with 1, 4 and 16 times the smallest
// input. The exponent is that of a power law: 1 is linear, 2 is quadratic, 0 is constant. Start-up is subtracted. The
// exit code is 1 if any time exponent is above 1.1. BENCH_BIN=…/bin/run.js measures another build.

const STEPS = [1, 4, 16] as const
const GOAL = 1.1
/** Growth below these values, in seconds and MiB, is not reported, because it is smaller than the noise. */
const LEAST = { seconds: 0.15, peakMiB: 8 }
const DAY_MS = 86_400_000

type Run = () => Promise<Taken>

/** Prepares an input `times` as large as the smallest one, and returns the run to measure. */
type Prepare = (times: number) => Promise<{ readonly run: Run; readonly end?: () => unknown }>

const chosen = process.argv.slice(2)
const { home, env } = freshHome()
const OWN = ['--source', 'bench'] as const

function measuring(more: Readonly<Record<string, string>> = {}): Measuring {
  return new Measuring(home, { ...env, PARTNER_API_KEY: 'bench', PARTNER_TIMEZONE: 'Australia/Melbourne', ...more })
}

async function bookings(times: number) {
  const server = await startBookingServer(12_500 * times, home, env)
  return { at: measuring({ PARTNER_BASE_URL: server.baseUrl }), end: () => server.close() }
}

function listed(format: string): Prepare {
  return async (times) => {
    const { at, end } = await bookings(times)
    const args = ['bookings', 'list', '--updated-from', '2020-01-01', '-o', format, '--quiet']
    return { run: () => at.node([bin, ...args]), end }
  }
}

function copied(file: string, then: readonly string[] | null): Prepare {
  return async (times) => {
    const { at, end } = await bookings(times)
    const to = join(home, file)
    const sync = () => at.node([bin, 'bookings', 'sync', ...OWN, '--to', to])
    for (const rest of ['', '.state', '-wal', '-shm']) rmSync(`${to}${rest}`, { force: true })
    if (then === null) return { run: sync, end }
    await sync()
    return { run: () => at.node([bin, 'bookings', 'sync', ...then, ...OWN, '--to', to]), end }
  }
}

/** Copies the sandbox into a SQLite file, and opens the file so that it can be enlarged. */
async function sandboxCopy(file: string, resources: readonly string[]) {
  const copy = join(home, file)
  for (const rest of ['', '-wal', '-shm']) rmSync(`${copy}${rest}`, { force: true })
  for (const resource of resources)
    await measuring().node([bin, resource, 'sync', '--profile', 'sandbox', '--to', copy])
  const database = new DatabaseSync(copy)
  database.exec('PRAGMA synchronous = OFF; BEGIN')
  const end = () => {
    database.exec('COMMIT')
    database.close()
  }
  /** Inserts each row of a table `count` times, with some columns changed. In the SQL, `n` counts from 1. */
  const multiply = (table: string, count: number, changed: Readonly<Record<string, string>>) => {
    const all = database.prepare('SELECT name FROM pragma_table_info(?)').all(table)
    const names = all.map(({ name }) => String(name))
    database.exec(`WITH RECURSIVE time (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM time WHERE n < ${count})
      INSERT INTO ${table} (${names.join(', ')})
      SELECT ${names.map((name) => changed[name] ?? name).join(', ')} FROM time, ${table} WHERE source = 'sandbox'`)
  }
  return { copy, database, multiply, end }
}

const OTHER_ID = { id: "id || '-' || n", raw: "replace(raw, id, id || '-' || n)" }

/** A night report for many venues, each with the sandbox's bookings and sales. */
const night: Prepare = async (times) => {
  const { copy, multiply, end } = await sandboxCopy('venues.db', ['bookings', 'sales'])
  // IDs are unique per venue.
  const changed = { id: OTHER_ID.id, booking_id: "booking_id || '-' || n", source: "'venue-' || n" }
  for (const table of ['bookings', 'booking_tables', 'sales', 'sync_state']) multiply(table, 50 * times, changed)
  end()
  return { run: () => measuring().node([bin, 'report', 'night', '--copy', copy, '-o', 'json']) }
}

/** A statement of gift cards that all changed between two snapshots. */
const statement: Prepare = async (times) => {
  const { copy, database, multiply, end } = await sandboxCopy('cards.db', ['giftcards', 'giftcards'])
  multiply('gift_cards', 521 * times, OTHER_ID)
  database.exec(`INSERT INTO gift_card_changes SELECT source, 2, id, (SELECT max(taken_at) FROM gift_card_snapshots), 'changed',
      status, amount_cents, remaining_cents, status, amount_cents, amount_cents, raw FROM gift_cards`)
  end()
  const args = ['giftcards', 'statement', '--copy', copy, '--source', 'sandbox', '-o', 'json']
  return { run: () => measuring().node([bin, ...args], [0, 11]) }
}

/** Till closings that agree with a copy of the service's sales. */
const reconciled: Prepare = async (times) => {
  const { copy, database, multiply, end } = await sandboxCopy('sales.db', ['sales'])
  const [{ count } = {}] = database.prepare('SELECT count(*) AS count FROM sales').all()
  multiply('sales', Math.round((6250 * times) / Number(count)), OTHER_ID)
  const file = join(home, 'closings.ndjson')
  const rows = database.prepare('SELECT id, booking_id, closed_at, total_cents FROM sales').all()
  const lines = rows.map(({ id, booking_id: bookingId, closed_at: closedZonedDateTime, total_cents: amount }) => ({
    ...{ type: 'SALE', source: { type: 'POS' }, origin: { saleId: id }, staff: { id: 'st-1' }, table: { seats: 4 } },
    ...{ bookingId, closedZonedDateTime, total: { amount, currency: 'AUD' } },
  }))
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  end()
  const args = ['sales', 'reconcile', file, '--copy', copy, '--source', 'sandbox', '-o', 'json']
  return { run: () => measuring().node([bin, ...args], [0, 11]) }
}

/** A support bundle with the traffic of many lists, each with different guests. */
const bundled: Prepare = async (times) => {
  const { at, end } = await bookings(0.06)
  const [traffic, bundle] = [join(home, 'seen.har'), join(home, 'bundle.zip')]
  const list = ['bookings', 'list', '--updated-from', '2020-01-01', '--include-customer', '--quiet', '-o', 'ndjson']
  rmSync(traffic, { force: true })
  await at.node([bin, ...list, '--har', traffic])
  end()
  const { log } = JSON.parse(readFileSync(traffic, 'utf8'))
  const text = JSON.stringify(log.entries[0])
  log.entries = Array.from({ length: 4 * times }, (_, index) => {
    const name = `${String.fromCharCode(65 + (index % 26))}${String.fromCharCode(97 + Math.floor(index / 26))}`
    return JSON.parse(text.replaceAll('Name\\":\\"', `$&${name}`))
  })
  writeFileSync(traffic, JSON.stringify({ log }))
  const collect = ['support', 'bundle', '--profile', 'sandbox', '--har', traffic, '--out', bundle, '--yes', '--quiet']
  return { run: () => measuring().node([bin, ...collect]) }
}

/** Bookings with one event for every tenth booking, or with the same number of events all for one booking. */
function events(isOfOne: boolean): Prepare {
  return async (times) => {
    const count = 12_500 * times
    const { at, end } = await bookings(times)
    const [copy, journal] = [join(home, 'gaps.ndjson'), join(home, 'gaps.journal')]
    for (const rest of ['', '.state']) rmSync(`${copy}${rest}`, { force: true })
    await at.node([bin, 'bookings', 'sync', ...OWN, '--to', copy])
    end()
    const stepMs = Math.floor((3 * 365 * DAY_MS) / count)
    const lines = Array.from({ length: count / 10 }, (_, index) => {
      const data = { bookingId: `BK-${String(isOfOne ? 0 : index * 10).padStart(8, '0')}` }
      const body = Buffer.from(JSON.stringify({ eventType: 'BOOKING_UPDATED', data }))
      const timeMs = Date.UTC(2023, 9, 1) + index * (isOfOne ? 7000 : 10 * stepMs) + 5000
      return deliveryLine({ timeMs, headers: {}, body, verdict: 'new' })
    })
    writeFileSync(journal, lines.join(''))
    const args = ['webhooks', 'gaps', '--journal', journal, '--copy', copy, ...OWN, '--summary', '-o', 'csv']
    return { run: () => at.node([bin, ...args], [0, 11]) }
  }
}

let imports = 0
const imported: Prepare = async (times) => {
  const sandbox = await startSandbox(['--data', ':memory:', '--rate-limit', '100000000/1000'], env)
  const at = measuring({ PARTNER_BASE_URL: sandbox.baseUrl, PARTNER_API_KEY: sandbox.apiKey })
  const file = join(home, `sales-${imports++}.ndjson`)
  const sale = (index: number) => ({
    ...{ type: 'SALE', source: { type: 'POS' }, origin: { saleId: `S-${imports}-${index}` }, staff: { id: 'st-1' } },
    ...{ table: { seats: 4 }, openedZonedDateTime: new Date(Date.now() - 3_600_000).toISOString() },
    total: { amount: 12_500, currency: 'AUD' },
  })
  writeFileSync(file, Array.from({ length: 250 * times }, (_, index) => `${JSON.stringify(sale(index))}\n`).join(''))
  return { run: () => at.node([bin, 'sales', 'import', file, '-o', 'ndjson']), end: () => sandbox.stop() }
}

/** Creates a record of very many money writes whose outcome is unknown. Returns its directory. */
async function createOpenOperations(times: number): Promise<string> {
  const directory = join(home, `record-${times}`)
  mkdirSync(directory, { mode: 0o700 })
  const path = OperationStore.pathIn(directory)
  OperationStore.open(path).close()
  const database = new DatabaseSync(path)
  database.exec('PRAGMA synchronous = OFF; BEGIN')
  const put = database.prepare(PUT_ROW)
  const now = getCurrentMoment()
  for (let index = 0; index < 4000 * times; index++) {
    const target = `GIFTS-${String(index).padStart(8, '0')}-AAAA`
    const intent = { command: 'giftcards redeem', service: 'http://127.0.0.1:1', target, cents: 100n, profile: null }
    const sent = { phase: 'sending', firstSent: now, sent: now, over: now } as const
    put.run(...sealed({ ...newRow(intent, 30_000, now, 2 * index + 1), ...sent, sentStep: 2 * index + 2 }))
  }
  database.exec('COMMIT')
  database.close()
  return directory
}

const operations: Prepare = async (times) => {
  const directory = await createOpenOperations(times)
  const run = () => measuring({ PARTNER_DATA_DIR: directory }).node([bin, 'operations', 'list', '-o', 'json'])
  return { run, end: () => rmSync(directory, { recursive: true }) }
}

const redeemed: Prepare = async (times) => {
  const sandbox = await startSandbox(['--data', ':memory:'], env)
  const directory = await createOpenOperations(times)
  const more = { PARTNER_BASE_URL: sandbox.baseUrl, PARTNER_API_KEY: sandbox.apiKey, PARTNER_DATA_DIR: directory }
  const args = ['giftcards', 'redeem', CARD, '--amount', '0.01', '--yes', '--json']
  const end = async () => {
    await sandbox.stop()
    rmSync(directory, { recursive: true })
  }
  return { run: () => measuring(more).node([bin, ...args]), end }
}

const WORK: Readonly<Record<string, readonly [what: string, Prepare]>> = {
  ndjson: ['`bookings list -o ndjson`, 200,000 bookings', listed('ndjson')],
  csv: ['`bookings list -o csv`, 200,000 bookings', listed('csv')],
  table: ['`bookings list -o table`, 200,000 bookings', listed('table')],
  'sync-file': ['`bookings sync` to NDJSON, 200,000 bookings', copied('copy.ndjson', null)],
  'sync-sqlite': ['`bookings sync` to SQLite, 200,000 bookings', copied('copy.db', null)],
  'verify-file': ['`bookings sync verify` with NDJSON, 200,000 bookings', copied('copy.ndjson', ['verify'])],
  'verify-sqlite': ['`bookings sync verify` with SQLite, 200,000 bookings', copied('copy.db', ['verify'])],
  night: ['`report night`, 800 venues', night],
  gaps: ['`webhooks gaps`, 200,000 bookings and 20,000 events', events(false)],
  'gaps-of-one': ['`webhooks gaps`, 200,000 bookings and 20,000 events for one booking', events(true)],
  statement: ['`giftcards statement --copy`, 100,000 changed cards', statement],
  reconcile: ['`sales reconcile --copy`, 100,000 closings', reconciled],
  bundle: ['`support bundle --har`, 60 MB of traffic', bundled],
  import: ['`sales import`, 4,000 sales', imported],
  operations: ['`operations list`, 64,000 open writes', operations],
  redeem: ['`giftcards redeem`, 64,000 open writes', redeemed],
}

function exponent(values: readonly number[], start: number, least: number): number | null {
  const [, middle = 0, most = 0] = values.map((value) => value - start)
  return most < least ? null : Math.log(most / Math.max(middle, least / 4)) / Math.log(4)
}

const unknown = chosen.filter((name) => !Object.keys(WORK).some((one) => one.startsWith(name)))
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}: ${Object.keys(WORK).join(', ')}`)
let isSteep = false
try {
  process.stdout.write(
    '| Command and size of its largest input | Time | Growth of time | Memory | Growth of memory |\n|---|---|---|---|---|\n',
  )
  const start = await measuring().node([bin, 'profiles', 'list'])
  for (const [name, [what, prepare]] of Object.entries(WORK)) {
    if (chosen.length > 0 && !chosen.some((one) => name.startsWith(one))) continue
    const taken: Taken[] = []
    for (const times of STEPS) {
      const { run, end } = await prepare(times)
      taken.push(await run())
      await end?.()
    }
    const time = exponent(
      taken.map(({ seconds }) => seconds),
      start.seconds,
      LEAST.seconds,
    )
    const memory = exponent(
      taken.map(({ peakMiB }) => peakMiB ?? 0),
      start.peakMiB ?? 0,
      LEAST.peakMiB,
    )
    const last = taken.at(-1) as Taken
    isSteep ||= (time ?? 0) > GOAL
    const shown = (power: number | null) => (power === null ? 'not' : `n^${power.toFixed(2)}`)
    const cells = [what, `${last.seconds.toFixed(2)} s`, shown(time), `${last.peakMiB?.toFixed(0)} MiB`, shown(memory)]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
process.exitCode = isSteep ? 1 : 0
