import { expect } from 'vitest'
import { freeTime, freshSandbox, GUEST, refusalOf, type Send, test } from '../fresh-sandbox.ts'

async function reserved(send: Send) {
  const slot = await freeTime(send, 2)
  const { body } = await send('POST', '/Reservations', { numOfPeople: 2, ...slot, customer: GUEST })
  return { id: body.bookingId as string, slot }
}

const modified = async (send: Send, id: string) =>
  Date.parse((await send('GET', `/Bookings/${id}`)).body.lastModifiedDate)

test('a walk-in needs only a party size and a time, is seated immediately and gets a placeholder customer', async ({
  send,
}) => {
  const made = await send('POST', '/Bookings', { numOfPeople: 300, time: '2020-12-25 03:07' })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ isSuccess: true, bookingStatus: 'SEATED', time: '2020-12-25T03:07:00' })
  const { body } = await send('GET', `/Bookings/${made.body.bookingId}`)
  expect(body).toMatchObject({ method: 'walkin', people: 300, serviceId: null, customer: { firstName: 'Walk' } })
})

test('a walk-in can have a service and is rejected only for an invalid party size, time, status or table', async ({
  send,
}) => {
  const walkIn = async (body: object) => {
    const reply = await send('POST', '/Bookings', body)
    return [reply.status, reply.body.message ?? reply.body.serviceName]
  }
  const time = '2026-11-20 18:00'
  expect(await walkIn({ numOfPeople: 2, time, serviceId: 'svc-dinner' })).toEqual([201, 'Dinner'])
  expect(await walkIn({ time })).toEqual([400, 'numOfPeople is required'])
  expect(await walkIn({ numOfPeople: 2 })).toEqual([400, 'Invalid Booking Time passed in the payload.'])
  expect(await walkIn({ numOfPeople: 2, time, status: 'NOPE' })).toEqual([400, 'Invalid booking status NOPE'])
  expect(await walkIn({ numOfPeople: 2, time, tables: ['tbl-t1', 'x'] })).toEqual([400, "Table 'x' not found"])
  expect(await walkIn({ numOfPeople: 2, time, tables: ['tbl-t1', 'tbl-t1'] })).toEqual([400, 'Duplicate table entries'])
  expect(await walkIn({ numOfPeople: 40, time, tables: ['tbl-t1', 'tbl-b1'] })).toEqual([201, ''])
})

test('a booking update changes only the members that it contains', async ({ send }) => {
  const { id } = await reserved(send)
  const before = (await send('GET', `/Bookings/${id}`)).body
  const time = before.bookingTime.slice(0, 16).replace('T', ' ')
  const change = { bookingId: id, time, notes: 'later', duration: 45 }
  expect((await send('POST', '/Bookings/UpdateBookingAsync', change)).status).toBe(201)
  const after = (await send('GET', `/Bookings/${id}`)).body
  expect(after).toEqual({ ...before, notes: 'later', duration: 45, lastModifiedDate: after.lastModifiedDate })
})

test('an invalid booking update is rejected with the documented message', async ({ send }) => {
  const { id } = await reserved(send)
  const update = async (body: object) => {
    return refusalOf(send('POST', '/Bookings/UpdateBookingAsync', { bookingId: id, time: '2026-12-01 18:00', ...body }))
  }
  expect(await update({ bookingId: null })).toEqual([400, 'bookingId is required'])
  expect(await update({ bookingId: 'x' })).toEqual([404, 'bookingId: x not found'])
  expect(await update({ time: null })).toEqual([400, 'Invalid Booking Time passed in the payload.'])
  expect(await update({ status: 'x' })).toEqual([400, 'Invalid booking status x'])
  expect(await update({ serviceId: 'x' })).toEqual([400, "Invalid Service 'x'"])
  expect(await update({ tables: ['x'] })).toEqual([400, "Table 'x' not found"])
  expect(await update({ tables: ['tbl-t1', 'tbl-t1'] })).toEqual([400, 'Duplicate table entries'])
})

const TIME = '2026-12-01 18:00'
const update = (send: Send, bookingId: string, customer: object) =>
  send('POST', '/Bookings/UpdateBookingAsync', { bookingId, time: TIME, customer })
const guestOf = async (send: Send, id: string) => (await send('GET', `/Bookings/${id}`)).body.customer

