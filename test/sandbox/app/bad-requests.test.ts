import { expect } from 'vitest'
import { rawAnswer } from '../../support/raw-client.ts'
import { freshSandbox, type Send, test } from '../fresh-sandbox.ts'

const CARD = 'GIFT1-00000100-AAAA'
const stillGood = async (send: Send) => expect((await send('GET', `/GiftCards/${CARD}`)).status).toBe(200)

test.each([
  ['not JSON', '{"cardNumber":', 400],
  ['an array', '[]', 400],
  ['a string', '"x"', 400],
  ['nothing', '', 400],
  ['very deep', '['.repeat(200_000), 400],
  ['deep in a string only', `{"cardNumber":"${'['.repeat(1000)}","amount":1}`, 404],
  ['with __proto__', `{"__proto__":{"cardNumber":"${CARD}","amount":5}}`, 400],
  ['with constructor', `{"constructor":{"prototype":{"amount":5}},"cardNumber":"${CARD}"}`, 400],
  ['control characters', '{"cardNumber":"\\u0000\\u001b[2J\\u202e","amount":1}', 404],
  ['wrong types', '{"cardNumber":{"a":1},"amount":[1]}', 400],
  ['a huge number', `{"cardNumber":"${CARD}","amount":1e400}`, 400],
  ['too large', `{"notes":"${'x'.repeat(2_000_000)}"}`, 413],
])('a body that is %s has a clear status, and the next good request is answered', async (_what, body, status) => {
  const { send } = await freshSandbox()
  const reply = await send('POST', '/GiftCards/redeem', body)
  expect(reply.status).toBe(status)
  expect(typeof (reply.body.message ?? reply.body.title)).toBe('string')
  await stillGood(send)
})

const TIME = '2031-05-05 18:00'
const NAMED = { id: 'x', firstName: 'A', lastName: 'B' }
const BODIES: readonly (readonly [method: string, path: string, body: object])[] = [
  ['POST', '/GiftCards/redeem', { cardNumber: CARD, amount: 1, issuedToEmail: 'a@b.example', notes: 'n' }],
  ['PATCH', '/GiftCards/cancel', { cardNumber: CARD }],
  ['POST', '/Webhooks', { event: 'BOOKING_CREATED', webhookUrl: 'https://a.example', securityKey: 'k' }],
  ['PUT', '/Webhooks/BOOKING_CREATED', { webhookUrl: 'https://a.example', securityToken: 't' }],
  ['PATCH', '/Bookings/BK-1001/updatepax', { pax: 2 }],
  ['PATCH', '/Bookings/BK-1001/updatestatus', { status: 'SEATED' }],
  ['PATCH', '/Bookings/BK-1001/updatetables', { tables: [{ name: 'T1', section: 'Main Dining' }] }],
  [
    'POST',
    '/Bookings',
    {
      numOfPeople: 2,
      time: TIME,
      serviceId: 'svc-dinner',
      sectionId: 'sec-main',
      customer: { ...NAMED, phone: '1', company: 'c', email: 'e', address: { city: 'S' } },
      status: 'SEATED',
      bookingId: 'mine',
      notes: 'n',
      duration: 60,
      staffId: 's',
      staffName: 'S',
      tables: ['tbl-t1'],
      links: [{ linkName: 'l', linkURL: 'u' }],
    },
  ],
  ['POST', '/Bookings/UpdateBookingAsync', { bookingId: 'BK-1001', time: TIME, notes: 'n', tables: ['tbl-t1'] }],
  [
    'POST',
    '/Sales',
    {
      origin: { saleId: 'T-1' },
      source: { type: 'POS' },
      type: 'SALE',
      openedZonedDateTime: '2026-11-20T08:00:00Z',
      closedZonedDateTime: '2026-11-20T08:00:00Z',
      staff: { id: 's' },
      table: { seats: 2, number: 'T1' },
      bookingId: 'BK-1001',
      total: { amount: 100, currency: 'AUD' },
      items: [{ name: 'x', quantity: 1, total: { amount: 100, currency: 'AUD' } }],
      payments: [{ method: 'CARD' }],
    },
  ],
]

/** Each member, however deep, with a value of each other JSON type in its place. */
function* twisted(value: unknown, at: string): Generator<readonly [at: string, value: unknown]> {
  for (const other of ['x', 7, 1.5, true, [[]], { a: 1 }])
    if (kindOf(other) !== kindOf(value)) yield [`${at} = ${JSON.stringify(other)}`, other]
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value))
    for (const [where, twist] of twisted(member, `${at}.${name}`))
      yield [where, Array.isArray(value) ? value.with(Number(name), twist) : { ...value, [name]: twist }]
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

test.for(BODIES)('%s %s: a member of another JSON type is 400', async ([method, path, body], { send }) => {
  await send('POST', '/Webhooks', { event: 'BOOKING_CREATED', webhookUrl: 'https://a.example' })
  const taken: string[] = []
  for (const [at, twist] of twisted(body, '')) {
    const { status } = await send(method, path, twist)
    if (status !== 400) taken.push(`${at}: ${status}`)
  }
  expect(taken).toEqual([])
})

test('a body of another content type is 415', async ({ send }) => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await send('POST', '/GiftCards/redeem', 'cardNumber=1', type)).status).toBe(415)
  await stillGood(send)
})

test('bytes that are no UTF-8 are 400', async ({ sandbox, send }) => {
  const response = await fetch(`${sandbox.baseUrl}/GiftCards/redeem`, {
    method: 'POST',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  })
  expect(response.status).toBe(400)
  await stillGood(send)
})

test('nothing of a request reaches other objects', async ({ send }) => {
  await send('POST', '/Reservations', '{"__proto__":{"polluted":true},"customer":{"__proto__":{"polluted":true}}}')
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('what is no HTTP is answered with 400 and hurts nobody else', async ({ sandbox, send }) => {
  const answer = await rawAnswer(Number(new URL(sandbox.baseUrl).port), '\u0016\u0003\u0001 hello\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  await stillGood(send)
})
