import { expect, test } from 'vitest'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { needs } from '../../support/needs.ts'
import { POSTGRES, postgresServer } from '../../support/postgres.ts'
import { all, booking, hold, minute, NOTE, open } from './copies.ts'

needs(POSTGRES)
const server = postgresServer()

test('nothing is there before the first sync, and nothing is made by looking', async () => {
  const url = await server.database()
  const target = await open(url)
  expect(await target.state()).toBeNull()
  expect(await all(target)).toEqual([])
  expect(await server.query(url, `SELECT to_regclass('sync_state') AS is_there`)).toEqual([{ is_there: null }])
})

test('records and cursor come together with a commit; the next hold goes on from there', async () => {
  const url = await server.database()
  const first = await hold(url)
  expect(first.copy).toMatchObject({ cursorMs: null, memo: null })
  await first.copy.add([booking('B-1', 1), booking('B-2', 2)])
  expect(await all(first.target)).toEqual([])
  expect(await first.copy.commit(minute(5), NOTE)).toEqual({ added: 2, changed: 0, unchanged: 0 })
  expect(await first.target.state()).toMatchObject({
    source: 'venue',
    resource: 'bookings',
    cursorMs: minute(5),
    rows: 2,
    lastRun: { startedMs: NOTE.startedMs, requests: 1, added: 2, changed: 0, unchanged: 0 },
    holder: { who: expect.stringMatching(/^process \d+ on .+ \(bookings sync\)$/) },
  })
  await first.copy.close()
  expect(await first.target.state()).toMatchObject({ holder: null })

  const second = await hold(url)
  expect(second.copy).toMatchObject({ cursorMs: minute(5), memo: 'memo' })
  await second.copy.add([booking('B-1', 1), booking('B-2', 6, { people: 5, tables: [] }), booking('B-3', 7)])
  expect(await second.copy.commit(minute(8), NOTE)).toEqual({ added: 1, changed: 1, unchanged: 1 })
  expect(await server.query(url, 'SELECT id, people, booking_time_utc FROM bookings ORDER BY id')).toMatchObject([
    { id: 'B-1', people: '2', booking_time_utc: expect.stringContaining('08:30:00') },
    { id: 'B-2', people: '5' },
    { id: 'B-3', people: '2' },
  ])
  expect(await server.query(url, 'SELECT booking_id FROM booking_tables ORDER BY 1')).toEqual([
    { booking_id: 'B-1' },
    { booking_id: 'B-3' },
  ])
})

test('an older version never replaces a newer one, in one batch or in two; a cursor never moves back', async () => {
  const url = await server.database()
  const { copy, target } = await hold(url)
  await copy.add([booking('B-1', 1), booking('B-1', 9, { people: 9 }), booking('B-1', 5, { people: 5 })])
  expect(await copy.commit(minute(10), NOTE)).toEqual({ added: 1, changed: 1, unchanged: 1 })
  await copy.add([booking('B-1', 8, { people: 8 })])
  expect(await copy.commit(minute(3), NOTE)).toEqual({ added: 0, changed: 0, unchanged: 1 })
  expect(await server.query(url, 'SELECT people FROM bookings')).toEqual([{ people: '9' }])
  expect(copy.cursorMs).toBe(minute(10))
  expect(await target.state()).toMatchObject({ cursorMs: minute(10) })
})

test('what was added and not committed is dropped with the hold', async () => {
  const url = await server.database()
  const { copy, target } = await hold(url)
  await copy.add(Array.from({ length: 2500 }, (_, at) => booking(`B-${at}`, at)))
  await copy.close()
  expect(await target.state()).toMatchObject({ cursorMs: null, rows: 0, lastRun: null })
})

test('thousands of records come and go in batches, in the order of their keys, with the versions that they came with', async () => {
  const url = await server.database()
  const { copy, target } = await hold(url)
  const records = Array.from({ length: 3210 }, (_, at) => booking(`B-${String(at).padStart(5, '0')}`, at))
  await copy.add(records)
  expect(await copy.commit(minute(9000), NOTE)).toEqual({ added: 3210, changed: 0, unchanged: 0 })
  const back = await all(target)
  expect(back.map(({ version }) => version)).toEqual(records.map(({ version }) => version))
  expect(back.map(({ text }) => JSON.parse(text))).toEqual(records.map(({ text }) => JSON.parse(text)))
})

