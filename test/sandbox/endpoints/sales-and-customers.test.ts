import { expect } from 'vitest'
import { controlledSandbox, freshSandbox, refusalOf, saleOf, test } from '../fresh-sandbox.ts'

const PAID = { staff: { id: 's1', name: 'Zoë' }, total: { amount: 12_345, currency: 'AUD' } }
const sale = (saleId: string, more: object = {}) =>
  saleOf(saleId, { closedZonedDateTime: '2026-11-20T09:30:00Z', ...PAID, ...more })
const RANGE = 'StartDate=2026-11-20T09:30:00.000Z&EndDate=2026-11-20T09:30:00.000Z'

test('a sale with a booking ID is linked to that booking and is listed in currency units', async ({ send }) => {
  const { bookingId } = (await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-11-20 19:00' })).body
  const posted = await send('POST', '/Sales', sale('sale-1', { bookingId, status: 'FINISHED' }))
  expect([posted.status, posted.body.bookingId]).toEqual([200, bookingId])
  expect((await send('GET', `/Bookings/${bookingId}`)).body.status.code).toBe('FINISHED')
  const { body } = await send('GET', `/Sales?${RANGE}`)
  const record = body.items.find((one: { bookingId: string }) => one.bookingId === bookingId)
  expect(record).toMatchObject({ saleDetail: { transactionId: 'sale-1', total: 123.45, staffName: 'Zoë' } })
  expect((await send('PATCH', `/Bookings/${bookingId}/updatepax`, { pax: 3 })).body.amountSpent).toBe(123.45)
})

/**
 * Posts two sales for a booking, a refund, and a sale without a booking. Returns the sales that GET /Sales then lists.
 */
async function postAndListSales(options: Parameters<typeof freshSandbox>[0]) {
  const { send } = await freshSandbox(options)
  const { bookingId } = (await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-11-20 19:00' })).body
  await send('POST', '/Sales', sale('a', { bookingId }))
  await send('POST', '/Sales', sale('b', { bookingId, total: { amount: 1, currency: 'AUD' } }))
  await send('POST', '/Sales', sale('c', { bookingId, type: 'REFUND', tax: { amount: 1_000, currency: 'AUD' } }))
  expect((await send('POST', '/Sales', sale('d'))).body.bookingId).toBe(null)
  const { body } = await send('GET', `/Sales?${RANGE}`)
  const lines = body.items.map((one: { bookingId: string | null; saleDetail: Record<string, unknown> }) => [
    one.saleDetail['transactionId'],
    one.bookingId,
    one.saleDetail['total'],
    one.saleDetail['status'],
  ])
  return { send, bookingId, items: body.items, lines }
}

test('GET /Sales lists only sales that are linked to a booking and lists refunds as negative amounts', async () => {
  const { send, bookingId, items, lines } = await postAndListSales({})
  expect(lines.slice(-3)).toEqual([
    ['a', bookingId, 123.45, 'SALE'],
    ['b', bookingId, 0.01, 'SALE'],
    ['c', bookingId, -123.45, 'REFUND'],
  ])
  expect(items.at(-1).saleDetail).toMatchObject({ tax: -10, totalExTax: -113.45 })
  const pages = [0, 1, 2].map((at) => send('GET', `/Sales?${RANGE}&Limit=1&StartIndex=${items.length - 3 + at}`))
  expect((await Promise.all(pages)).map((page) => page.body.items[0].saleDetail.transactionId)).toEqual(['a', 'b', 'c'])
})

test('GET /Sales also lists sales without a booking if listUnlinkedSales is set', async () => {
  const { items, lines } = await postAndListSales({ listUnlinkedSales: true })
  expect(lines.at(-1)).toEqual(['d', null, 123.45, 'SALE'])
  expect(items.at(-1)).toMatchObject({ people: 2, tables: [], customer: { firstName: null } })
})

test("a sale is linked to the booking that occupies the sale's table at the time of the sale", async ({ send }) => {
  const walkIn = { numOfPeople: 2, time: '2031-05-05 18:00', tables: ['tbl-p1'] }
  const { bookingId } = (await send('POST', '/Bookings', walkIn)).body
  const at = { openedZonedDateTime: '2031-05-05T18:20:00+10:00', closedZonedDateTime: undefined }
  const posted = await send('POST', '/Sales', sale('sale-2', { table: { seats: 2, number: 'P1' }, ...at }))
  expect(posted.body.bookingId).toBe(bookingId)
  const nobody = await send('POST', '/Sales', sale('sale-3', { table: { seats: 2, number: 'P99' }, ...at }))
  expect([nobody.status, nobody.body.bookingId]).toEqual([200, null])
})

test('a sale at table T7 is linked to booking BK-1003 at every hour of the day', async () => {
  // Midnight in Sydney, in a week when the venue is closed on Monday.
  const clock = { startAt: Date.parse('2026-11-20T13:00:00Z'), frozen: true }
  const { send, control } = await controlledSandbox({ clock })
  const found: unknown[] = []
  for (let hour = 0; hour < 72; hour++) {
    const { now } = await control.readClock()
    const at = { openedZonedDateTime: now, closedZonedDateTime: undefined, table: { seats: 2, number: 'T7' } }
    found.push((await send('POST', '/Sales', sale(`sale-${hour}`, at))).body.bookingId)
    await control.advanceClock(3_600_000)
  }
  expect(new Set(found)).toEqual(new Set(['BK-1003']))
})

test('a repeated sale ID is rejected with status 409 within 24 hours and accepted after that', async () => {
  const { send, control } = await controlledSandbox()
  expect((await send('POST', '/Sales', sale('sale-1'))).status).toBe(200)
  const again = [409, "Sale 'sale-1' has already been submitted."]
  expect(await refusalOf(send('POST', '/Sales', sale('sale-1')))).toEqual(again)
  await control.advanceClock(25 * 3_600_000)
  expect((await send('POST', '/Sales', sale('sale-1'))).status).toBe(200)
})

test.for([
  ['no sale ID', { origin: {} }, 'origin.saleId is required'],
  ['no seats', { table: {} }, 'table.seats is required'],
  ['an unknown status', { status: 'PAID' }, 'Invalid booking status PAID'],
  ['an unknown booking', { bookingId: 'x' }, "Booking 'x' not found."],
] as const)(
  'a sale with %s is rejected and can be sent again once it is corrected',
  async ([_what, change, message], { send }) => {
    expect(await send('POST', '/Sales', sale('sale-1', change))).toMatchObject({ status: 400, body: { message } })
    expect((await send('POST', '/Sales', sale('sale-1'))).status).toBe(200)
  },
)

test('a sale with fractional cents, an unknown type or a time without a zone is rejected as invalid', async ({
  send,
}) => {
  const errors = async (change: object) =>
    Object.keys((await send('POST', '/Sales', sale('sale-1', change))).body.errors ?? {})
  expect(await errors({ total: { amount: 1.5, currency: 'AUD' } })).toEqual(['total.amount'])
  expect(await errors({ type: 'GIFT' })).toEqual(['type'])
  expect(await errors({ openedZonedDateTime: '2026-11-20 08:00' })).toEqual(['openedZonedDateTime'])
})

test('GET /Sales requires a start date and an end date', async ({ send }) => {
  for (const query of ['', '?StartDate=2026-11-20T00:00:00.000Z', '?StartDate=x&EndDate=y'])
    expect((await send('GET', `/Sales${query}`)).body).toEqual({ message: 'Invalid Date passed.' })
})

test('each page of GET /Customers states its position, and all pages together list all customers', async ({ send }) => {
  const seen = new Set<string>()
  for (let start = 0; start < 1000; ) {
    const { body } = await send('GET', `/Customers?Limit=70&StartIndex=${start}&Sort=desc`)
    expect([body.from, body.to - body.from, body.length]).toEqual([start, body.items.length, body.items.length])
    for (const customer of body.items) seen.add(customer.id)
    if (body.items.length === 0) break
    start = body.to
  }
  expect(seen.size).toBe(240)
  expect((await send('GET', '/Customers?Limit=100000')).body.items.length).toBeLessThanOrEqual(250)
})

test('unsubscribing a customer twice has the same effect as doing so once, and GET /Customers shows the result', async ({
  send,
}) => {
  const { body } = await send('GET', '/Customers?Limit=250')
  const customer = body.items.find((one: { subscribed: boolean }) => one.subscribed)
  expect((await send('POST', `/Customers/${customer.id}/unsubscribe`)).status).toBe(200)
  expect((await send('POST', `/Customers/${customer.id}/unsubscribe`)).status).toBe(200)
  const after = (await send('GET', `/Customers?CustomerId=${customer.id}`)).body.items
  expect(after).toMatchObject([{ id: customer.id, subscribed: false }])
  expect(Date.parse(after[0].lastModifiedDate)).toBeGreaterThan(Date.parse(customer.lastModifiedDate))
  expect(await refusalOf(send('POST', '/Customers/nobody/unsubscribe'))).toEqual([404, "Customer 'nobody' not found."])
})

test('GET /GiftCards lists cancelled, redeemed and expired cards only on request', async ({ send }) => {
  const statuses = async (query: string) =>
    new Set((await send('GET', `/GiftCards?${query}`)).body.items.map((card: { status: string }) => card.status))
  expect(await statuses('')).toEqual(new Set(['Active', 'AwaitingPayment', 'PendingPostage']))
  expect(await statuses('IncludeExpired=true')).toContain('Expired')
  expect(await statuses('IncludeCancelled=true&IncludeRedeemed=TRUE')).toEqual(
    new Set(['Active', 'AwaitingPayment', 'PendingPostage', 'Cancelled', 'Redeemed']),
  )
  expect((await send('GET', '/GiftCards?IncludeExpired=maybe')).status).toBe(400)
})
