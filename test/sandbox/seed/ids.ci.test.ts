import { expect } from 'vitest'
import { openState } from '../../../src/sandbox/open-state.ts'
import type { BookingDocument } from '../../../src/sandbox/records/booking.ts'
import {
  eachAt,
  freeTime,
  freshDirectory,
  freshSandbox,
  GUEST,
  runningSandbox,
  type Send,
  runningTest as test,
} from '../fresh-sandbox.ts'

const HOURS = [0, 3, 9, 12, 13, 15, 18, 19, 20, 21, 22, 23.9]

/**
 * Times at which a venue is created: several hours of one day in Sydney (UTC+11), and days on which the venue is
 * closed.
 */
const MOMENTS = [
  ...HOURS.map((hour) => Date.UTC(2026, 10, 20) + (hour - 11) * 3_600_000),
  Date.UTC(2026, 11, 25, 2),
  Date.UTC(2026, 11, 26, 2),
  Date.UTC(2027, 0, 1, 2),
  Date.UTC(2026, 5, 7, 9),
]

type GuestBooking = BookingDocument & { readonly customer: { readonly id: string } | null }

async function booking(send: Send, id: string) {
  const { status, body } = await send('GET', `/Bookings/${id}`)
  expect(status, id).toBe(200)
  return body
}

test.each(MOMENTS.map((at) => [new Date(at).toISOString(), at]))(
  'a venue created at %s has the same five fixed bookings',
  async (_name, startAt) => {
    const { send } = await freshSandbox({ clock: { startAt, frozen: true } })
    const today = new Date(startAt + 11 * 3_600_000).toISOString().slice(0, 10)
    const ordinary = await booking(send, 'BK-1001')
    if (!/12-25|01-01|06-07/.test(today)) expect(ordinary.bookingTime.slice(0, 10)).toBe(today)
    expect(ordinary).toMatchObject({
      ...{ serviceId: 'svc-dinner', people: 2, customer: { id: 'C-1001', lastName: 'Taylor' } },
      ...{ tables: { length: 1 }, status: { code: 'CONFIRMED' } },
    })
    expect((await booking(send, 'BK-1002')).status.code).toBe('CANCELLED')
    expect((await booking(send, 'BK-1003')).status.code).toBe('SEATED')
    expect(await booking(send, 'BK-1004')).toMatchObject({
      people: 8,
      status: { code: 'CONFIRMED' },
      paymentSummary: { amountPaid: 200 },
    })
    expect((await booking(send, 'BK-1005')).status.code).toBe('FINISHED')
    const tables = ['T4', 'T5'].map((name) => ({ name, section: 'Main Dining' }))
    const moved = await send('PATCH', '/Bookings/BK-1001/updatetables', { tables })
    expect(moved.status, moved.text).toBe(200)
  },
)

test("a venue's fixed bookings, guests and tables do not depend on the hour at which the venue is created", async () => {
  const venues = []
  for (const hour of HOURS) {
    const startAt = Date.UTC(2026, 10, 20) + (hour - 11) * 3_600_000
    const { send } = await freshSandbox({ clock: { startAt, frozen: true } })
    const fixed = await Promise.all(['1', '2', '3', '4', '5'].map((one) => booking(send, `BK-100${one}`)))
    const { body } = await send(
      'GET',
      '/Bookings?StartDate=2026-11-19T13:00:00.000Z&EndDate=2026-11-20T12:59:59.999Z&IncludeCustomer=true',
    )
    const today = body.bookings.map((one: GuestBooking) => [
      ...[one.bookingId, one.bookingTime, one.people, one.method, one.customer?.id],
      one.tables.map(({ tableName }) => tableName),
    ])
    expect(today.length).toBeGreaterThan(5)
    venues.push({ fixed: fixed.map(({ customer, ...rest }) => ({ ...rest, customer: customer.id })), today })
  }
  for (const [at, venue] of venues.entries()) expect(venue, `created at hour ${HOURS[at]}`).toEqual(venues[0])
})