test('a record without a date, and a sale, keep the version that their content makes', async () => {
  const url = await server.database()
  const bookings = await hold(url)
  const undated = [booking('B-1', 1, { lastModifiedDate: null }), booking('', 1)]
  await bookings.copy.add(undated)
  expect(await bookings.copy.commit(minute(1), NOTE)).toEqual({ added: 2, changed: 0, unchanged: 0 })
  await bookings.copy.add(undated)
  expect(await bookings.copy.commit(minute(1), NOTE)).toEqual({ added: 0, changed: 0, unchanged: 2 })
  const versions = (await all(bookings.target)).map(({ version }) => version)
  expect(versions.sort()).toEqual(undated.map(({ version }) => version).sort())

  const sales = await hold(url, { resource: 'sales' })
  const sale = (bookingId: string, total: number) =>
    toSyncRecord(JSON.stringify({ bookingId, saleDetail: { transactionId: 'S/1', total } }), RESOURCES.sales)
  await sales.copy.add([sale('B-1', 10), sale('B-2', 10), sale('B-1', 12)])
  expect(await sales.copy.commit(minute(1), NOTE)).toEqual({ added: 2, changed: 1, unchanged: 0 })
  expect(await server.query(url, 'SELECT id, booking_id, total_cents FROM sales ORDER BY 2')).toEqual([
    { id: 'S/1', booking_id: 'B-1', total_cents: '1200' },
    { id: 'S/1', booking_id: 'B-2', total_cents: '1000' },
  ])
  await sales.copy.remove?.(['S/1/B-1'])
  expect((await all(sales.target)).map(({ id }) => id)).toEqual(['S/1/B-2'])
})

test('records are taken out with what belongs to them', async () => {
  const url = await server.database()
  const { copy, target } = await hold(url)
  await copy.add([booking('B-1', 1), booking("B-'2", 2)])
  await copy.commit(minute(5), NOTE)
  await copy.remove?.(["B-'2", 'B-9'])
  expect((await all(target)).map(({ id }) => id)).toEqual(['B-1'])
  expect(await server.query(url, 'SELECT booking_id FROM booking_tables')).toEqual([{ booking_id: 'B-1' }])
})

test('what jsonb cannot hold is stored as U+FFFD, and said once', async () => {
  const url = await server.database()
  const { copy, said } = await hold(url)
  const odd = (id: string, notes: string) => {
    const { text } = booking(id, 1, { notes: 'NOTES' })
    return toSyncRecord(text.replace('NOTES', notes), RESOURCES.bookings)
  }
  await copy.add([
    odd('B-1', '\\u0000 \\ud83d\\ude00 \\ud83d \\\\u0000 \\ude00\\ud83d'),
    odd('B-2', '\ud83d'),
    odd('B-3', 'it\'s {\\"a\\", b} \\\\ \\n é😀'),
  ])
  await copy.commit(minute(5), NOTE)
  expect(await server.query(url, `SELECT notes, raw->>'notes' AS raw FROM bookings ORDER BY id`)).toEqual(
    ['\ufffd 😀 \ufffd \\u0000 \ufffd\ufffd', '\ufffd', 'it\'s {"a", b} \\ \n é😀'].map((notes) => ({
      notes,
      raw: notes,
    })),
  )
  expect(said).toEqual([expect.stringMatching(/^warning: B-1 has text that PostgreSQL cannot hold .*U\+FFFD/)])
})

test('two sources and two resources in one database do not know of each other', async () => {
  const url = await server.database()
  const here = await hold(url, { source: "O'Brien's" })
  const there = await hold(url, { source: 'there' })
  const customers = await hold(url, { source: 'there', resource: 'customers' })
  await here.copy.add([booking('B-1', 1)])
  await there.copy.add([booking('B-1', 2, { people: 7 })])
  await here.copy.commit(minute(1), NOTE)
  await there.copy.commit(minute(2), NOTE)
  expect(await here.target.state()).toMatchObject({ cursorMs: minute(1), rows: 1 })
  expect(await there.target.state()).toMatchObject({ cursorMs: minute(2), rows: 1 })
  expect(await customers.target.state()).toMatchObject({ cursorMs: null, rows: 0 })
  expect(await server.query(url, 'SELECT source, people FROM bookings ORDER BY 1')).toEqual([
    { source: "O'Brien's", people: '2' },
    { source: 'there', people: '7' },
  ])
})

test('--reset forgets the cursor and keeps the rows', async () => {
  const url = await server.database()
  const first = await hold(url)
  await first.copy.add([booking('B-1', 1)])
  await first.copy.commit(minute(5), NOTE)
  await first.copy.close()
  const again = await hold(url, { reset: true })
  expect(again.copy).toMatchObject({ cursorMs: null, memo: null })
  expect(await again.target.state()).toMatchObject({ rows: 1 })
})

test('local times become instants of the venue’s zone when it becomes known, also those that are there already', async () => {
  const url = await server.database()
  const unknown = await hold(url, { timezone: null })
  await unknown.copy.add([booking('B-1', 1), booking('B-2', 1, { bookingTime: '2026-04-05T02:30:00' })])
  await unknown.copy.add([booking('B-3', 1, { bookingTime: null })])
  await unknown.copy.commit(minute(1), NOTE)
  await unknown.copy.close()
  const instants = () => server.query(url, 'SELECT booking_time_utc AS utc FROM bookings ORDER BY id')
  expect(await instants()).toEqual([{ utc: null }, { utc: null }, { utc: null }])
  const { copy } = await hold(url, { timezone: 'Australia/Sydney' })
  await copy.close()
  expect(await instants()).toEqual([
    { utc: expect.stringContaining('2026-11-22 08:30:00') },
    // The first of the two, as the clock is set back in this hour.
    { utc: expect.stringContaining('2026-04-04 15:30:00') },
    { utc: null },
  ])
})
