import { expect, onTestFinished, test } from 'vitest'
import { runPartner } from '../../support/partner.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { booking, freshDatabase, HOLD, held, NOTE, query, recordsOf, targetAt } from './copies.ts'

const venue = await venueOfThisFile()
const RESOURCES = ['bookings', 'customers', 'sales', 'giftcards'] as const

test('all resources can be synced into one new file at the same time', async () => {
  const path = freshDatabase()
  const runs = await Promise.all(
    RESOURCES.map((resource) => venue.run(resource, 'sync', '--to', path, '--source', 'venue')),
  )
  for (const { code, stdout, stderr } of runs) expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '' })
  for (const resource of RESOURCES) {
    const state = await (await targetAt(path, resource)).state()
    expect(state, resource).toMatchObject({ holder: null, cursorMs: expect.any(Number) })
    expect(state?.rows, resource).toBe(state?.lastRun?.added)
    expect(state?.rows, resource).toBeGreaterThan(5)
  }
  expect(query(path, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
})

test('if the uncommitted records of a copy do not fit in memory, other copies wait for its commit', async () => {
  const path = freshDatabase()
  const bookings = await held(path)
  const customers = await held(path, 'customers')
  await bookings.add(recordsOf('bookings', [booking('A', 1, { notes: 'x'.repeat(9_000_000) })]))
  await customers.add(recordsOf('customers', [{ id: 'C' }]))
  const waiting = customers.commit(2000, NOTE)
  await bookings.commit(1000, NOTE)
  expect(await waiting).toMatchObject({ added: 1 })
  expect(
    query(path, 'SELECT (SELECT count(*) FROM bookings) AS bookings, count(*) AS customers FROM customers'),
  ).toEqual([{ bookings: 1, customers: 1 }])
})

test('a venue whose records do not fit in memory does not block other venues in the same process', async () => {
  const path = freshDatabase()
  const hold = async (source: string) => {
    const copy = await (await targetAt(path, 'bookings', source, true)).hold(HOLD)
    onTestFinished(() => copy.close())
    return copy
  }
  const [reading, other] = [await hold('reading'), await hold('other')]
  const large = (id: string) => recordsOf('bookings', [booking(id, 1, { notes: 'x'.repeat(3_000_000) })])
  for (const id of ['A', 'B', 'C']) await reading.add(large(id))
  await reading.add(recordsOf('bookings', [booking('D', 1), booking('A', 2)]))
  await other.add(large('A'))
  expect(await other.commit(2000, NOTE)).toEqual({ added: 1, changed: 0, unchanged: 0 })
  expect(await reading.commit(1000, NOTE)).toEqual({ added: 4, changed: 1, unchanged: 0 })
  await reading.finish?.()
  await reading.add(large('E'))
  expect(await reading.commit(3000, NOTE)).toEqual({ added: 1, changed: 0, unchanged: 0 })
  expect(query(path, 'SELECT source, count(*) AS n FROM bookings GROUP BY source ORDER BY source')).toEqual([
    { source: 'other', n: 1 },
    { source: 'reading', n: 5 },
  ])
})

test('a commit that is waiting for another writer fails when it is aborted', async () => {
  const path = freshDatabase()
  const bookings = await held(path)
  await bookings.add(recordsOf('bookings', [booking('A', 1, { notes: 'x'.repeat(9_000_000) })]))
  const stop = new AbortController()
  const waiting = (await held(path, 'customers', { signal: stop.signal })).commit(2000, NOTE)
  const why = new Error('Ctrl-C')
  stop.abort(why)
  await expect(waiting).rejects.toBe(why)
})

test('a second run on the same copy exits with code 12 and names the first run, but other copies can be synced', async () => {
  const path = freshDatabase()
  await held(path)
  const second = await venue.run('bookings', 'sync', '--to', path, '--source', 'venue')
  expect(second).toMatchObject({ code: 12, stdout: '' })
  expect(second.stderr).toContain(`process ${process.pid} (bookings sync`)
  expect(await venue.run('giftcards', 'sync', '--to', path, '--source', 'venue')).toMatchObject({ code: 0 })
  expect(await venue.run('bookings', 'sync', '--to', path, '--source', 'other/venue')).toMatchObject({ code: 0 })
})

test('a run with --standby names the holder of a SQLite copy and takes over when the holder exits', async () => {
  const path = freshDatabase()
  const first = await held(path)
  const lines: string[] = []
  const say = async (line: string) => {
    lines.push(line)
    await first.close()
  }
  const second = await (await targetAt(path)).hold({ ...HOLD, standby: true, say })
  await second.close()
  expect(lines).toEqual([expect.stringContaining(`process ${process.pid}`)])
})

test('a SQLite copy contains every record from the sandbox exactly as it was sent', async () => {
  const path = freshDatabase()
  const env = { ...venue.env, PARTNER_DATA_DIR: undefined }
  for (const resource of RESOURCES) {
    const done = await runPartner([resource, 'sync', '--to', path, '--source', 'venue'], { env })
    expect(done, done.stderr).toMatchObject({ code: 0 })
  }
  const changed = 'UpdatedFromDate=2000-01-01T00:00:00.000Z&UpdatedToDate=2100-01-01T00:00:00.000Z'
  const days = 'StartDate=2000-01-01T00:00:00.000Z&EndDate=2100-01-01T00:00:00.000Z'
  for (const [table, target, member] of [
    ['bookings', `/Bookings?${changed}`, 'bookings'],
    ['customers', '/Customers?Limit=100000', 'items'],
    ['sales', `/Sales?${days}&Limit=100000`, 'items'],
    ['gift_cards', '/GiftCards?IncludeCancelled=true&IncludeRedeemed=true&IncludeExpired=true&Limit=100000', 'items'],
  ] as const) {
    const answer = await fetch(venue.sandbox.baseUrl + target, { headers: { 'x-api-key': venue.sandbox.apiKey } })
    const sent: unknown[] = JSON.parse(await answer.text())[member]
    expect(sent.length, table).toBeGreaterThan(5)
    const raw = query(path, `SELECT raw FROM ${table}`).map((row) => String(row['raw']))
    expect(raw.sort(), table).toEqual(sent.map((record) => JSON.stringify(record)).sort())
  }
})
