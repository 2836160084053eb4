import { expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { freshHome, type Run, runPartner } from '../../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../../support/postgres.ts'
import { answers, type RawServer, startRawServer } from '../../support/raw-server.ts'
import { startPartner } from '../../support/running.ts'
import { until } from '../../support/until.ts'

needs(POSTGRES)
const server = postgresServer()

/** Starts a fake service that sends the same bookings in every response. */
function serving(bookings: readonly string[], date = 'Fri, 20 Nov 2026 12:00:00 GMT'): Promise<RawServer> {
  return startRawServer(() =>
    answers(200, `{"bookings":[${bookings.join()}]}`, { date, 'content-type': 'application/json' }),
  )
}

async function desk(url: string, bookings: readonly string[]) {
  const run = async (service: RawServer, ...words: readonly string[]): Promise<Run> => {
    const line = ['bookings', 'sync', ...words, '--to', url, '--source', 'city', '--since', '2026-11-01']
    const known = words[0] === undefined ? line : line.slice(0, -2)
    return runPartner(known, { env: { ...freshHome(), ...POSTGRES_ENV, ...service.env } })
  }
  const service = await serving(bookings)
  expect(await run(service)).toMatchObject({ code: 0 })
  return { run, service }
}

const booking = (id: string, more: string) =>
  `{"bookingId":"${id}","people":2,"lastModifiedDate":"2026-11-10T10:00:00.000Z",${more}}`

test('verify ignores differences caused only by how jsonb stores JSON', async () => {
  const odd = booking('A', '"z":1,"a":25.00,"b":1e2,"c":-0,"d":12345678901234567890.5,"notes":"\\u0000 \\ud800","n":{}')
  const { run, service } = await desk(await server.database(), [odd])
  expect(await run(service, 'verify')).toMatchObject({ code: 0, stdout: '' })
})

test('verify compares a copy in PostgreSQL, and --repair fixes it in a single commit', async () => {
  const url = await server.database()
  const [a, b, c] = ['A', 'B', 'C'].map((id) => booking(id, '"tables":[{"tableName":"T1"}]'))
  const { run } = await desk(url, [a ?? '', b ?? '', c ?? ''])
  const other = await serving([a ?? '', booking('B', '"tables":[{"tableName":"T2"}]'), booking('D', '"tables":[]')])
  const found = await run(other, 'verify', '--json')
  expect(found.code).toBe(11)
  const rows = JSON.parse(found.stdout).map(({ id, difference }: Record<string, string>) => `${id} ${difference}`)
  expect(rows.sort()).toEqual(['B stale', 'C extra', 'D missing'])
  expect(await run(other, 'verify', '--repair')).toMatchObject({ code: 0 })
  expect(await run(other, 'verify')).toMatchObject({ code: 0, stdout: '' })
  const present = await server.query(url, 'SELECT id FROM bookings ORDER BY id')
  expect(present).toEqual([{ id: 'A' }, { id: 'B' }, { id: 'D' }])
  const tables = await server.query(url, 'SELECT booking_id, table_name FROM booking_tables ORDER BY 1')
  expect(tables.map((row) => Object.values(row).join(' '))).toEqual(['A T1', 'B T2'])
  expect(await server.query(url, 'SELECT run_added, run_changed FROM sync_state')).toEqual([
    { run_added: '1', run_changed: '1' },
  ])
})

test('verify compares bookings with unusual JSON by content and all others by a hash from the server', async () => {
  const all = Array.from({ length: 1200 }, (_, at) => booking(`R${at}`, at % 10 === 0 ? '"a":1' : '"a":1e2,"a\\"":2'))
  const { run, service } = await desk(await server.database(), all)
  expect(await run(service, 'verify')).toMatchObject({ code: 0, stdout: '' })
  const stale = [7, 500, 510, 1199]
  const others = all.map((text, at) => (stale.includes(at) ? text.replace('"people":2', '"people":3') : text))
  const found = await run(await serving(others.filter((_, at) => at !== 4)), 'verify', '-o', 'ndjson')
  expect(found.stdout.match(/"(?:id|difference)":"\w+"/g)?.map((text) => text.split('"')[3])).toEqual(
    ['R7 stale', 'R500 stale', 'R510 stale', 'R1199 stale', 'R4 extra'].flatMap((line) => line.split(' ')),
  )
})

test('verify runs while a sync holds the copy, but verify --repair exits with code 12', async () => {
  const url = await server.database()
  const { run, service } = await desk(url, [booking('A', '"notes":""')])
  const line = ['bookings', 'sync', '--to', url, '--source', 'city', '--every', '1h']
  const sync = startPartner(line, { env: { ...freshHome(), ...POSTGRES_ENV, ...service.env }, isService: true })
  await until(() => sync.said.stderr.includes('unchanged'))
  expect(await run(service, 'verify')).toMatchObject({ code: 0 })
  expect(await run(service, 'verify', '--repair')).toMatchObject({ code: 12 })
  const status = await run(service, 'status', '--json')
  const held = { rows: 1, holder: { who: expect.stringContaining('bookings sync') } }
  expect(JSON.parse(status.stdout)).toMatchObject(held)
  sync.process.kill('SIGINT')
  await sync.ended
})

test('sync status and verify exit with code 8 if the server is unreachable, and with code 2 if the URL contains a password', async () => {
  const env = { ...freshHome(), ...POSTGRES_ENV, ...(await serving([])).env }
  for (const word of ['status', 'verify']) {
    const gone = ['bookings', 'sync', word, '--to', 'postgres://me@127.0.0.1:9/x', '--source', 'city']
    expect(await runPartner(gone, { env })).toMatchObject({ code: 8 })
  }
  for (const word of ['status', 'verify', 'unit']) {
    const line = ['bookings', 'sync', word, '--to', 'postgres://me:hunter2@127.0.0.1/x', '--source', 'city']
    const run = await runPartner(word === 'unit' ? [...line, '--profile', 'sandbox'] : line, { env })
    expect(run.code).toBe(2)
    expect(run.stdout + run.stderr).not.toContain('hunter2')
  }
})
