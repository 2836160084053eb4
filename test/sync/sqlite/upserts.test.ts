import { expect, test } from 'vitest'
import type { SyncRecord } from '../../../src/sync/record.ts'
import { booking, freshDatabase, HOLD, held, NOTE, query, recordsOf, sync, targetAt } from './copies.ts'

const NONE = { added: 0, changed: 0, unchanged: 0 }

test('records that are new, changed and unchanged are told apart and kept once', async () => {
  const path = freshDatabase()
  expect(await sync(path, 'bookings', [booking('A', 1), booking('B', 1)])).toEqual({ ...NONE, added: 2 })
  const next = [booking('A', 1), booking('B', 2, { people: 5 }), booking('C', 2)]
  expect(await sync(path, 'bookings', next)).toEqual({ added: 1, changed: 1, unchanged: 1 })
  expect(query(path, 'SELECT id, people FROM bookings ORDER BY id')).toEqual([
    { id: 'A', people: null },
    { id: 'B', people: 5 },
    { id: 'C', people: null },
  ])
})

test('an older version never replaces a newer one, in one commit or over two', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 5, { people: 5 }), booking('A', 3, { people: 3 })])
  expect(await sync(path, 'bookings', [booking('A', 4, { people: 4 })])).toEqual({ ...NONE, unchanged: 1 })
  expect(query(path, 'SELECT people FROM bookings')).toEqual([{ people: 5 }])
  expect(await sync(path, 'bookings', [booking('A', 6, { people: 6 })])).toEqual({ ...NONE, changed: 1 })
  expect(query(path, 'SELECT people FROM bookings')).toEqual([{ people: 6 }])
})

test('a record without a date of change is compared by content', async () => {
  const path = freshDatabase()
  const one = { bookingId: 'A', people: 1 }
  expect(await sync(path, 'bookings', [one, one])).toEqual({ ...NONE, added: 1, unchanged: 1 })
  expect(await sync(path, 'bookings', [one])).toEqual({ ...NONE, unchanged: 1 })
  expect(await sync(path, 'bookings', [{ ...one, people: 2 }])).toEqual({ ...NONE, changed: 1 })
  expect(await sync(path, 'bookings', [{ people: 9 }, { people: 9 }])).toEqual({ ...NONE, added: 1, unchanged: 1 })
})

test('what a booking lists is replaced with it, and an unchanged one leaves it alone', async () => {
  const path = freshDatabase()
  const tables = (...names: string[]) => ({ tables: names.map((tableName) => ({ tableName })) })
  const list = () => query(path, 'SELECT booking_id, table_name FROM booking_tables ORDER BY booking_id, position')
  await sync(path, 'bookings', [booking('A', 1, tables('T1', 'T2')), booking('B', 1, tables('T1'))])
  await sync(path, 'bookings', [booking('A', 2, tables('T3')), booking('B', 1, tables('T9'))])
  expect(list()).toEqual([
    { booking_id: 'A', table_name: 'T3' },
    { booking_id: 'B', table_name: 'T1' },
  ])
  const copy = await held(path)
  await copy.remove?.(['A'])
  expect(list()).toEqual([{ booking_id: 'B', table_name: 'T1' }])
})

test('a sale that is linked to two bookings shows as two rows, and each can be taken out', async () => {
  const path = freshDatabase()
  const sale = (bookingId: string | undefined, total: number) => ({
    bookingId,
    saleDetail: { transactionId: 'S/1', total },
    lastModifiedDate: '2026-11-22T04:00:00Z',
  })
  await sync(path, 'sales', [sale('BK-1', 10), sale('BK-2', 10), sale(undefined, 10)])
  // The date is that of the booking: a sale that changed has the same.
  expect(await sync(path, 'sales', [sale('BK-1', 12)])).toEqual({ ...NONE, changed: 1 })
  const copy = await held(path, 'sales')
  const [first] = recordsOf('sales', [sale('BK-2', 10)]) as [SyncRecord]
  await copy.remove?.([first.id ?? ''])
  expect(query(path, 'SELECT id, booking_id, total_cents FROM sales ORDER BY booking_id')).toEqual([
    { id: 'S/1', booking_id: '', total_cents: 1000 },
    { id: 'S/1', booking_id: 'BK-1', total_cents: 1200 },
  ])
})

