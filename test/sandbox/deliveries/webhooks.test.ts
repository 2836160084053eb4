import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { deliveredEvent } from '../../../src/contract/webhooks.ts'
import { jsonReply } from '../../../src/http/server/reply.ts'
import { serve } from '../../../src/http/server/serve.ts'
import type { WireRequest } from '../../../src/http/transport.ts'
import { startSandbox } from '../../../src/sandbox/start.ts'
import { controlOf, freshDirectory, freshSandbox, senderTo } from '../fresh-sandbox.ts'

const CARD = 'GIFT1-00000100-AAAA'

/** A receiver that answers as told and keeps what came. */
async function receiver(answer: (at: number) => number = () => 200) {
  const got: { headers: WireRequest['headers']; body: string }[] = []
  const served = await serve(async ({ headers, body }) => {
    got.push({ headers, body: Buffer.from(body ?? []).toString('utf8') })
    return jsonReply(answer(got.length), {})
  })
  onTestFinished(() => served.close())
  return { got, url: `${served.origin}/hook`, close: () => served.close() }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + 8000
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

test('a subscription is made, read, changed and removed by its event', async () => {
  const { sandbox, send } = await freshSandbox()
  const event = 'BOOKING_CREATED'
  const made = await send('POST', '/Webhooks', { event, webhookUrl: 'https://a.example/1', securityKey: 'k' })
  expect(made.body).toEqual({
    event,
    webhookUrl: 'https://a.example/1',
    locationId: sandbox.locationId,
    errorMessage: null,
  })
  const read = { event, webhookUrl: 'https://a.example/1', locationId: sandbox.locationId, authenticationEnabled: true }
  expect((await send('GET', `/Webhooks/${event}`)).body).toEqual(read)
  await send('POST', '/Webhooks', { event, webhookUrl: 'https://b.example/2' })
  expect((await send('GET', '/Webhooks')).body).toEqual([
    { ...read, webhookUrl: 'https://b.example/2', authenticationEnabled: false },
  ])
  expect((await send('PUT', `/Webhooks/${event}`, { webhookUrl: 'https://c.example/3' })).status).toBe(200)
  expect((await send('DELETE', `/Webhooks/${event}`)).status).toBe(200)
  expect((await send('GET', '/Webhooks')).body).toEqual([])
})

test('subscriptions are refused in the documented words', async () => {
  const { send } = await freshSandbox()
  const refused = async (method: string, path: string, body?: object) => {
    const reply = await send(method, path, body)
    return [reply.status, reply.body.message]
  }
  const invalid = [400, 'Request does not contain a valid Event and/or webhook Url']
  const webhookUrl = 'https://a.example'
  expect(await refused('POST', '/Webhooks', { event: 'NOPE', webhookUrl })).toEqual(invalid)
  expect(await refused('POST', '/Webhooks', { event: 'BOOKING_CREATED' })).toEqual(invalid)
  expect(await refused('POST', '/Webhooks', { event: '', webhookUrl: '' })).toEqual(invalid)
  expect(await refused('POST', '/Webhooks', { event: 'BOOKING_CREATED', webhookUrl: 'ftp://a' })).toEqual(invalid)
  expect(await refused('POST', '/Webhooks', { event: 'GIFTCARDS_REDEEMED', webhookUrl: 'https://x.invalid/' })).toEqual(
    [400, 'Giftcard Webhook Request Failed Verification.'],
  )
  const none = [404, "Webhook Subscription for event 'BOOKING_UPDATED' was not found"]
  expect(await refused('GET', '/Webhooks/BOOKING_UPDATED')).toEqual(none)
  expect(await refused('PUT', '/Webhooks/BOOKING_UPDATED', { webhookUrl })).toEqual(none)
  expect(await refused('DELETE', '/Webhooks/BOOKING_UPDATED')).toEqual(none)
  expect(await refused('DELETE', '/Webhooks/NOPE')).toEqual([404, "'NOPE' not found."])
})

test('an event is delivered thin, with the credentials in its headers', async () => {
  const { sandbox, send } = await freshSandbox({ background: true })
  const { got, url } = await receiver()
  const credentials = { securityKey: 'key-1', securityToken: 'token-1' }
  await send('POST', '/Webhooks', { event: 'GIFTCARDS_REDEEMED', webhookUrl: url, ...credentials })
  await send('POST', '/GiftCards/redeem', { cardNumber: CARD, amount: 5 })
  await send('POST', '/GiftCards/redeem', { cardNumber: CARD, amount: 5000 })
  await until(() => got.length > 0)
  expect(got).toHaveLength(1)
  expect(JSON.parse(got[0]?.body ?? '')).toEqual({
    eventType: 'GIFTCARDS_REDEEMED',
    data: { cardNumber: CARD, locationId: sandbox.locationId },
  })
  expect(got[0]?.headers).toMatchObject({ 'x-security-key': 'key-1', 'x-security-token': 'token-1' })
})

test('each change of a booking or a card has its event', async () => {
  const { send } = await freshSandbox({ background: true })
  const { got, url } = await receiver()
  for (const event of ['BOOKING_CREATED', 'BOOKING_UPDATED', 'GIFTCARDS_CANCELLED'])
    await send('POST', '/Webhooks', { event, webhookUrl: url })
  const { bookingId } = (await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-11-20 18:00' })).body
  await send('PATCH', `/Bookings/${bookingId}/updatepax`, { pax: 4 })
  await send('PATCH', '/GiftCards/cancel', { cardNumber: CARD })
  await send('PATCH', '/GiftCards/cancel', { cardNumber: CARD })
  await until(() => got.length >= 3)
  for (const { body } of got) expect(deliveredEvent(z).safeParse(JSON.parse(body)).success).toBe(true)
  expect(got.map(({ body }) => JSON.parse(body).eventType).sort()).toEqual([
    'BOOKING_CREATED',
    'BOOKING_UPDATED',
    'GIFTCARDS_CANCELLED',
  ])
})

test('what is not taken is tried again by the ladder, and every attempt can be seen', async () => {
  const data = freshDirectory()
  const { send } = await freshSandbox({ data, background: true })
  const control = controlOf(data)
  const { got, url } = await receiver((at) => (at < 3 ? 500 : 204))
  await send('POST', '/Webhooks', { event: 'GIFTCARDS_CANCELLED', webhookUrl: url })
  await send('PATCH', '/GiftCards/cancel', { cardNumber: CARD })
  const attempts = async () => (await control.listDeliveries())[0]?.attempts ?? []
  await until(async () => (await attempts()).length === 1)
  const [first] = await control.listDeliveries()
  expect(first).toMatchObject({ state: 'pending', attempts: [{ status: 500, delivered: false }] })
  await control.advanceClock(11_000)
  await until(async () => (await attempts()).length === 2)
  await control.advanceClock(30_000)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(got).toHaveLength(2)
  await control.advanceClock(31_000)
  await until(async () => (await attempts()).length === 3)
  expect((await control.listDeliveries())[0]).toMatchObject({ state: 'delivered', due: null })
})

test('a receiver that is not there is waited for, across restarts', async () => {
  const data = freshDirectory()
  const gone = await receiver()
  await gone.close()
  const first = await startSandbox({ data, background: true })
  const early = senderTo(first)
  await early('POST', '/Webhooks', { event: 'GIFTCARDS_CANCELLED', webhookUrl: gone.url })
  await early('PATCH', '/GiftCards/cancel', { cardNumber: CARD })
  const control = controlOf(data)
  await until(async () => (await control.listDeliveries())[0]?.attempts[0]?.error === 'ECONNREFUSED')
  await first.close()
  const { got, url } = await receiver()
  const { send } = await freshSandbox({ data, background: true })
  await send('PUT', '/Webhooks/GIFTCARDS_CANCELLED', { webhookUrl: url })
  await control.advanceClock(3_600_000)
  await until(() => got.length === 1)
})

test('a one-shot sandbox delivers before it closes', async () => {
  const { got, url } = await receiver()
  const sandbox = await startSandbox({ data: ':memory:' })
  const send = senderTo(sandbox)
  await send('POST', '/Webhooks', { event: 'GIFTCARDS_CANCELLED', webhookUrl: url })
  await send('PATCH', '/GiftCards/cancel', { cardNumber: CARD })
  await sandbox.close()
  expect(got).toHaveLength(1)
})

test('a webhook comes twice, or late, when that is the fault', async () => {
  const data = freshDirectory()
  const { send } = await freshSandbox({ data, background: true })
  const control = controlOf(data)
  const { got, url } = await receiver()
  await send('POST', '/Webhooks', { event: 'GIFTCARDS_REDEEMED', webhookUrl: url })
  const redeem = () => send('POST', '/GiftCards/redeem', { cardNumber: CARD, amount: 1 })
  await control.addFault({ endpoint: 'POST /GiftCards/redeem', effect: { kind: 'duplicate-webhook' }, next: 1 })
  await redeem()
  await until(() => got.length === 2)
  await control.addFault({ endpoint: 'POST /GiftCards/redeem', effect: { kind: 'late-webhook', ms: 60_000 } })
  await redeem()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(got).toHaveLength(2)
  await control.advanceClock(61_000)
  await until(() => got.length === 3)
})

test('time that moves on expires cards and says so', async () => {
  const data = freshDirectory()
  const { send } = await freshSandbox({ data, background: true })
  const { got, url } = await receiver()
  await send('POST', '/Webhooks', { event: 'GIFTCARDS_UPDATED', webhookUrl: url })
  await controlOf(data).advanceClock(4 * 365 * 86_400_000)
  await until(() => got.length >= 7)
  expect((await send('GET', `/GiftCards/${CARD}`)).body.status).toBe('Expired')
  expect((await send('POST', '/GiftCards/redeem', { cardNumber: CARD, amount: 1 })).body.isSuccess).toBe(false)
})
