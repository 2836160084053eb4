import { expect, test } from 'vitest'
import type { ResourceName } from '../../../src/sync/copy.ts'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { MAIN_TABLES, TABLES } from '../../../src/sync/tables/all.ts'
import { createStatements, filledColumns } from '../../../src/sync/tables/ddl.ts'
import { rowsOf } from '../../../src/sync/tables/rows.ts'
import type { Row, Table } from '../../../src/sync/tables/table.ts'
import { VenueClock } from '../../../src/sync/tables/venue-clock.ts'

const CLOCK = new VenueClock('Australia/Sydney')

const named = (table: Table, row: Row) =>
  Object.fromEntries(filledColumns(table).map(({ name }, at) => [name, row[at]]))

function rows(resource: ResourceName, text: string) {
  const table = MAIN_TABLES[resource]
  const { main, children } = rowsOf(resource, 'venue', toSyncRecord(text, RESOURCES[resource]), CLOCK)
  const lists = table.children.map((child, at) => [child.name, (children[at] ?? []).map((row) => named(child, row))])
  return { main: named(table, main), ...Object.fromEntries(lists) }
}

test('a booking is stored as one row, plus one row for each of its tables, tags, items and extras', () => {
  const booking = {
    bookingId: 'BK-1',
    bookingTime: '2026-11-22T18:30:00',
    bookedAt: '2026-11-01T00:00:00Z',
    people: 4,
    status: { statusType: 'standard', code: 'SEATED', name: 'Seated' },
    customer: { id: 'C-1', lastName: 'Núñez' },
    paymentSummary: { amount: 50.5, amountDue: 0, currencyCode: 'AUD' },
    lastModifiedDate: '2026-11-22T04:01:50.810Z',
    tables: [{ tableId: 't1', tableName: 'T1', sectionId: 's', sectionName: 'Main' }, { tableId: 't2' }],
    tags: [{ tagType: 'Occasion', name: 'Birthday' }],
    items: [
      { name: 'menu', price: 89, quantity: 2, extras: [{ name: 'wine', price: 35.5, quantity: 1 }] },
      { name: 'cake', price: 12.345 },
    ],
  }
  const made = rows('bookings', JSON.stringify(booking))
  expect(made.main).toMatchObject({
    source: 'venue',
    id: 'BK-1',
    booking_time: '2026-11-22T18:30:00',
    booking_time_utc: '2026-11-22T07:30:00.000Z',
    booked_at: '2026-11-01T00:00:00.000Z',
    people: 4,
    status_code: 'SEATED',
    customer_id: 'C-1',
    customer_last_name: 'Núñez',
    amount_cents: 5050,
    amount_due_cents: 0,
    amount_paid_cents: null,
    currency_code: 'AUD',
    last_modified: '2026-11-22T04:01:50.810Z',
    digest: null,
    raw: JSON.stringify(booking),
  })
  const keys = { source: 'venue', booking_id: 'BK-1' }
  expect(made['booking_tables']).toMatchObject([
    { ...keys, position: 0, table_id: 't1', table_name: 'T1', section_name: 'Main' },
    { ...keys, position: 1, table_id: 't2', table_name: null },
  ])
  expect(made['booking_tags']).toEqual([{ ...keys, position: 0, tag_type: 'Occasion', name: 'Birthday' }])
  expect(made['booking_items']).toMatchObject([
    { ...keys, position: 0, extra_of: null, name: 'menu', price_cents: 8900, quantity: 2 },
    { ...keys, position: 1, extra_of: 0, name: 'wine', price_cents: 3550, quantity: 1 },
    { ...keys, position: 2, extra_of: null, name: 'cake', price_cents: null, quantity: null },
  ])
})

test.each([
  ['bookings', '{}'],
  ['bookings', '[]'],
  ['bookings', 'null'],
  ['bookings', '"text"'],
  ['bookings', '{"bookingId":"B","customer":"a name","status":[],"tables":{},"items":[null,7,[]],"tags":"x"}'],
  ['bookings', '{"bookingId":"B","bookingTime":7,"people":"many","paymentSummary":{"amount":"free"}}'],
  ['customers', '{"id":null,"address":"12 Harbour Parade","birthdayDate":"1986-03-14","subscribed":"no"}'],
  ['sales', '{"saleDetail":null}'],
  ['giftcards', '{"cardNumber":12345,"amount":null}'],
] as const)('unusual %s such as %s are stored as valid rows', (resource, text) => {
  const { main, ...lists } = rows(resource, text)
  expect(main).toMatchObject({ source: 'venue', raw: text })
  for (const table of [MAIN_TABLES[resource], ...MAIN_TABLES[resource].children]) {
    const all = table === MAIN_TABLES[resource] ? [main] : (lists[table.name] ?? [])
    for (const row of all)
      for (const { name, required } of filledColumns(table)) if (required) expect(row[name], name).not.toBeNull()
  }
})

test('a record without an ID is stored only once, under a hash of its content', () => {
  const [one, again, other] = ['{"people":2}', '{"people":2}', '{"people":3}'].map(
    (text) => rows('bookings', text).main,
  )
  expect(one?.['id']).toBeTruthy()
  expect(again?.['id']).toBe(one?.['id'])
  expect(other?.['id']).not.toBe(one?.['id'])
})

test('a sale is stored under its own ID and the ID of its booking, which can be empty', () => {
  const text = '{"bookingId":"BK-1","saleDetail":{"transactionId":"S-1","total":169.5}}'
  expect(rows('sales', text).main).toMatchObject({ id: 'S-1', booking_id: 'BK-1', total_cents: 16_950 })
  expect(rows('sales', '{"saleDetail":{"transactionId":"S-2"}}').main).toMatchObject({ id: 'S-2', booking_id: '' })
})

test('two versions have different digests even if their change dates differ only in digits that a column does not store', () => {
  const version = (digits: string) =>
    rows('bookings', `{"bookingId":"B","lastModifiedDate":"2026-11-22T04:01:50.${digits}Z"}`).main
  expect(version('8101')['last_modified']).toBe(version('8102')['last_modified'])
  expect(version('8101')['digest']).not.toBe(version('8102')['digest'])
})

test('the names of tables, columns and indexes are unique and in snake_case', () => {
  const statements = TABLES.flatMap((table) => createStatements(table, 'postgres'))
  const names = statements.map((statement) => /^CREATE (?:TABLE|INDEX IF NOT EXISTS) (\w+)/.exec(statement)?.[1])
  expect(new Set(names).size).toBe(statements.length)
  for (const { columns, key, indexes } of TABLES) {
    const columnNames = columns.map(({ name }) => name)
    expect(new Set(columnNames).size).toBe(columnNames.length)
    expect(columnNames.filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))).toEqual([])
    expect([...key, ...indexes.flat()].filter((name) => !columnNames.includes(name))).toEqual([])
  }
})