test('bookings, customers and sales are numbered from 1001 with any seed', async () => {
  for (const seed of [undefined, 7]) {
    const { send } = await freshSandbox(seed === undefined ? {} : { seed })
    expect((await booking(send, 'BK-1001')).customer).toMatchObject({ id: 'C-1001', firstName: 'Charlotte' })
    const year = 'StartDate=2020-01-01T00:00:00.000Z&EndDate=2090-01-01T00:00:00.000Z'
    const { body } = await send('GET', `/Bookings?${year}`)
    const numbers = eachAt(body.bookings, 'bookingId').map((id) => Number(id.replace('BK-', '')))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_one, at) => 1001 + at))
    expect(new Set(eachAt((await send('GET', '/Customers?Limit=250')).body.items, 'id'))).toEqual(
      new Set(Array.from({ length: 240 }, (_none, at) => `C-${1001 + at}`)),
    )
    const saleIds = eachAt((await send('GET', `/Sales?${year}&Limit=250`)).body.items, 'saleDetail.transactionId')
    expect(saleIds).toContain('S-1001')
    expect(saleIds).toEqual(saleIds.map(() => expect.stringMatching(/^S-1\d{3}$/)))
  }
})

test('a booking that is created through the API gets a random ID', async () => {
  const { send } = await freshSandbox()
  const made = await send('POST', '/Reservations', { ...(await freeTime(send, 2)), numOfPeople: 2, customer: GUEST })
  expect(made.body.bookingId).toMatch(/^[0-9a-f]{24}$/)
})

test('bookings and sales on later days continue the numbering and skip sale IDs that a till has used', async () => {
  const { send, control } = await runningSandbox({ clock: { startAt: Date.UTC(2026, 5, 1), frozen: true } })
  const range = 'StartDate=2026-01-01T00:00:00.000Z&EndDate=2027-01-01T00:00:00.000Z'
  const before = (await send('GET', `/Bookings?${range}`)).body.count
  const till = { origin: { saleId: 'S-1900' }, source: { type: 'POS' }, type: 'SALE', staff: { id: '1' } }
  const sale = { ...till, openedZonedDateTime: '2026-06-01T00:00:00Z', table: { seats: 2 }, bookingId: 'BK-1001' }
  expect((await send('POST', '/Sales', sale)).status).toBe(200)
  for (let weeks = 0; weeks < 5; weeks++) await control.advanceClock(28 * 86_400_000)
  const { body } = await send('GET', `/Bookings?${range}`)
  expect(body.count).toBeGreaterThan(before)
  const ids = eachAt(body.bookings, 'bookingId')
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted().every((id) => /^BK-\d{4}$/.test(id))).toBe(true)
  expect((await booking(send, 'BK-1001')).bookingTime).toBe('2026-06-01T19:00:00')
})

test('a venue created by an earlier version gets the fixed bookings and keeps its own bookings', async () => {
  const data = freshDirectory()
  const old = openState(data)
  const bookings = () => old.store.all('SELECT id FROM bookings').map(({ id }) => String(id))
  old.diary()
  // Imitate data from an earlier version, which used other IDs and did not store the number for the next ID.
  old.store.run("UPDATE bookings SET id = 'f00d' || rank")
  old.store.run("UPDATE customers SET id = 'cafe' || rank WHERE id <> 'walk-in'")
  old.store.run("UPDATE meta SET value = json_remove(value, '$.next') WHERE name = 'diary'")
  const before = bookings()
  old.close()
  const { send } = await freshSandbox({ data })
  expect((await booking(send, 'BK-1001')).customer).toMatchObject({ id: 'C-1001', firstName: 'Charlotte' })
  for (const id of before.slice(0, 5)) expect((await send('GET', `/Bookings/${id}`)).status).toBeLessThan(500)
})

test('bulk seeding includes the seed in booking and customer IDs', async ({ send, control }) => {
  const large = { bookings: 30, customers: 3, from: Date.UTC(2020, 0, 1), to: Date.UTC(2020, 0, 2) }
  for (const seed of [1, 1, 4]) await control.seed({ ...large, seed })
  const { body } = await send('GET', '/Bookings?StartDate=2019-12-01T00:00:00.000Z&EndDate=2020-02-01T00:00:00.000Z')
  expect(body.count).toBe(60)
  expect((await booking(send, 'BK-L1-30')).customer.id).toMatch(/^C-L1-[123]$|^walk-in$/)
  expect((await booking(send, 'BK-L4-1')).bookingId).toBe('BK-L4-1')
})
