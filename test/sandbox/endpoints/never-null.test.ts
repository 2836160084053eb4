import { expect } from 'vitest'
import { sign } from '../../../src/signing/signature.ts'
import { freeTime, freshSandbox, GUEST, type Send, runningTest as test } from '../fresh-sandbox.ts'

/**
 * The types of fields by name. `?` means that the specification marks the field as nullable, so that it can be `null`
 * or absent. A name that is not a JSON type refers to another table.
 */
type Fields = Readonly<Record<string, string>>

const fields = (type: string, names: string): Fields =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, type]))

/** The field tables in the specification. */
const OBJECTS: Readonly<Record<string, Fields>> = {
  Booking: {
    ...fields('string?', 'bookingId locationId method bookedAt bookingTime serviceId serviceName serviceType'),
    ...fields('string?', 'lastModifiedDate notes'),
    ...fields('integer', 'duration people'),
    customer: 'Customer',
    tables: 'Table[]',
    tags: 'Tag[]',
    status: 'Status',
    paymentSummary: 'Payment',
    items: 'Item[]',
  },
  Customer: {
    ...fields('string?', 'id firstName lastName company email phone phoneNational phone2 notes lastModifiedDate'),
    ...fields('integer?', 'birthdayDate birthdayMonth birthdayYear noShowCount'),
    address: 'Address',
    tags: 'CustomerTag[]?',
    subscribed: 'boolean',
  },
  Address: fields('string?', 'line1 line2 city state postalCode country'),
  CustomerTag: fields('string?', 'id identifier name'),
  Table: fields('string?', 'tableId tableName sectionId sectionName'),
  Tag: fields('string?', 'tagType name'),
  Status: fields('string?', 'statusType code name'),
  Payment: {
    ...fields('string?', 'paymentType transactionId currencyCode paymentDate'),
    ...fields('number', 'amount amountDue amountPaid'),
  },
  Item: { ...fields('string?', 'name label paymentType'), price: 'number', quantity: 'integer', extras: 'Extra[]?' },
  Extra: { ...fields('string?', 'name label paymentType'), price: 'number', quantity: 'integer' },
  Reservation: {
    ...fields('string', 'bookingId time bookingStatus serviceId serviceName sectionId errorMessage'),
    ...fields('integer', 'numOfPeople duration'),
    tableNames: 'string[]',
    isSuccess: 'boolean',
  },
  Redemption: { ...fields('string', 'cardNumber status errorMessage'), amountRedeemed: 'number', isSuccess: 'boolean' },
  GiftCard: {
    ...fields('string', 'cardNumber issuedDate expiryDate status paymentType cardFormat experienceCardName'),
    ...fields('string', 'experienceCardDetails purchaserFirstName purchaserLastName purchaserEmail'),
    ...fields('string', 'recipientFirstName recipientLastName recipientEmail'),
    ...fields('number', 'amount remainingAmount'),
  },
  Subscription: fields('string', 'event webhookUrl locationId errorMessage'),
  Receipt: { ...fields('string', 'bookingId bookingRef status'), amountSpent: 'number', pax: 'integer' },
}

/** Returns one line for each place where a value does not have the expected type. */
function findMismatches(value: unknown, type: string, at: string): string[] {
  if (type.endsWith('?'))
    return value === null || value === undefined ? [] : findMismatches(value, type.slice(0, -1), at)
  if (type.endsWith('[]'))
    return Array.isArray(value)
      ? value.flatMap((one, index) => findMismatches(one, type.slice(0, -2), `${at}[${index}]`))
      : [`${at} is ${JSON.stringify(value)}, not a list`]
  const table = OBJECTS[type]
  if (!table) {
    const fits = type === 'integer' ? Number.isInteger(value) : typeof value === type
    return fits ? [] : [`${at} is ${JSON.stringify(value)}, not a ${type}`]
  }
  if (typeof value !== 'object' || value === null) return [`${at} is ${JSON.stringify(value)}, not a ${type}`]
  const members = value as Readonly<Record<string, unknown>>
  const unknown = Object.keys(members).filter((name) => !(name in table))
  return [
    ...unknown.map((name) => `${at}.${name} is not in the table of ${type}`),
    ...Object.entries(table).flatMap(([name, member]) => findMismatches(members[name], member, `${at}.${name}`)),
  ]
}

