import { expect, test } from 'vitest'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { all, booking, hold, minute, NOTE, open } from '../postgres/copies.ts'
import { describeDatabases } from './kinds.ts'

const NONE = { added: 0, changed: 0, unchanged: 0 }

describeDatabases('a copy', ({ fresh, query, isUntouched }) => {
  async function sync(
    to: string,
    records: readonly ReturnType<typeof booking>[],
    given: Parameters<typeof hold>[1] = {},
  ) {
    const { copy } = await hold(to, given)
    await copy.add(records)
    const done = await copy.commit(minute(5), NOTE)
    await copy.close()
    return done
  }

  test('reading a database before the first sync finds no copy and does not change the database', async () => {
    const to = await fresh()
    const target = await open(to)
    expect(await target.state()).toBeNull()
    expect(await all(target)).toEqual([])
    expect(await isUntouched(to)).toBe(true)
  })

  test('a commit stores the records and the cursor together, and the next run continues from there', async () => {
    const to = await fresh()
    const first = await hold(to)
    expect(first.copy).toMatchObject({ cursorMs: null, memo: null })
    expect(await first.target.state()).toMatchObject({ cursorMs: null, lastRun: null, rows: 0 })
    await first.copy.add([booking('B-1', 1), booking('B-2', 2)])
    expect(await all(first.target)).toEqual([])
    expect(await first.copy.commit(minute(5), NOTE)).toEqual({ ...NONE, added: 2 })
    expect(await first.target.state()).toEqual({
      source: 'venue',
      resource: 'bookings',
      cursorMs: minute(5),
      memo: 'memo',
      rows: 2,
      lastRun: { startedMs: NOTE.startedMs, requests: 1, added: 2, changed: 0, unchanged: 0 },
      holder: { who: expect.stringMatching(/^process \d+ .*\(bookings sync\)$/), since: expect.any(String) },
    })
    await first.copy.close()
    expect(await first.target.state()).toMatchObject({ holder: null })

    const second = await hold(to)
    expect(second.copy).toMatchObject({ cursorMs: minute(5), memo: 'memo' })
    await second.copy.add([booking('B-1', 1), booking('B-2', 6, { people: 5 }), booking('B-3', 7)])
    const note = { ...NOTE, memo: 'next', requests: 7, before: { added: 1, changed: 0, unchanged: 2 } }
    expect(await second.copy.commit(minute(8), note)).toEqual({ added: 1, changed: 1, unchanged: 1 })
    expect(second.copy).toMatchObject({ cursorMs: minute(8), memo: 'next' })
    const lastRun = { startedMs: NOTE.startedMs, requests: 7, added: 2, changed: 1, unchanged: 3 }
    expect(await second.target.state()).toMatchObject({ rows: 3, lastRun })
    expect(await query(to, 'SELECT id, people FROM bookings ORDER BY id')).toEqual([
      { id: 'B-1', people: '2' },
      { id: 'B-2', people: '5' },
      { id: 'B-3', people: '2' },
    ])
  })

  test('a database copy never replaces a newer version with an older one and never moves its cursor back', async () => {
    const to = await fresh()
    const { copy, target } = await hold(to)
    await copy.add([booking('B-1', 1), booking('B-1', 9, { people: 9 }), booking('B-1', 5, { people: 5 })])
    expect(await copy.commit(minute(10), NOTE)).toEqual({ added: 1, changed: 1, unchanged: 1 })
    await copy.add([booking('B-1', 8, { people: 8 })])
    expect(await copy.commit(minute(3), NOTE)).toEqual({ ...NONE, unchanged: 1 })
    expect(await query(to, 'SELECT people FROM bookings')).toEqual([{ people: '9' }])
    expect(copy.cursorMs).toBe(minute(10))
    expect(await target.state()).toMatchObject({ cursorMs: minute(10) })
    await copy.add([booking('B-1', 11, { people: 6 })])
    expect(await copy.commit(minute(12), NOTE)).toEqual({ ...NONE, changed: 1 })
    expect(await query(to, 'SELECT people FROM bookings')).toEqual([{ people: '6' }])
  })

  test('closing a copy discards records that were added but not committed', async () => {
    const to = await fresh()
    await sync(to, [booking('B-0', 1)])
    const { copy, target } = await hold(to)
    const notes = 'x'.repeat(4000)
    await copy.add(Array.from({ length: 2500 }, (_, at) => booking(`B-${at}`, at + 2, { notes })))
    await copy.close()
    expect(await target.state()).toMatchObject({ cursorMs: minute(5), rows: 1 })
    expect(await query(to, 'SELECT id FROM bookings WHERE notes IS NULL')).toEqual([{ id: 'B-0' }])
  })

  test('a database copy returns thousands of records in key order together with their versions', async () => {
    const to = await fresh()
    const records = Array.from({ length: 3210 }, (_, at) => booking(`B-${String(at).padStart(5, '0')}`, at))
    expect(await sync(to, records)).toEqual({ ...NONE, added: 3210 })
    const back = await all(await open(to))
    expect(back.map(({ id, version }) => [id, version])).toEqual(records.map(({ id, version }) => [id, version]))
    expect(back.map(({ text }) => JSON.parse(text))).toEqual(records.map(({ text }) => JSON.parse(text)))
  })

  test('records without a change date are compared by content in a database copy', async () => {
    const to = await fresh()
    const undated = [booking('B-1', 1, { lastModifiedDate: null }), booking('', 1)]
    expect(await sync(to, [...undated, ...undated])).toEqual({ added: 2, changed: 0, unchanged: 2 })
    expect(await sync(to, undated)).toEqual({ ...NONE, unchanged: 2 })
    const versions = (await all(await open(to))).map(({ version }) => version)
    expect(versions.sort()).toEqual(undated.map(({ version }) => version).sort())
    expect(await sync(to, [booking('B-1', 1, { lastModifiedDate: null, people: 9 })])).toEqual({ ...NONE, changed: 1 })
  })

  test("a booking's rows in booking_tables are replaced when the booking changes and deleted when it is removed", async () => {
    const to = await fresh()
    const tables = (...names: string[]) => ({ tables: names.map((tableName) => ({ tableName })) })
    const list = () => query(to, 'SELECT booking_id, table_name FROM booking_tables ORDER BY booking_id, position')
    await sync(to, [booking('A', 1, tables('T1', 'T2')), booking("B'", 1, tables('T1'))])
    await sync(to, [booking('A', 2, tables('T3')), booking("B'", 1, tables('T9'))])
    expect(await list()).toEqual([
      { booking_id: 'A', table_name: 'T3' },
      { booking_id: "B'", table_name: 'T1' },
    ])
    const { copy, target } = await hold(to)
    await copy.remove?.(["B'", 'B-9'])
    expect((await all(target)).map(({ id }) => id)).toEqual(['A'])
    expect(await list()).toEqual([{ booking_id: 'A', table_name: 'T3' }])
  })

  test('a sale linked to two bookings has two rows that can be removed separately', async () => {
    const to = await fresh()
    const sale = (bookingId: string | undefined, total: number) => {
      const sent = { bookingId, saleDetail: { transactionId: 'S/1', total }, lastModifiedDate: '2026-11-22T04:00:00Z' }
      return toSyncRecord(JSON.stringify(sent), RESOURCES.sales)
    }
    const { copy, target } = await hold(to, { resource: 'sales' })
    await copy.add([sale('B-1', 10), sale('B-2', 10), sale(undefined, 10)])
    expect(await copy.commit(minute(1), NOTE)).toEqual({ ...NONE, added: 3 })
    // A sale has the change date of its booking, so a sale can change without a new date.
    await copy.add([sale('B-1', 12)])
    expect(await copy.commit(minute(1), NOTE)).toEqual({ ...NONE, changed: 1 })
    await copy.remove?.(['S/1/B-2'])
    expect(await query(to, 'SELECT id, booking_id, total_cents FROM sales ORDER BY booking_id')).toEqual([
      { id: 'S/1', booking_id: '', total_cents: '1000' },
      { id: 'S/1', booking_id: 'B-1', total_cents: '1200' },
    ])
    expect((await all(target)).map(({ id }) => id)).toEqual(['S/1', 'S/1/B-1'])
  })

  test('copies of different sources and resources in one database do not affect each other', async () => {
    const to = await fresh()
    const [here, there] = [await hold(to, { source: "O'Brien's" }), await hold(to, { source: 'there' })]
    const customers = await hold(to, { source: 'there', resource: 'customers' })
    await here.copy.add([booking('B-1', 1)])
    await here.copy.commit(minute(1), NOTE)
    await there.copy.add([booking('B-1', 2, { people: 7 })])
    await there.copy.commit(minute(2), NOTE)
    expect(await here.target.state()).toMatchObject({ cursorMs: minute(1), rows: 1 })
    expect(await there.target.state()).toMatchObject({ cursorMs: minute(2), rows: 1 })
    expect(await customers.target.state()).toMatchObject({ cursorMs: null, rows: 0 })
    expect(await query(to, 'SELECT source, people FROM bookings ORDER BY 1')).toEqual([
      { source: "O'Brien's", people: '2' },
      { source: 'there', people: '7' },
    ])
  })

  test('resetting a database copy keeps its rows but clears its cursor', async () => {
    const to = await fresh()
    await sync(to, [booking('B-1', 1)])
    const again = await hold(to, { reset: true })
    expect(again.copy).toMatchObject({ cursorMs: null, memo: null })
    expect(await again.target.state()).toMatchObject({ cursorMs: null, rows: 1 })
  })

  test("local times are converted to instants again whenever the venue's time zone changes", async () => {
    const to = await fresh()
    // Clocks in Sydney are set back at 3:00 on that day, so 2:30 occurs twice. The copy uses the first occurrence.
    const twice = booking('B-2', 1, { bookingTime: '2026-04-05T02:30:00' })
    const instants: unknown[] = []
    for (const timezone of [null, 'Australia/Perth', 'Australia/Sydney', null]) {
      await sync(to, [booking('B-1', 1), twice, booking('B-3', 1, { bookingTime: null })], { timezone })
      const found = await query(to, 'SELECT booking_time_utc AS utc FROM bookings ORDER BY id')
      instants.push(found.map(({ utc }) => utc?.slice(0, 'yyyy-MM-dd HH:mm'.length).replace('T', ' ') ?? null))
    }
    const inSydney = ['2026-11-22 08:30', '2026-04-04 15:30', null]
    const inPerth = ['2026-11-22 11:30', '2026-04-04 18:30', null]
    expect(instants).toEqual([[null, null, null], inPerth, inSydney, inSydney])
  })
})