test('a booking update keeps the guest details that it omits', async ({ send }) => {
  const before = await guestOf(send, 'BK-1001')
  await update(send, 'BK-1001', { phone: '+61 400 111 222', address: { line1: '1 New St' } })
  const after = await guestOf(send, 'BK-1001')
  expect(after).toEqual({
    ...before,
    phone: '+61 400 111 222',
    phoneNational: '0400 111 222',
    address: { ...before.address, line1: '1 New St' },
    lastModifiedDate: after.lastModifiedDate,
  })
  await update(send, 'BK-1001', { lastName: 'Taylor-Smith' })
  const renamed = { id: 'C-1001', firstName: 'Charlotte', lastName: 'Taylor-Smith' }
  expect(await guestOf(send, 'BK-1001')).toMatchObject(renamed)
})

test('a booking update can replace the guest without changing the previous customer', async ({ send }) => {
  await update(send, 'BK-1001', GUEST)
  expect(await guestOf(send, 'BK-1001')).toMatchObject(GUEST)
  const first = (await send('GET', '/Customers?CustomerId=C-1001')).body.items
  expect(first).toMatchObject([{ firstName: 'Charlotte', lastName: 'Taylor' }])
  await update(send, 'BK-1001', { id: 'C-1001' })
  expect(await guestOf(send, 'BK-1001')).toMatchObject({ id: 'C-1001', firstName: 'Charlotte' })
})

test('a booking update never changes the placeholder customer that walk-ins share', async ({ send }) => {
  const walkIn = async (customer?: object) =>
    (await send('POST', '/Bookings', { numOfPeople: 2, time: TIME, customer })).body.bookingId
  const one = await walkIn()
  const { id } = await guestOf(send, one)
  const named = await walkIn({ id, firstName: 'Bob', phone: '+61 400 333 444' })
  expect(await guestOf(send, named)).toMatchObject({ firstName: 'Bob', lastName: null, phone: '+61 400 333 444' })
  expect((await guestOf(send, await walkIn({ id, firstName: 'Walk', lastName: 'In' }))).id).toBe(id)
  const other = await walkIn()
  await update(send, other, { firstName: 'Eve' })
  expect(await guestOf(send, other)).toMatchObject({ firstName: 'Eve' })
  expect(await guestOf(send, one)).toMatchObject({ id, firstName: 'Walk', lastName: 'In', phone: null })
})

test('updating people, status or tables returns a receipt and advances lastModifiedDate', async () => {
  const { send } = await freshSandbox({ clock: { startAt: Date.UTC(2026, 10, 20) } })
  const id = (await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-11-25 18:00' })).body.bookingId
  let last = await modified(send, id)
  for (const [path, body, expected] of [
    ['updatepax', { pax: 5 }, { pax: 5 }],
    ['updatestatus', { status: 'ARRIVED' }, { status: 'ARRIVED' }],
    ['updatetables', { tables: [{ name: 'T8', section: 'Main Dining' }], allowTableBookingConflict: true }, { pax: 5 }],
  ] as const) {
    const reply = await send('PATCH', `/Bookings/${id}/${path}`, body)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ bookingId: id, amountSpent: 0, ...expected })
    const now = await modified(send, id)
    expect(now).toBeGreaterThan(last)
    last = now
  }
  const { body } = await send('GET', `/Bookings/${id}`)
  expect(body).toMatchObject({ people: 5, status: { code: 'ARRIVED' }, tables: [{ tableName: 'T8' }] })
})

const MAIN_T1 = { name: 'T1', section: 'Main Dining' }

test.for([
  ['updatepax', { pax: 0 }, 400, 'The value of Pax must be greater than 0'],
  ['updatepax', { pax: -3 }, 400, 'The value of Pax must be greater than 0'],
  ['updatepax', {}, 400, 'pax is required'],
  ['updatestatus', { status: 'seated' }, 400, 'Invalid booking status seated'],
  ['updatestatus', {}, 400, 'status is required'],
  ['updatetables', { tables: [] }, 400, 'No tables provided'],
  ['updatetables', {}, 400, 'No tables provided'],
  ['updatetables', { tables: [{ name: 'T1', section: 'Bar' }] }, 400, "Table 'T1' in section 'Bar' not found"],
  ['updatetables', { tables: [MAIN_T1, MAIN_T1] }, 400, 'Duplicate table entries'],
])(
  'PATCH /Bookings/{bookingId}/%s with %j is rejected with status %d: %s',
  async ([path, body, status, message], { send }) => {
    const { id } = await reserved(send)
    expect(await send('PATCH', `/Bookings/${id}/${path}`, body)).toMatchObject({ status, body: { message } })
    const unknown = send('PATCH', `/Bookings/nobody/${path}`, { pax: 1, status: 'SEATED', tables: [] })
    expect(await refusalOf(unknown)).toEqual([404, 'bookingId: nobody not found'])
  },
)

