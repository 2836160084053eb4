import { expect } from 'vitest'
import { OTHER_LOCATION_BOOKINGS } from '../../../src/sandbox/seed/fill.ts'
import { answerOf, eachAt, freshSandbox, refusalOf, type Send, test } from '../fresh-sandbox.ts'

const iso = (offsetDays: number) => new Date(Date.now() + offsetDays * 86_400_000).toISOString()
const all = (send: Send, more = '') => send('GET', `/Bookings?StartDate=${iso(-50)}&EndDate=${iso(50)}${more}`)

const MEMBERS = `bookingId locationId method bookedAt bookingTime duration people serviceId serviceName serviceType
  lastModifiedDate notes customer tables tags status paymentSummary items`.split(/\s+/)

test("a new venue's diary contains bookings from six weeks ago to six weeks ahead", async ({ send }) => {
  const { body } = await all(send)
  expect(body.count).toBe(body.bookings.length)
  expect(body.count).toBeGreaterThan(400)
  const times = eachAt(body.bookings, 'bookingTime')
  expect(times.at(0)?.localeCompare(iso(-40))).toBe(-1)
  expect(times.at(-1)?.localeCompare(iso(40))).toBe(1)
  const codes = new Set(eachAt(body.bookings, 'status.code'))
  expect([...codes]).toEqual(expect.arrayContaining(['Unconfirmed', 'CONFIRMED', 'FINISHED', 'CANCELLED', 'NOSHOW']))
})

test('the same seed produces the same diary, and a different seed produces a different one', async () => {
  const at = { clock: { startAt: Date.UTC(2026, 10, 20), frozen: true } }
  const range = '/Bookings?StartDate=2026-11-01T00:00:00.000Z&EndDate=2026-12-01T00:00:00.000Z'
  const one = await freshSandbox(at)
  const same = await freshSandbox(at)
  const other = await freshSandbox({ ...at, seed: 2 })
  const first = (await one.send('GET', range)).text
  expect((await same.send('GET', range)).text).toBe(first)
  expect((await other.send('GET', range)).text).not.toBe(first)
})

test('GET /Bookings/{id} returns exactly the documented properties', async ({ send }) => {
  for (const { bookingId } of (await all(send)).body.bookings.slice(0, 40))
    expect(Object.keys((await send('GET', `/Bookings/${bookingId}`)).body)).toEqual(MEMBERS)
})

test.for([
  ['of neither kind', ''],
  ['of both kinds', `?StartDate=${iso(-50)}&EndDate=${iso(50)}&UpdatedFromDate=${iso(-50)}&UpdatedToDate=${iso(1)}`],
  ['with only one end', `?StartDate=${iso(-50)}`],
  ['with one end of each kind', `?StartDate=${iso(-50)}&UpdatedToDate=${iso(50)}`],
  ['of both kinds with invalid dates', `?StartDate=soon&EndDate=${iso(50)}&UpdatedFromDate=x&UpdatedToDate=y`],
  ['with one invalid end of each kind', '?EndDate=later&UpdatedFromDate=x'],
  ['with only one end, which is invalid', '?UpdatedToDate=2026-02-30'],
  ['of one kind plus one end of the other', `?StartDate=${iso(-50)}&EndDate=${iso(50)}&UpdatedToDate=never`],
])('GET /Bookings returns an empty list without an error for date filters %s', async ([_what, query], { send }) =>
  expect(await answerOf(send('GET', `/Bookings${query}`))).toEqual([200, { count: 0, bookings: [] }]),
)

test('GET /Bookings with a range that ends now finds a change that was just made, even if the clock is frozen', async () => {
  const now = '2026-11-20T06:00:00.000Z'
  const { send } = await freshSandbox({ clock: { startAt: Date.parse(now), frozen: true } })
  const { bookingId } = (await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-11-20 17:00' })).body
  for (const pax of [3, 4]) await send('PATCH', `/Bookings/${bookingId}/updatepax`, { pax })
  const { body } = await send('GET', `/Bookings?UpdatedFromDate=2026-11-20T05:59:59.000Z&UpdatedToDate=${now}`)
  const found = body.bookings.find((one: { bookingId: string }) => one.bookingId === bookingId)
  expect(found).toMatchObject({ people: 4, lastModifiedDate: now })
})

test('while the clock runs, each change gets a later modification date, but never one in the future', async ({
  send,
}) => {
  const dates: string[] = []
  for (const pax of [2, 3, 4, 5]) {
    await send('PATCH', '/Bookings/BK-1001/updatepax', { pax })
    dates.push((await send('GET', '/Bookings/BK-1001')).body.lastModifiedDate)
    expect(Date.parse(dates.at(-1) ?? '')).toBeLessThanOrEqual(Date.now())
  }
  expect(dates).toEqual([...new Set(dates)].toSorted())
})

test('GET /Bookings responds with status 400 to a date that does not exist', async ({ send }) => {
  const sent = send('GET', `/Bookings?StartDate=2026-02-30T00:00:00.000Z&EndDate=${iso(1)}`)
  expect(await answerOf(sent)).toEqual([400, { message: 'Invalid Date passed.' }])
})

test('GET /Bookings can include customers, exclude cancelled bookings and filter by service name', async ({ send }) => {
  const plain = (await all(send)).body
  expect(plain.bookings.some((booking: object) => 'customer' in booking)).toBe(false)
  const withCustomer = (await all(send, '&IncludeCustomerDetails=true')).body
  expect(withCustomer.bookings.every((booking: object) => 'customer' in booking)).toBe(true)
  expect((await all(send, '&IncludeCancelledBookings=false')).body.count).toBeLessThan(plain.count)
  const lunch = (await all(send, '&ServiceName=Lunch')).body
  expect(new Set(eachAt(lunch.bookings, 'serviceName'))).toEqual(new Set(['Lunch']))
})

test('GET /Bookings/{id} returns the documented error for each kind of unusable ID', async ({ send }) => {
  const at = (id: string) => refusalOf(send('GET', `/Bookings/${id}`))
  expect(await at('nobody')).toEqual([404, "Booking 'nobody' not found."])
  expect(await at(OTHER_LOCATION_BOOKINGS.lostLocation)).toEqual([404, 'Location of the POS not found.'])
  expect(await at(OTHER_LOCATION_BOOKINGS.unsubscribedLocation)).toEqual([404, 'No venue subscribed to the location.'])
  expect(await at('a%2Fb')).toEqual([400, 'Invalid request.'])
})

test('the seeded diary contains names and notes in many writing systems', async ({ send }) => {
  const { text } = await all(send, '&IncludeCustomerDetails=true')
  for (const sample of ['محمد', 'נועה', '小芳', 'Дмитрий', '👩‍🍳', '=SUM(1)', 'Nu\u0301n\u0303ez'])
    expect(text).toContain(sample)
})

const FIRST = '0001-01-01T00:00:00.000Z'

test('date filters accept the earliest and latest representable dates', async ({ send }) => {
  for (const [from, to] of ['UpdatedFromDate UpdatedToDate', 'StartDate EndDate'].map((names) => names.split(' '))) {
    const [status, { count }] = await answerOf(send('GET', `/Bookings?${from}=${FIRST}&${to}=9999-12-31T23:59:59.999Z`))
    expect([status, count > 100]).toEqual([200, true])
  }
  const query = `DateUpdatedStart=${FIRST}&DateUpdatedEnd=0099-12-31T00:00:00.000Z`
  expect((await send('GET', `/Customers?${query}`)).body).toMatchObject({ length: 0 })
})
