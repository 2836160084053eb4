import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import type { FaultSpecification } from '../../../src/sandbox/faults/fault.ts'
import { controlledSandbox, until } from '../fresh-sandbox.ts'

const CARD = 'GIFT1-00000100-AAAA'
const READ = 'GET /GiftCards/{cardNumber}'
const REDEEM = 'POST /GiftCards/redeem'

/** Starts a sandbox and adds the given faults through its control API. */
async function startWithFaults(...faults: FaultSpecification[]) {
  const { sandbox, send, control } = await controlledSandbox()
  for (const fault of faults) await control.addFault(fault)
  const read = () => send('GET', `/GiftCards/${CARD}`)
  const redeem = (amount = 10) => send('POST', '/GiftCards/redeem', { cardNumber: CARD, amount })
  const left = async () => {
    await control.clearFaults()
    return (await read()).body.remainingAmount
  }
  return { sandbox, send, control, read, redeem, left }
}

test("a status fault without a message uses the endpoint's documented message", async () => {
  const { read, redeem, send } = await startWithFaults(
    { endpoint: READ, effect: { kind: 'status', status: 500 } },
    { endpoint: REDEEM, effect: { kind: 'status', status: 500 } },
    { endpoint: 'POST /Reservations', effect: { kind: 'status', status: 500 } },
    { endpoint: 'GET /Resources/booking-statuses', effect: { kind: 'status', status: 429 } },
  )
  expect(await read()).toMatchObject({ status: 500, text: '{"message":"Failed to retrieve the card details."}' })
  expect((await redeem()).body).toEqual({ message: 'Failed to retrieve card details.' })
  const reservation = await send('POST', '/Reservations', {})
  expect(reservation.body).toEqual({ message: 'An error occurred. Unable to create new reservation.' })
  const limited = await send('GET', '/Resources/booking-statuses')
  expect(limited.body).toEqual({ message: 'You may only perform this action 10 times every 1000 milliseconds' })
})

test('a status fault can simulate every documented error with its status and message', async () => {
  const { control, send } = await startWithFaults()
  for (const { method, path, failures, auth } of Object.values(ENDPOINTS)) {
    if (auth !== 'api-key') continue
    for (const failure of Object.values(failures)) {
      const { message, status } = failure
      await control.addFault({ endpoint: `${method} ${path}`, effect: { kind: 'status', status, message }, next: 1 })
      const reply = await send(method, path.replace(/\{\w+\}/g, 'x'), method === 'GET' ? undefined : {})
      expect(reply.status).toBe(status)
      expect(reply.text).not.toMatch(/\{\w+\}/)
      await control.clearFaults()
    }
  }
})

test.each([
  ['POST /Sales', 409, { origin: { saleId: 'S-7' } }, "Sale 'S-7' has already been submitted."],
  ['POST /Sales', 409, {}, 'Sale has already been submitted.'],
  ['POST /Sales', 400, { bookingId: 'BK-9' }, "Booking 'BK-9' not found."],
  ['POST /GiftCards/redeem', 404, { cardNumber: CARD }, `Gift card '${CARD}' not found.`],
  ['POST /GiftCards/redeem', 400, { cardNumber: CARD, amount: 0.5 }, `Invalid redeem amount '0.5' for card '${CARD}'.`],
  ['PATCH /Bookings/BK-1/updatepax', 404, {}, 'bookingId: BK-1 not found'],
  ['POST /Reservations', 400, { status: 'MAYBE' }, 'Invalid booking status MAYBE'],
  ['POST /Reservations', 400, { serviceId: 'svc-x' }, "Invalid Service 'svc-x'"],
  ['GET /Webhooks/NOPE', 404, undefined, "'NOPE' not found."],
  ['GET /GiftCards/AAAAA', 404, undefined, "Gift card 'AAAAA' not found."],
])(
  'a fault on %s with status %d fills its message with values from the request body %j',
  async (request, status, body, message) => {
    const [method = '', path = ''] = request.split(' ')
    const reply = await (await startWithFaults({ endpoint: request, effect: { kind: 'status', status } })).send(
      method,
      path,
      body,
    )
    expect([reply.status, reply.body]).toEqual([status, { message }])
  },
)

test('a fault for booking-statuses applies to both documented spellings of the path', async () => {
  for (const path of ['/Resources/booking-statuses', '/resources/booking-statuses']) {
    const { send } = await startWithFaults({ endpoint: `GET ${path}`, effect: { kind: 'status', status: 503 } })
    expect((await send('GET', '/Resources/booking-statuses')).status).toBe(503)
    expect((await send('GET', '/resources/booking-statuses')).status).toBe(503)
  }
})

test.each<readonly [FaultSpecification['effect'], FaultSpecification['phase'], number]>([
  [{ kind: 'status', status: 500 }, undefined, 100],
  [{ kind: 'status', status: 500 }, 'after', 90],
  [{ kind: 'reset' }, undefined, 100],
  [{ kind: 'reset' }, 'after', 90],
  [{ kind: 'close' }, undefined, 100],
  [{ kind: 'close' }, 'after', 90],
  [{ kind: 'truncate', bytes: 20 }, undefined, 90],
  [{ kind: 'truncate', bytes: 20 }, 'before', 100],
])('redeeming 10 of 100 with the fault %j in phase %s leaves %d on the card', async (effect, phase, remains) => {
  const { redeem, left } = await startWithFaults({ endpoint: REDEEM, effect, phase })
  if (effect.kind === 'status') expect((await redeem()).status).toBe(500)
  else await expect(redeem()).rejects.toThrow()
  expect(await left()).toBe(remains)
})

