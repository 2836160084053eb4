import { expect } from 'vitest'
import { sign } from '../../../src/signing/signature.ts'
import type { Sandbox } from '../../../src/studio/start.ts'
import { sendRaw } from '../../support/raw-client.ts'
import { freshSandbox, test } from '../fresh-sandbox.ts'

const CARD = 'GIFT1-00000100-AAAA'

async function inbound(sandbox: Sandbox, path: string, body: string, given?: string) {
  const url = sandbox.baseUrl + path
  const signed = sign(Buffer.from(body), url, sandbox.signingSecret)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [sandbox.signatureHeader]: given ?? signed },
    body,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const path = (rest: string) => `/partners/sandbox-pos${rest}`

test('a signed request can read a balance or redeem an amount if the signature matches the exact bytes of the request', async ({
  sandbox,
}) => {
  const { locationId } = sandbox
  const spaced = `{ "cardNumber":"${CARD}" ,\n"locationId":"${locationId}", "note":"é" }`
  const balance = await inbound(sandbox, path('/giftcards/balance'), spaced)
  expect(balance.body).toMatchObject({ remainingAmount: 100, isSuccess: true, status: 'Active' })
  const redeem = JSON.stringify({ cardNumber: CARD, amount: 40.4, locationId })
  const redeemed = await inbound(sandbox, path('/giftcards/redeem'), redeem)
  expect(redeemed.body).toMatchObject({ isSuccess: true, amountRedeemed: 40.4 })
  expect((await inbound(sandbox, path('/giftcards/balance'), spaced)).body.remainingAmount).toBe(59.6)
})

test('an inbound request with an invalid signature, an unknown partner or an empty body is rejected with status 400', async ({
  sandbox,
}) => {
  const body = JSON.stringify({ cardNumber: CARD, locationId: sandbox.locationId })
  const target = path('/giftcards/balance')
  const right = sign(Buffer.from(body), sandbox.baseUrl + target, sandbox.signingSecret)
  const refused = { status: 400, body: { message: 'Invalid signature.' } }
  expect(await inbound(sandbox, target, body, '')).toEqual(refused)
  expect(await inbound(sandbox, target, `${body} `, right)).toEqual(refused)
  expect(await inbound(sandbox, `${target}?x=1`, body, right)).toEqual(refused)
  expect(await inbound(sandbox, target, body, right.toUpperCase())).toEqual(refused)
  expect(await inbound(sandbox, '/partners/somebody/giftcards/balance', body)).toEqual(refused)
  expect(await inbound(sandbox, target, '')).toEqual({ status: 400, body: { message: 'Request body is empty.' } })
})

test.each([
  ['an upper-case host', 'LOCALHOST', ''],
  ['an explicit default port', '127.0.0.1:80', ''],
  ['quotes in the query', '127.0.0.1', `?till="o'hara"`],
  ['a path that is not normalized', '127.0.0.1', '', '/x/../partners/./sandbox-pos/giftcards/balance'],
])(
  'the signature covers the URL exactly as sent: %s',
  async (_what, host, query, target = path('/giftcards/balance')) => {
    const { sandbox } = await freshSandbox()
    const body = JSON.stringify({ cardNumber: CARD, locationId: sandbox.locationId })
    const signed = sign(Buffer.from(body), `http://${host}${target}${query}`, sandbox.signingSecret)
    const response = await sendRaw(
      Number(new URL(sandbox.baseUrl).port),
      `POST ${target}${query} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `${sandbox.signatureHeader}: ${signed}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    expect(response).toMatch(/^HTTP\/1\.1 200 .*"remainingAmount":100\b/s)
  },
)

test('a failed inbound redemption returns a 200 with isSuccess false', async ({ sandbox }) => {
  const { locationId } = sandbox
  const redeem = (change: object) =>
    inbound(sandbox, path('/giftcards/redeem'), JSON.stringify({ cardNumber: CARD, amount: 1, locationId, ...change }))
  for (const change of [{ amount: 0 }, { amount: 1000 }, { locationId: 'x' }, { cardNumber: 'AAAAA-00000000-AAAA' }])
    expect(await redeem(change)).toMatchObject({ status: 200, body: { isSuccess: false, amountRedeemed: 0 } })
  expect(await redeem({ locationId: undefined })).toEqual({ status: 400, body: { message: 'locationId is required' } })
})

test('an inbound test notification changes nothing, and a sale event that is sent again updates the stored sale', async ({
  sandbox,
  send,
}) => {
  const event = (type: string, body: unknown) =>
    inbound(sandbox, `/Sales/partners/sandbox-pos/events/${type}`, JSON.stringify(body))
  const ignored = { status: 200, body: { outcome: 'ignored' } }
  expect(await event('webhooks.test_notification', { saleId: 's-1' })).toMatchObject(ignored)
  expect(await event('anything.else', [1, 2])).toMatchObject(ignored)
  const { bookingId } = (await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-11-20 18:00' })).body
  const sale = (amount: number) =>
    event('sale.closed', { saleId: 's-1', bookingId, total: { amount, currency: 'AUD' } })
  expect((await sale(1000)).body).toMatchObject({ outcome: 'processed', saleId: 's-1' })
  expect((await sale(2505)).status).toBe(200)
  expect((await send('PATCH', `/Bookings/${bookingId}/updatepax`, { pax: 2 })).body.amountSpent).toBe(25.05)
})