const EVER = 'StartDate=2000-01-01T00:00:00.000Z&EndDate=2090-01-01T00:00:00.000Z'

async function allItems(send: Send, path: string): Promise<unknown[]> {
  const items: unknown[] = []
  for (;;) {
    const { body } = await send('GET', `${path}&Limit=250&StartIndex=${items.length}`)
    if (body.items.length === 0) return items
    items.push(...body.items)
  }
}

test('no record of a seeded venue has null in a non-nullable field', async ({ send, control }) => {
  await control.seed({ bookings: 300, customers: 50, giftcards: 100 })
  const { bookings } = (await send('GET', `/Bookings?${EVER}&IncludeCustomerDetails=true`)).body
  const customers = (await allItems(send, '/Customers?Sort=asc')) as { fullName: string }[]
  const cards = await allItems(send, '/GiftCards?IncludeCancelled=true&IncludeRedeemed=true&IncludeExpired=true')
  expect([bookings.length > 500, customers.length, cards.length]).toEqual([true, 290, 112])
  const wrong = [
    ...findMismatches(bookings, 'Booking[]', 'bookings'),
    ...findMismatches((await send('GET', '/Bookings/BK-1001')).body, 'Booking', 'booking'),
    ...findMismatches(
      customers.map(({ fullName: _name, ...customer }) => customer),
      'Customer[]',
      'customers',
    ),
    ...findMismatches(cards, 'GiftCard[]', 'cards'),
    ...findMismatches((await send('GET', '/Resources/booking-statuses')).body, 'Status[]', 'statuses'),
  ]
  expect(wrong.slice(0, 20)).toEqual([])
})

test('neither the response to a write nor the record that it creates has null in a non-nullable field', async () => {
  const { sandbox, send } = await freshSandbox()
  const wrong: string[] = []
  const check = async (type: string, method: string, path: string, body?: unknown) => {
    const reply = await send(method, path, body)
    expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(300)
    wrong.push(...findMismatches(reply.body, type, `${method} ${path}`))
    return reply.body
  }
  const card = 'GIFT1-00000100-AAAA'
  const slot = await freeTime(send, 2)
  const reserved = await check('Reservation', 'POST', '/Reservations', { numOfPeople: 2, ...slot, customer: GUEST })
  const time = '2031-05-05 18:00'
  const bare = await check('Reservation', 'POST', '/Bookings', { numOfPeople: 2, time })
  const named = await check('Reservation', 'POST', '/Bookings', {
    numOfPeople: 2,
    time,
    customer: { firstName: 'Ada' },
  })
  await check('Reservation', 'POST', '/Bookings/UpdateBookingAsync', { bookingId: bare.bookingId, time })
  await check('Receipt', 'PATCH', `/Bookings/${bare.bookingId}/updatepax`, { pax: 3 })
  await check('Receipt', 'PATCH', `/Bookings/${bare.bookingId}/updatestatus`, { status: 'ARRIVED' })
  const tables = [{ name: 'T1', section: 'Main Dining' }]
  await check('Receipt', 'PATCH', `/Bookings/${bare.bookingId}/updatetables`, { tables })
  for (const { bookingId } of [reserved, bare, named]) await check('Booking', 'GET', `/Bookings/${bookingId}`)
  await check('Redemption', 'POST', '/GiftCards/redeem', { cardNumber: card, amount: 1 })
  await check('Redemption', 'POST', '/GiftCards/redeem', { cardNumber: 'SPENT-00000000-RRRR', amount: 1 })
  await check('GiftCard', 'GET', `/GiftCards/${card}`)
  const webhookUrl = 'https://receiver.example/hook'
  await check('Subscription', 'POST', '/Webhooks', { event: 'BOOKING_CREATED', webhookUrl })
  await check('Subscription', 'PUT', '/Webhooks/BOOKING_CREATED', { webhookUrl })
  const path = `/partners/${sandbox.partnerName}/giftcards/redeem`
  const text = JSON.stringify({ cardNumber: card, amount: 1, locationId: sandbox.locationId })
  const signature = sign(Buffer.from(text), sandbox.baseUrl + path, sandbox.signingSecret)
  const inbound = await send('POST', path, text, { [sandbox.signatureHeader]: signature })
  expect(inbound.body).toMatchObject({ isSuccess: true, errorMessage: '' })
  expect(wrong).toEqual([])
})