test('a truncate fault closes the connection before the whole body has been sent', async () => {
  const { sandbox } = await startWithFaults({ endpoint: READ, effect: { kind: 'truncate', bytes: 20 } })
  const socket = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1')
  socket.write(`GET /GiftCards/${CARD} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${sandbox.apiKey}\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket) answer += chunk
  expect(answer).toMatch(
    /^HTTP\/1\.1 200 OK\r\n[\s\S]*content-length: [1-9]\d\d\r\n[\s\S]*\r\n\r\n\{"cardNumber":"GIFT1$/,
  )
})

test('a malformed fault sends a complete response whose body is not valid JSON', async () => {
  const { sandbox } = await startWithFaults({ endpoint: READ, effect: { kind: 'malformed' } })
  const response = await fetch(`${sandbox.baseUrl}/GiftCards/${CARD}`, { headers: { 'x-api-key': sandbox.apiKey } })
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(text).toMatch(/^\{"cardNumber"/)
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
})

test('a dribble fault sends the whole body slowly', async () => {
  const { read } = await startWithFaults({ endpoint: READ, effect: { kind: 'dribble', bytes: 100, everyMs: 60 } })
  const started = performance.now()
  expect((await read()).body.cardNumber).toBe(CARD)
  expect(performance.now() - started).toBeGreaterThan(200)
})

test('a latency fault delays the response', async () => {
  const { read } = await startWithFaults({ endpoint: READ, effect: { kind: 'latency', ms: 400 } })
  const started = performance.now()
  expect((await read()).status).toBe(200)
  expect(performance.now() - started).toBeGreaterThan(390)
})

test.each([{ kind: 'hang' }, { kind: 'latency', ms: 3_600_000 }] as const)(
  'a $kind fault delays neither other requests nor the closing of the sandbox',
  async (effect) => {
    const { sandbox, control, read, send } = await startWithFaults({ endpoint: READ, effect })
    const waiting = expect(read()).rejects.toThrow()
    await until(async () => (await control.listFaults())[0]?.fired === 1)
    expect((await send('GET', '/Resources/booking-statuses')).status).toBe(200)
    await sandbox.close()
    await waiting
  },
)

test('an oversize fault sends a body of the requested size that is still valid JSON', async () => {
  const { body, text } = await (
    await startWithFaults({ endpoint: READ, effect: { kind: 'oversize', bytes: 3_000_000 } })
  ).read()
  expect(text.length).toBeGreaterThan(3_000_000)
  expect(body.cardNumber).toBe(CARD)
})

test("a redirect fault sends the redirect's target in the Location header", async () => {
  const { read } = await startWithFaults({
    endpoint: READ,
    effect: { kind: 'redirect', url: 'https://elsewhere.example/x' },
  })
  const reply = await read()
  expect([reply.status, reply.headers.get('location')]).toEqual([307, 'https://elsewhere.example/x'])
})

test('a skew fault changes the time in the Date header', async () => {
  const { read } = await startWithFaults({ endpoint: READ, effect: { kind: 'skew', ms: -3_600_000 } })
  const off = Date.parse((await read()).headers.get('date') ?? '') - Date.now()
  expect(off).toBeGreaterThan(-3_605_000)
  expect(off).toBeLessThan(-3_595_000)
})

test('next, nth and share select the requests that a fault affects, and a seed makes share reproducible', async () => {
  const struck = async (fault: Omit<FaultSpecification, 'endpoint' | 'effect'>, requests: number) => {
    const { read } = await startWithFaults({ endpoint: READ, effect: { kind: 'status', status: 503 }, ...fault })
    const statuses: number[] = []
    for (let at = 0; at < requests; at++) statuses.push((await read()).status)
    return statuses.map((status) => (status === 503 ? 'x' : '.')).join('')
  }
  expect(await struck({ next: 2 }, 5)).toBe('xx...')
  expect(await struck({ nth: 3 }, 5)).toBe('..x..')
  const shared = await struck({ share: 30, seed: 7 }, 100)
  expect(shared.replaceAll('.', '').length).toBeGreaterThan(15)
  expect(shared.replaceAll('.', '').length).toBeLessThan(45)
  expect(await struck({ share: 30, seed: 7 }, 100)).toBe(shared)
})

test('a * in the endpoint of a fault matches any method or path segment, and the fault is listed until it is cleared', async () => {
  const { control, read, send } = await startWithFaults({
    endpoint: '* /GiftCards/*',
    effect: { kind: 'status', status: 502 },
  })
  expect((await read()).status).toBe(502)
  expect((await send('GET', '/Resources/booking-statuses')).status).toBe(200)
  expect(await control.listFaults()).toMatchObject([{ seen: 1, fired: 1, endpoint: '* /GiftCards/*' }])
  expect(await control.clearFaults()).toBe(1)
  expect((await read()).status).toBe(200)
})

test('addFault rejects an unknown endpoint but accepts the path of a single card', async () => {
  const { control, read, send } = await startWithFaults()
  const effect = { kind: 'status', status: 503 } as const
  await expect(control.addFault({ endpoint: 'GET /giftcards/{cardNumber}', effect })).rejects.toThrow('no endpoint')
  await control.addFault({ endpoint: `GET /GiftCards/${CARD}`, effect })
  expect([(await read()).status, (await send('GET', '/GiftCards/GIFT2-00005025-AAAA')).status]).toEqual([503, 200])
})

test('addFault rejects an invalid fault and reports all of its problems', async () => {
  const { control } = await startWithFaults()
  const fault: FaultSpecification = { endpoint: 'nonsense', effect: { kind: 'status', status: 99 }, share: 101 }
  await expect(control.addFault(fault)).rejects.toMatchObject({ code: 'USAGE', details: { problems: { length: 3 } } })
})
