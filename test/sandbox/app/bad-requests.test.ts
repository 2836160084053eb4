import { expect } from 'vitest'
import { sendRaw } from '../../support/raw-client.ts'
import { freshSandbox, type Send, test } from '../fresh-sandbox.ts'

const CARD = 'GIFT1-00000100-AAAA'
const expectStillWorking = async (send: Send) => expect((await send('GET', `/GiftCards/${CARD}`)).status).toBe(200)

test.each([
  ['invalid JSON', '{"cardNumber":', 400],
  ['an array', '[]', 400],
  ['a string', '"x"', 400],
  ['empty', '', 400],
  ['very deeply nested', '['.repeat(200_000), 400],
  ['flat but contains deep brackets in a string', `{"cardNumber":"${'['.repeat(1000)}","amount":1}`, 404],
  ['an object with __proto__', `{"__proto__":{"cardNumber":"${CARD}","amount":5}}`, 400],
  ['an object with constructor', `{"constructor":{"prototype":{"amount":5}},"cardNumber":"${CARD}"}`, 400],
  ['full of control characters', '{"cardNumber":"\\u0000\\u001b[2J\\u202e","amount":1}', 404],
  ['made of wrong types', '{"cardNumber":{"a":1},"amount":[1]}', 400],
  ['an object with a huge number', `{"cardNumber":"${CARD}","amount":1e400}`, 400],
  ['too large', `{"notes":"${'x'.repeat(2_000_000)}"}`, 413],
])(
  'the sandbox explains what is wrong with a body that is %s, and still handles the next request',
  async (_what, body, status) => {
    const { send } = await freshSandbox()
    const reply = await send('POST', '/GiftCards/redeem', body)
    expect(reply.status).toBe(status)
    expect(typeof (reply.body.message ?? reply.body.title)).toBe('string')
    await expectStillWorking(send)
  },
)

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

/** Yields copies of a value. In each copy, one member at any depth has a different JSON type. */
function* withWrongTypes(value: unknown, at: string): Generator<readonly [at: string, value: unknown]> {
  for (const other of ['x', 7, 1.5, true, [[]], { a: 1 }])
    if (kindOf(other) !== kindOf(value)) yield [`${at} = ${JSON.stringify(other)}`, other]
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value))
    for (const [where, wrong] of withWrongTypes(member, `${at}.${name}`))
      yield [where, Array.isArray(value) ? value.with(Number(name), wrong) : { ...value, [name]: wrong }]
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

test.for(BODIES)(
  '%s %s responds with status 400 to every member of the wrong JSON type',
  async ([method, path, body], { send }) => {
    await send('POST', '/Webhooks', { event: 'BOOKING_CREATED', webhookUrl: 'https://a.example' })
    const accepted: string[] = []
    for (const [at, wrong] of withWrongTypes(body, '')) {
      const { status } = await send(method, path, wrong)
      if (status !== 400) accepted.push(`${at}: ${status}`)
    }
    expect(accepted).toEqual([])
  },
)

test('the sandbox responds with status 415 to a body whose content type is not JSON', async ({ send }) => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await send('POST', '/GiftCards/redeem', 'cardNumber=1', type)).status).toBe(415)
  await expectStillWorking(send)
})

test('the sandbox responds with status 400 to a body that is not valid UTF-8', async ({ sandbox, send }) => {
  const response = await fetch(`${sandbox.baseUrl}/GiftCards/redeem`, {
    method: 'POST',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  })
  expect(response.status).toBe(400)
  await expectStillWorking(send)
})

test('a request with __proto__ members does not modify Object.prototype', async ({ send }) => {
  await send('POST', '/Reservations', '{"__proto__":{"polluted":true},"customer":{"__proto__":{"polluted":true}}}')
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('the sandbox responds with status 400 to bytes that are not HTTP, and still handles other requests', async ({
  sandbox,
  send,
}) => {
  const response = await sendRaw(Number(new URL(sandbox.baseUrl).port), '\u0016\u0003\u0001 hello\r\n\r\n')
  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  await expectStillWorking(send)
})
