import { expect, test } from 'vitest'
import { chance } from '../../money/chance.ts'
import { freshHome, type Run, type Running } from '../../support/partner.ts'
import { answers, RAW_KEY, startRawServer } from '../../support/raw-server.ts'
import { startPartner } from '../../support/running.ts'
import { type Blow, countKills, NO_BLOW, runUntilStep } from '../../support/step-killer.ts'
import { freshDatabase, query } from './copies.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 6)
const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_122)
const SINCE = Date.UTC(2026, 9, 1)
const HOUR_MS = 3_600_000

/** The service's records. The busiest window has more records than a sync keeps in memory before it commits. */
const BOOKINGS = Array.from({ length: 12_000 }, (_, n) => {
  const changedMs = SINCE + (n < 10_000 ? 9 * 24 * HOUR_MS + n * 1000 : (n - 10_000) * 0.5 * HOUR_MS)
  const text = JSON.stringify({
    bookingId: `BK-${(n * 7919) % 12_007}`,
    lastModifiedDate: new Date(changedMs).toISOString(),
    bookingTime: '2026-11-22T18:30:00',
    people: 1 + (n % 9),
    tables: [{ tableName: `T${n % 30}` }],
    notes: 'a window table, please; '.repeat(40),
  })
  return { changedMs, text }
})

function bodyFor(target: string): string {
  const { searchParams } = new URL(target, 'http://service.example')
  const [from, to] = ['UpdatedFromDate', 'UpdatedToDate'].map((name) => Date.parse(searchParams.get(name) ?? ''))
  const found = BOOKINGS.filter(({ changedMs }) => changedMs >= (from ?? 0) && changedMs <= (to ?? 0))
  return `{"count":${found.length},"bookings":[${found.map(({ text }) => text).join(',')}]}`
}

const dated = () => ({ date: new Date().toUTCString(), 'content-type': 'application/json' })

const argsFor = (path: string) => ['bookings', 'sync', '--to', path, '--source', 'venue', '--since', '2026-10-01']
const envFor = (baseUrl: string) => ({ ...freshHome(), PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: RAW_KEY })

/** Returns the parts of a copy that do not depend on when it was synced: bookings, their tables and the schema. */
function contentOf(path: string) {
  const parts = ['bookings ORDER BY id', 'booking_tables ORDER BY booking_id, position', 'sqlite_schema ORDER BY name']
  return parts.map((what) => query(path, `SELECT * FROM ${what}`).map(({ rootpage, ...row }) => row))
}

/** Kills a run during its n-th request, after the given share of the response has been sent. */
async function killDuringResponse(
  path: string,
  fatal: number,
  share: number,
): Promise<Run & { readonly hasSent: boolean }> {
  let run: Running | undefined
  const server = await startRawServer((request, earlier) => (socket) => {
    const body = bodyFor(request.target)
    if (earlier.length !== fatal) return answers(200, body, dated())(socket, request)
    const head = `HTTP/1.1 200 OK\r\ndate: ${dated().date}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
    socket.write(head + body.slice(0, Math.floor(body.length * share)), () => run?.process.kill('SIGKILL'))
  })
  run = startPartner(argsFor(path), { env: envFor(server.baseUrl) })
  return { ...(await run.ended), hasSent: true }
}

/** Runs a sync that kills itself at the given step, or never by default. */
async function runSync(path: string, blow = NO_BLOW) {
  const server = await startRawServer((request) => answers(200, bodyFor(request.target), dated()))
  const run = await runUntilStep(argsFor(path), envFor(server.baseUrl), blow)
  return { run, requests: server.requests.length }
}

async function syncWhole(path: string) {
  const { run, requests } = await runSync(path)
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return { requests, steps: run.steps }
}

test(`after each of ${KILLS} kills, the next run completes the copy`, {
  timeout: 120_000 + KILLS * 20_000,
}, async ({ annotate }) => {
  const undisturbed = freshDatabase()
  const { requests, steps } = await syncWhole(undisturbed)
  const content = contentOf(undisturbed)
  expect(content[0]).toHaveLength(BOOKINGS.length)
  const luck = chance(SEED)
  const count = countKills()
  for (let kill = 0; kill < KILLS; kill++) {
    const path = freshDatabase()
    // Half of the kills during a request occur in the second window, which has the most records.
    const [fatal, share] = [luck.happens(0.5) ? 1 : luck.integer(0, requests - 1), luck.next()]
    const blow: Blow = { at: luck.integer(1, steps), how: luck.pick(['before', 'after']) }
    const isStep = kill % 3 === 2
    count.add(await (isStep ? runSync(path, blow).then(({ run }) => run) : killDuringResponse(path, fatal, share)))
    await syncWhole(path)
    const what = isStep ? `${blow.how} step ${blow.at} of ${steps}` : `request ${fatal}, ${share} of it`
    expect(contentOf(path), what).toEqual(content)
    expect(query(path, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  }
  await annotate(count.expectMost('syncs to SQLite'))
})
