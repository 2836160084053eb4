import { expect } from 'vitest'
import { answerOf, freeTime, GUEST, test } from '../fresh-sandbox.ts'

const BASE = { numOfPeople: 2, serviceId: 'svc-dinner', sectionId: 'sec-main', customer: GUEST }

test('a reservation in a free slot creates an Unconfirmed online booking', async ({ send }) => {
  const slot = await freeTime(send, 2)
  const made = await send('POST', '/Reservations', { numOfPeople: 2, ...slot, customer: GUEST, notes: 'Étoile ⭐' })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ isSuccess: true, bookingStatus: 'Unconfirmed', numOfPeople: 2, errorMessage: '' })
  const { body } = await send('GET', `/Bookings/${made.body.bookingId}`)
  expect(body).toMatchObject({ method: 'online', people: 2, notes: 'Étoile ⭐', status: { name: 'Unconfirmed' } })
  expect(body.customer).toMatchObject(GUEST)
  expect(body.tables.map((table: { tableName: string }) => table.tableName)).toEqual(made.body.tableNames)
})

test.for([
  ['null as numOfPeople', { numOfPeople: null }, 'numOfPeople is required'],
  ['no service', { serviceId: undefined }, "A reservation request must contain 'ServiceId'"],
  ['no section', { sectionId: '' }, "A reservation request must contain 'SectionId'"],
  ['no customer', { customer: undefined }, 'Customer FirstName, LastName and Phone are required.'],
  ['no phone', { customer: { ...GUEST, phone: null } }, 'Customer FirstName, LastName and Phone are required.'],
  ['no time', { bookingTimeAsUtc: undefined }, 'Invalid Booking Time passed in the payload.'],
  ['an invalid time', { bookingTimeAsUtc: '2026-13-40T00:00:00Z' }, 'Invalid Booking Time passed in the payload.'],
  ['an unknown status', { status: 'confirmed' }, 'Invalid booking status confirmed'],
  ['a service that does not run at that time', { serviceId: 'svc-lunch' }, "Invalid Service 'svc-lunch'"],
] as const)(
  'a reservation with %s is rejected with the documented message',
  async ([_what, change, message], { send }) => {
    const sent = send('POST', '/Reservations', { ...BASE, ...(await freeTime(send, 2)), ...change })
    expect(await answerOf(sent)).toEqual([400, { message }])
  },
)

test('the error for a reservation in the past or for too many people quotes the requested time and party size', async ({
  send,
}) => {
  const at = async (change: object) => (await send('POST', '/Reservations', { ...BASE, ...change })).body.message
  const none = 'No service available for booking time'
  expect(await at({ time: '2020-01-06 18:00' })).toBe(`${none} '2020-01-06 18:00' and Pax '2'`)
  const { bookingTimeAsUtc } = await freeTime(send, 2)
  const crowd = { bookingTimeAsUtc, numOfPeople: 2_147_483_647 }
  expect(await at(crowd)).toBe(`${none} '${bookingTimeAsUtc}' and Pax '2147483647'`)
})

test('bookingTimeAsUtc takes precedence over time', async ({ send }) => {
  const slot = await freeTime(send, 2)
  for (const time of ['not a time', '', 12, null, { at: 'noon' }, '2020-01-01 12:00']) {
    const made = await send('POST', '/Reservations', { ...BASE, ...slot, time })
    expect(made.status, `${JSON.stringify(time)} ${made.text}`).toBe(201)
    await send('PATCH', `/Bookings/${made.body.bookingId}/updatestatus`, { status: 'CANCELLED' })
  }
  const walkIn = await send('POST', '/Bookings', { numOfPeople: 2, bookingTimeAsUtc: slot.bookingTimeAsUtc, time: [] })
  expect(walkIn.status).toBe(201)
  expect((await send('POST', '/Bookings', { numOfPeople: 2, time: [] })).status).toBe(400)
})

test.for([
  ['an unknown table', 2, ['tbl-none'], "Table 'tbl-none' not found"],
  ['the same table twice', 2, ['tbl-t1', 'tbl-t1'], 'Duplicate table entries'],
  ['a table in another section', 2, ['tbl-p1'], "Table 'tbl-p1' is not in section 'sec-main'"],
  ['six guests at a table for two', 6, ['tbl-t1'], "Tables 'tbl-t1' do not suit a party of 6"],
  ['two guests at a table for five or more', 2, ['tbl-t9'], "Tables 'tbl-t9' do not suit a party of 2"],
] as const)('a reservation with %s is rejected', async ([_what, numOfPeople, tables, message], { send }) => {
  const { bookingTimeAsUtc } = await freeTime(send, numOfPeople)
  const sent = send('POST', '/Reservations', { ...BASE, bookingTimeAsUtc, numOfPeople, tables })
  expect(await answerOf(sent)).toEqual([400, { message }])
})

test('a reservation can combine tables for more seats but cannot use tables reserved for walk-ins', async ({
  send,
}) => {
  const reserve = (numOfPeople: number, sectionId: string, tables: readonly string[]) =>
    send('POST', '/Reservations', { ...BASE, bookingTimeAsUtc: '2031-05-05T08:00:00Z', numOfPeople, sectionId, tables })
  expect((await reserve(6, 'sec-main', ['tbl-t1', 'tbl-t4'])).body.tableNames).toEqual(['T1', 'T4'])
  expect((await reserve(2, 'sec-bar', ['tbl-b1'])).body.message).toBe("Table 'tbl-b1' takes walk-ins only")
})

test('a reservation is rejected if all tables are occupied at its time', async ({ send }) => {
  const slot = await freeTime(send, 2)
  const statuses: number[] = []
  for (let at = 0; at < 20; at++)
    statuses.push((await send('POST', '/Reservations', { numOfPeople: 2, ...slot, customer: GUEST })).status)
  expect([statuses[0], statuses.at(-1)]).toEqual([201, 400])
  const last = await send('POST', '/Reservations', { numOfPeople: 2, ...slot, customer: GUEST })
  expect(last.body.message).toMatch(/^No service available for booking time/)
})

test('a reservation with a wrong type or an invalid number is rejected with a message that names the member', async ({
  send,
}) => {
  for (const numOfPeople of ['2', 0]) {
    const { status, body } = await send('POST', '/Reservations', { ...BASE, numOfPeople })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['numOfPeople']])
  }
})

test('a party that stays for several days occupies its table on each of those days', async ({ send }) => {
  const [first, later] = ['2031-05-05 18:00', '2031-05-07 18:00']
  const at = { ...BASE, sectionId: 'sec-cellar', serviceId: 'svc-cellar', numOfPeople: 6 }
  const stay = { numOfPeople: 6, time: first, duration: 4 * 1440, tables: ['tbl-c1'] }
  expect((await send('POST', '/Bookings', stay)).status).toBe(201)
  expect((await send('GET', '/Bookings/tables?Date=2031-05-07T08:00:00.000Z')).text).not.toContain('tbl-c1')
  const other = await send('POST', '/Bookings', { numOfPeople: 6, time: later })
  const tables = [{ name: 'C1', section: 'The Cellar 酒窖' }]
  const moved = await send('PATCH', `/Bookings/${other.body.bookingId}/updatetables`, { tables })
  expect(moved.body).toEqual({ message: "Table 'C1' is already booked at that time" })
  const reserved = await send('POST', '/Reservations', { ...at, time: '2031-05-08 18:30', tables: ['tbl-c1'] })
  expect(reserved.status).toBe(400)
})
