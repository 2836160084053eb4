import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDirectory } from '../../support/partner.ts'
import { answers, type RawServer, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { configureVenues } from '../../support/venues.ts'

/** Starts a venue that has one sale with the given total and one table with the given name. */
function venue(saleId: string, total: number, table: string): Promise<RawServer> {
  const sale = { bookingId: 'BK-1', saleDetail: { transactionId: saleId, transactionDateTime: AT, total } }
  const tables = [{ sectionName: 'Main', tables: [{ _id: `tbl-${table}`, name: table }] }]
  return startRawServer(({ target }) => {
    const { pathname, searchParams } = new URL(target, 'http://service')
    if (pathname.endsWith('/tables')) return answers(200, tables)
    const items = searchParams.get('StartIndex') === '0' ? [sale] : []
    return answers(200, { from: 0, to: items.length, length: items.length, items })
  })
}

const AT = '2026-11-20T10:40:00Z'

function closed(saleId: string, amount: number): string {
  return `${JSON.stringify({ origin: { saleId }, bookingId: 'BK-1', closedZonedDateTime: AT, total: { amount, currency: 'AUD' } })}\n`
}

async function twoVenues() {
  const [city, harbour] = [await venue('S-1', 12.5, 'T1'), await venue('S-1', 20, 'P1')]
  const { run } = configureVenues([
    { name: 'city', baseUrl: city.baseUrl },
    { name: 'harbour', baseUrl: harbour.baseUrl },
  ])
  const cwd = freshDirectory()
  return {
    ...{ city, harbour, cwd },
    write: (name: string, text: string) => writeFileSync(join(cwd, name), text),
    run: (...args: readonly string[]) => run([...args, '--profiles', 'all', '--jobs', '1'], { cwd }),
  }
}

test('sales reconcile --profiles compares each venue with its own file and writes a --fix file for each venue', async () => {
  const at = await twoVenues()
  at.write('closings-city.ndjson', closed('S-1', 1250))
  at.write('closings-harbour.ndjson', closed('S-1', 2000) + closed('S-2', 300))
  const reconcile = ['sales', 'reconcile', 'closings-{profile}.ndjson'] as const
  const run = await at.run(...reconcile, '--fix', 'missing-{profile}.ndjson', '--json')
  expect(run.code).toBe(11)
  expect(JSON.parse(run.stdout)).toMatchObject([
    { _profile: 'city', differences: [], totals: { pos: '12.50', service: '12.50' } },
    { _profile: 'harbour', differences: [{ kind: 'missing', saleId: 'S-2' }], totals: { difference: '3.00' } },
  ])
  expect(readFileSync(join(at.cwd, 'missing-harbour.ndjson'), 'utf8')).toBe(closed('S-2', 300))
  expect(existsSync(join(at.cwd, 'missing-city.ndjson'))).toBe(false)
  const table = await at.run(...reconcile)
  expect(table.stdout).toMatch(/^city +all +1 +12\.50 +12\.50 +0\.00$/m)
  expect(table.stderr).toMatch(/^city: the books agree: 1 sale, 12\.50/m)
  expect(table.stderr).toContain('harbour (exit 11): the books differ by 3.00: 1 missing')
})

test("sales reconcile --profiles suggests an import command that names the venue's profile", async () => {
  const at = await twoVenues()
  at.write('closings-city.ndjson', closed('S-1', 1250))
  at.write('closings-harbour.ndjson', closed('S-2', 300))
  const { stderr } = await at.run('sales', 'reconcile', 'closings-{profile}.ndjson', '--fix', 'fix-{profile}.ndjson')
  expect(stderr).toContain('partner sales import fix-harbour.ndjson --profile harbour\n')
  expect(stderr).toContain('partner sales import fix-harbour.ndjson --dry-run --profile harbour')
})

test("tables check --profiles checks each venue's own list of table names and writes a map for each venue", async () => {
  const at = await twoVenues()
  at.write('tables-city.csv', 't1\n')
  at.write('tables-harbour.csv', 'P1\n')
  const check = ['tables', 'check', 'tables-{profile}.csv', '--date', '2026-11-20'] as const
  const run = await at.run(...check, '--map-out', 'map-{profile}.csv', '--json')
  expect(run.code).toBe(11)
  expect(JSON.parse(run.stdout)).toMatchObject([
    { _profile: 'city', pos: 't1', service: 'T1', kind: 'spelling' },
    { _profile: 'harbour', pos: 'P1', service: 'P1', kind: 'same' },
  ])
  expect(readFileSync(join(at.cwd, 'map-city.csv'), 'utf8')).toBe('pos,service\nt1,T1\n')
  expect(readFileSync(join(at.cwd, 'map-harbour.csv'), 'utf8')).toBe('pos,service\nP1,P1\n')
})

test.each([
  ['sales reconcile closings.ndjson', 'FILE', 'such as closings-{profile}.ndjson'],
  ['sales reconcile -', 'FILE', 'such as closings-{profile}.ndjson'],
  ['sales reconcile closings-{profile}.ndjson --fix missing.ndjson', '--fix', 'such as missing-{profile}.ndjson'],
  ['tables check tables.csv', 'FILE', 'such as tables-{profile}.csv'],
  ['tables check tables-{profile}.csv --map-out map.csv', '--map-out', 'such as map-{profile}.csv'],
])('%s with --profiles reports a missing {profile} only once and sends no requests', async (line, what, next) => {
  const at = await twoVenues()
  for (const name of ['closings', 'closings-city', 'closings-harbour']) at.write(`${name}.ndjson`, closed('S-1', 1250))
  for (const name of ['tables', 'tables-city', 'tables-harbour']) at.write(`${name}.csv`, 'T1\n')
  const run = await at.run(...line.split(' '))
  expectRefusal(run, {
    code: 2,
    says: `${what} names a single file, but with --profiles each venue needs its own`,
    next,
  })
  expect(run.stderr.match(/needs its own/g)).toHaveLength(1)
  expect([...at.city.requests, ...at.harbour.requests]).toEqual([])
})