test('an occupied table is rejected unless allowTableBookingConflict is set', async ({ send }) => {
  const time = '2031-05-05 18:00'
  const tables = [{ name: 'P1', section: 'Terrace' }]
  const one = (await send('POST', '/Bookings', { numOfPeople: 2, time, tables: ['tbl-p1'] })).body
  expect(one.tableNames).toEqual(['P1'])
  const other = (await send('POST', '/Bookings', { numOfPeople: 2, time })).body
  const move = (more: object) => send('PATCH', `/Bookings/${other.bookingId}/updatetables`, { tables, ...more })
  expect((await move({})).body.message).toBe("Table 'P1' is already booked at that time")
  expect((await move({ allowTableBookingConflict: true })).status).toBe(200)
})

test('cancelling a booking makes its table available again in the schedule', async ({ send }) => {
  const { id, slot } = await reserved(send)
  const options = async () => {
    const at = slot.bookingTimeAsUtc.replace('Z', '.000Z')
    const times = `BookingDateTimeStart=${at}&BookingDateTimeEnd=${at}`
    const { body } = await send('GET', `/Bookings/schedule?${times}&NumOfPeople=2`)
    return body[0].services.find((one: { id: string }) => one.id === 'svc-dinner').times[0].bookingOptionsCount
  }
  const before = await options()
  await send('PATCH', `/Bookings/${id}/updatestatus`, { status: 'CANCELLED' })
  expect(await options()).toBe(before + 1)
})

test('GET /Bookings finds a changed booking by the date of the change', async ({ send }) => {
  const { id } = await reserved(send)
  const from = new Date(Date.now() - 500).toISOString()
  await send('PATCH', `/Bookings/${id}/updatepax`, { pax: 3 })
  const to = new Date(Date.now() + 60_000).toISOString()
  const { body } = await send('GET', `/Bookings?UpdatedFromDate=${from}&UpdatedToDate=${to}`)
  expect(body.bookings.map((one: { bookingId: string }) => one.bookingId)).toContain(id)
})

test('the schedule shows that the venue is closed on Christmas Day and gives the reason', async ({ send }) => {
  const reply = await send('GET', '/Bookings/schedule?BookingDateTimeStart=2026-12-24T20:00:00.000Z&NumOfPeople=2')
  expect(reply.body).toEqual([{ isVenueOpen: false, blockoutMessage: 'Closed on Christmas Day', services: [] }])
})

test('GET /Bookings/tables lists only free tables, grouped by section', async ({ send }) => {
  const names = async (query: string) => {
    const { body } = await send('GET', `/Bookings/tables?${query}`)
    return body.flatMap((section: { tables: { name: string }[] }) => section.tables.map((table) => table.name))
  }
  expect(await names('Date=2031-05-05')).toHaveLength(20)
  await send('POST', '/Bookings', { numOfPeople: 2, time: '2031-05-05 18:00', tables: ['tbl-p1'] })
  expect(await names('Date=2031-05-05T08:30:00.000Z&Duration=60')).not.toContain('P1')
  expect(await names('Date=2031-05-05T12:30:00.000Z')).toContain('P1')
  expect(await refusalOf(send('GET', '/Bookings/tables?Date=tomorrow'))).toEqual([400, 'Invalid Date passed.'])
})