test('two venues share a file, each with its own records and cursor', async () => {
  const path = freshDatabase()
  for (const [at, source] of ['north', 'south'].entries()) {
    const copy = await (await targetAt(path, 'bookings', source)).hold(HOLD)
    await copy.add(recordsOf('bookings', [booking('A', 1, { people: at })]))
    await copy.commit(1000 + at, NOTE)
    await copy.close()
  }
  expect(query(path, 'SELECT source, people FROM bookings ORDER BY source')).toEqual([
    { source: 'north', people: 0 },
    { source: 'south', people: 1 },
  ])
  expect(await (await targetAt(path, 'bookings', 'south')).state()).toMatchObject({ cursorMs: 1001, rows: 1 })
})

test('the cursor comes with the data, never moves back, and is forgotten by a reset that keeps the records', async () => {
  const path = freshDatabase()
  const target = await targetAt(path)
  expect(await target.state()).toBeNull()
  const copy = await held(path)
  expect(copy).toMatchObject({ cursorMs: null, memo: null })
  expect(await target.state()).toMatchObject({ cursorMs: null, lastRun: null, rows: 0 })
  await copy.add(recordsOf('bookings', [booking('A', 1)]))
  expect(await target.state()).toMatchObject({ cursorMs: null, rows: 0 })
  await copy.commit(5000, { ...NOTE, memo: 'next' })
  await copy.commit(4000, { ...NOTE, requests: 7, before: { added: 1, changed: 0, unchanged: 2 } })
  expect(copy).toMatchObject({ cursorMs: 5000, memo: '{}' })
  const holder = { who: `process ${process.pid} (bookings sync)`, since: expect.any(String) }
  const lastRun = { startedMs: NOTE.startedMs, requests: 7, added: 1, changed: 0, unchanged: 2 }
  expect(await target.state()).toEqual({
    source: 'venue',
    resource: 'bookings',
    cursorMs: 5000,
    memo: '{}',
    rows: 1,
    lastRun,
    holder,
  })
  await copy.close()
  expect(await held(path, 'bookings', { reset: true })).toMatchObject({ cursorMs: null, memo: null })
  expect(await target.state()).toMatchObject({ cursorMs: null, rows: 1 })
})

test('what was added and not committed is dropped', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 1)])
  const copy = await held(path)
  const large = 'x'.repeat(9_000_000)
  await copy.add(recordsOf('bookings', [booking('A', 2, { notes: large }), booking('B', 1)]))
  await copy.close()
  expect(query(path, 'SELECT id, length(raw) < 100 AS isOld FROM bookings')).toEqual([{ id: 'A', isOld: 1 }])
})

test('the copy gives back what the service sent, byte for byte, in batches', async () => {
  const path = freshDatabase()
  const texts = Array.from(
    { length: 1203 },
    (_, n) => `{"bookingId":"BK-${n}","amount":1.10,"big":12345678901234567890,"odd":"\\u0000\\ud800 é"}`,
  )
  const copy = await held(path)
  const records = texts.map((text) => ({ ...recordsOf('bookings', [JSON.parse(text)])[0], text }) as SyncRecord)
  await copy.add(records)
  await copy.commit(1, NOTE)
  const read: SyncRecord[] = []
  for await (const batch of (await targetAt(path)).records()) read.push(...batch)
  expect(read.map(({ text }) => text).sort()).toEqual(texts.sort())
  expect(read.map(({ id }) => id).sort()).toEqual(records.map(({ id }) => id).sort())
})