test('if a clock change repeats an hour, a booking starts in the requested occurrence', async ({ send }) => {
  const startsIn = async (hour: string, id: string) => {
    const range = `StartDate=2027-04-03T${hour}:00:00.000Z&EndDate=2027-04-03T${hour}:59:59.999Z`
    const { body } = await send('GET', `/Bookings?${range}`)
    return body.bookings.some((one: { bookingId: string }) => one.bookingId === id)
  }
  const made = await send('POST', '/Bookings', { numOfPeople: 2, bookingTimeAsUtc: '2027-04-03T16:30:00Z' })
  expect(made.body.time).toBe('2027-04-04T02:30:00')
  const { bookingId } = made.body
  expect([await startsIn('15', bookingId), await startsIn('16', bookingId)]).toEqual([false, true])
  const earlier = { bookingId, bookingTimeAsUtc: '2027-04-03T15:30:00Z' }
  expect((await send('POST', '/Bookings/UpdateBookingAsync', earlier)).body.time).toBe('2027-04-04T02:30:00')
  expect([await startsIn('15', bookingId), await startsIn('16', bookingId)]).toEqual([true, false])
  await send('POST', '/Bookings/UpdateBookingAsync', { bookingId, bookingTimeAsUtc: '2027-04-03T16:30:00Z' })
  await send('PATCH', `/Bookings/${bookingId}/updatepax`, { pax: 3 })
  await send('POST', '/Bookings/UpdateBookingAsync', { bookingId, time: '2027-04-04 02:30', notes: 'by the window' })
  expect([await startsIn('15', bookingId), await startsIn('16', bookingId)]).toEqual([false, true])
})

test('a booking at a local time that a clock change skips is rejected', async ({ send }) => {
  const refused = { status: 400, body: { message: 'Invalid Booking Time passed in the payload.' } }
  expect(await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-10-04 02:30' })).toMatchObject(refused)
  expect(await send('POST', '/Bookings', { numOfPeople: 2, bookingTimeAsUtc: '9999-12-31T23:30:00Z' })).toMatchObject(
    refused,
  )
  const moved = { bookingId: 'BK-1001', time: '2026-10-04 02:00' }
  expect(await send('POST', '/Bookings/UpdateBookingAsync', moved)).toMatchObject(refused)
  for (const time of ['2026-10-04 01:59', '2026-10-04 03:00', '2027-04-04 02:30'])
    expect((await send('POST', '/Bookings', { numOfPeople: 2, time })).status).toBe(201)
})

test('every booking endpoint accepts the ID that the partner has assigned to a booking', async ({ send }) => {
  const slot = await freeTime(send, 2)
  const own = { numOfPeople: 2, ...slot, customer: GUEST, bookingId: 'POS-77' }
  const { bookingId: id } = (await send('POST', '/Reservations', own)).body
  const answers = async (booking: string) => {
    const day = `/Bookings/schedule?NumOfPeople=2&BookingDateTimeStart=${slot.bookingTimeAsUtc}`
    const path = `/Bookings/${booking}`
    const table = (await send('GET', path)).body.tables[0]
    const sale = { origin: { saleId: `S-${booking}` }, source: { type: 'POS' }, type: 'SALE', bookingId: booking }
    const more = { openedZonedDateTime: '2026-12-01T18:00:00Z', staff: { id: '1' }, table: { seats: 2 } }
    const replies = [
      await send('GET', `${day}&BookingId=${booking}`),
      await send('POST', '/Bookings/UpdateBookingAsync', { ...slot, bookingId: booking }),
      await send('PATCH', `${path}/updatepax`, { pax: 3 }),
      await send('PATCH', `${path}/updatestatus`, { status: 'ARRIVED' }),
      await send('PATCH', `${path}/updatetables`, { tables: [{ name: table.tableName, section: table.sectionName }] }),
      await send('POST', '/Sales', { ...sale, ...more }),
    ]
    const booked = await send('GET', path)
    return { replies: replies.map(({ status, body }) => ({ status, id: body.bookingId, days: body[0] })), booked }
  }
  const [byOwn, byExternal] = [await answers(id), await answers('POS-77')]
  expect(byExternal.replies).toEqual(byOwn.replies)
  expect(byOwn.replies.map(({ status }) => status)).toEqual([200, 201, 200, 200, 200, 200])
  expect(byExternal.booked.body).toMatchObject({ bookingId: id, people: 3, status: { code: 'ARRIVED' } })
  // The schedule for a BookingId ignores that booking, and therefore differs from the schedule without a BookingId.
  const plain = await send('GET', `/Bookings/schedule?NumOfPeople=2&BookingDateTimeStart=${slot.bookingTimeAsUtc}`)
  expect(byExternal.replies[0]?.days).not.toEqual(plain.body[0])
})
