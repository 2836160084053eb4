import { expect, onTestFinished } from 'vitest'
import * as z from 'zod'
import { deliveredEvent } from '../../../src/contract/webhooks.ts'
import { jsonReply } from '../../../src/http/server/reply.ts'
import { serve } from '../../../src/http/server/serve.ts'
import type { WireRequest } from '../../../src/http/transport.ts'
import { openControl } from '../../../src/sandbox/control/open.ts'
import { startSandbox } from '../../../src/studio/start.ts'
import { startRawServer } from '../../support/raw-server.ts'
import {
  controlledSandbox,
  controlOf,
  freshDirectory,
  freshSandbox,
  refusalOf,
  runningSandbox,
  type Send,
  senderTo,
  runningTest as test,
  until,
} from '../fresh-sandbox.ts'

const CARD = 'GIFT1-00000100-AAAA'

const redeem = (send: Send, amount: number) => send('POST', '/GiftCards/redeem', { cardNumber: CARD, amount })
const cancel = (send: Send) => send('PATCH', '/GiftCards/cancel', { cardNumber: CARD })

/**
 * Starts a webhook receiver that records each request, calls `before`, and then responds with the status that `answer`
 * returns.
 */
async function startReceiver(answer: (at: number) => number = () => 200, before: () => Promise<void> = async () => {}) {
  const got: { headers: WireRequest['headers']; body: string }[] = []
  const served = await serve(async ({ headers, body }) => {
    got.push({ headers, body: Buffer.from(body ?? []).toString('utf8') })
    await before()
    return jsonReply(answer(got.length), {})
  })
  onTestFinished(() => served.close())
  return { got, url: `${served.origin}/hook`, close: () => served.close() }
}

async function subscribeReceiver(send: Send, event: string, ...how: Parameters<typeof startReceiver>) {
  const made = await startReceiver(...how)
  await send('POST', '/Webhooks', { event, webhookUrl: made.url })
  return made
}

/** Triggers an event and waits for its delivery. By then, all events that were due earlier have been delivered. */
async function waitForNextDelivery(send: Send): Promise<void> {
  const { got } = await subscribeReceiver(send, 'BOOKING_CREATED')
  await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-11-20 18:00' })
  await until(() => got.length === 1)
}

test('webhook subscriptions can be created, read, updated and deleted by event', async () => {
  const { sandbox, send } = await freshSandbox()
  const event = 'BOOKING_CREATED'
  const own = { event, webhookUrl: 'https://a.example/1', locationId: sandbox.locationId }
  const made = await send('POST', '/Webhooks', { event, webhookUrl: own.webhookUrl, securityKey: 'k' })
  expect(made.body).toEqual({ ...own, errorMessage: '' })
  const read = { ...own, authenticationEnabled: true }
  expect((await send('GET', `/Webhooks/${event}`)).body).toEqual(read)
  await send('POST', '/Webhooks', { event, webhookUrl: 'https://b.example/2' })
  expect((await send('GET', '/Webhooks')).body).toEqual([
    { ...read, webhookUrl: 'https://b.example/2', authenticationEnabled: false },
  ])
  expect((await send('PUT', `/Webhooks/${event}`, { webhookUrl: 'https://c.example/3' })).status).toBe(200)
  expect((await send('DELETE', `/Webhooks/${event}`)).status).toBe(200)
  expect((await send('GET', '/Webhooks')).body).toEqual([])
})

test('updating a subscription changes its URL or credentials and does not touch omitted members', async ({
  send,
  control,
}) => {
  const { got, url } = await startReceiver()
  const event = 'GIFTCARDS_REDEEMED'
  await send('POST', '/Webhooks', { event, webhookUrl: url, securityKey: 'old', securityToken: 'token' })
  const change = { securityKey: 'new' }
  expect(await send('PUT', `/Webhooks/${event}`, change)).toMatchObject({ status: 200, body: { webhookUrl: url } })
  await redeem(send, 1)
  await until(() => got.length === 1)
  expect(got[0]?.headers).toMatchObject({ 'x-security-key': 'new', 'x-security-token': 'token' })
  const message = 'Request does not contain a valid Event and/or webhook Url'
  for (const body of [{}, { webhookUrl: '' }, { webhookUrl: null }, { webhookUrl: 'ftp://a', securityKey: 'k' }])
    expect(await send('PUT', `/Webhooks/${event}`, body)).toMatchObject({ status: 400, body: { message } })
  expect(await control.listDeliveries()).toHaveLength(1)
})

test('invalid subscription requests are rejected with the documented messages', async () => {
  const { send } = await freshSandbox()
  const refused = (...asked: Parameters<Send>) => refusalOf(send(...asked))
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

test("an event's body contains only the ID of its subject, and its credentials are in the headers", async ({
  sandbox,
  send,
  control,
}) => {
  const { got, url } = await startReceiver()
  const credentials = { securityKey: 'key-1', securityToken: 'token-1' }
  await send('POST', '/Webhooks', { event: 'GIFTCARDS_REDEEMED', webhookUrl: url, ...credentials })
  await redeem(send, 5)
  await redeem(send, 5000)
  await until(() => got.length > 0)
  expect(JSON.parse(got[0]?.body ?? '')).toEqual({
    eventType: 'GIFTCARDS_REDEEMED',
    data: { cardNumber: CARD, locationId: sandbox.locationId },
  })
  expect(got[0]?.headers).toMatchObject({ 'x-security-key': 'key-1', 'x-security-token': 'token-1' })
  expect(await control.listDeliveries()).toHaveLength(1)
})

test('creating a booking, updating a booking and cancelling a card each send one event', async ({ send, control }) => {
  const { got, url } = await startReceiver()
  const events = ['BOOKING_CREATED', 'BOOKING_UPDATED', 'GIFTCARDS_CANCELLED']
  for (const event of events) await send('POST', '/Webhooks', { event, webhookUrl: url })
  const { bookingId } = (await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-11-20 18:00' })).body
  await send('PATCH', `/Bookings/${bookingId}/updatepax`, { pax: 4 })
  await cancel(send)
  await cancel(send)
  expect((await control.listDeliveries()).map(({ event }) => event)).toEqual(events)
  await until(() => got.length >= events.length)
  for (const { body } of got) expect(deliveredEvent(z).safeParse(JSON.parse(body)).success).toBe(true)
  expect(got.map(({ body }) => JSON.parse(body).eventType).sort()).toEqual(events)
})

test('a failed delivery is retried after increasing delays, and every attempt is listed', async () => {
  const { send, control } = await controlledSandbox({ background: true })
  const { got } = await subscribeReceiver(send, 'GIFTCARDS_CANCELLED', (at) => (at < 3 ? 500 : 204))
  await cancel(send)
  const cancelled = async () => (await control.listDeliveries()).find(({ event }) => event === 'GIFTCARDS_CANCELLED')
  const tried = (times: number) => until(async () => (await cancelled())?.attempts.length === times)
  await tried(1)
  expect(await cancelled()).toMatchObject({ state: 'pending', attempts: [{ status: 500, delivered: false }] })
  await control.advanceClock(11_000)
  await tried(2)
  await control.advanceClock(30_000)
  await waitForNextDelivery(send)
  expect(got).toHaveLength(2)
  await control.advanceClock(31_000)
  await tried(3)
  expect(await cancelled()).toMatchObject({ state: 'delivered', due: null })
})

test('a delivery to an unreachable receiver is retried after the sandbox restarts', async () => {
  const data = freshDirectory()
  const gone = await startReceiver()
  await gone.close()
  const first = await startSandbox({ data, background: true })
  const early = senderTo(first)
  await early('POST', '/Webhooks', { event: 'GIFTCARDS_CANCELLED', webhookUrl: gone.url })
  await cancel(early)
  const control = controlOf(data)
  await until(async () => (await control.listDeliveries())[0]?.attempts[0]?.error === 'ECONNREFUSED')
  await first.close()
  const { got, url } = await startReceiver()
  const { send } = await freshSandbox({ data, background: true })
  await send('PUT', '/Webhooks/GIFTCARDS_CANCELLED', { webhookUrl: url })
  await control.advanceClock(3_600_000)
  await until(() => got.length === 1)
})

const SECOND = 1000

test('advancing the clock performs all delivery attempts that become due, each at its scheduled time', async () => {
  const startAt = Date.UTC(2026, 10, 20)
  const { send, control } = await runningSandbox({ clock: { startAt, frozen: true } })
  const { got } = await subscribeReceiver(send, 'GIFTCARDS_REDEEMED', () => 503)
  await redeem(send, 1)
  await until(async () => (await control.listDeliveries())[0]?.attempts.length === 1)
  await control.advanceClock(5 * SECOND)
  await send('POST', '/GiftCards/redeem', { cardNumber: 'GIFT2-00005025-AAAA', amount: 1 })
  await until(async () => (await control.listDeliveries())[1]?.attempts.length === 1)
  expect(await control.advanceClock(3600 * SECOND)).toMatchObject({ now: '2026-11-20T01:00:05.000Z', frozen: true })
  const deliveries = await control.listDeliveries()
  const ladder = [0, 10, 70, 370, 2170].map((after) => startAt + after * SECOND)
  const times = (at: number) => deliveries[at]?.attempts.map((attempt) => Date.parse(attempt.at))
  expect([times(0), times(1)]).toEqual([ladder, ladder.map((at) => at + 5 * SECOND)])
  expect(deliveries.map(({ due }) => due)).toEqual(['2026-11-20T02:36:10.000Z', '2026-11-20T02:36:15.000Z'])
  const subjects = got.map(({ body }) => JSON.parse(body).data.cardNumber)
  expect(subjects).toEqual([...ladder.keys()].flatMap(() => [CARD, 'GIFT2-00005025-AAAA']))
})

test('when a running clock is advanced, gift cards expire and the sandbox attempts to deliver their events', async ({
  send,
  control,
}) => {
  await subscribeReceiver(send, 'GIFTCARDS_UPDATED', () => 500)
  const before = Date.now()
  const { now, frozen } = await control.advanceClock(4 * 365 * 86_400 * SECOND)
  const passed = Date.parse(now) - before - 4 * 365 * 86_400 * SECOND
  expect([passed >= 0, passed <= Date.now() - before, frozen]).toEqual([true, true, false])
  const card = (await send('GET', `/GiftCards/${CARD}`)).body
  const delivery = (await control.listDeliveries()).find(({ subject }) => subject === CARD)
  expect(Date.parse(delivery?.created ?? '') - Date.parse(card.expiryDate)).toBeLessThan(60 * SECOND)
  expect(delivery).toMatchObject({ state: 'failed', attempts: { length: 8 } })
})

test('bulk seeding sends one GIFTCARDS_CREATED event for each new gift card', async () => {
  const data = freshDirectory()
  const { send } = await freshSandbox({ data, background: true })
  const { got } = await subscribeReceiver(send, 'GIFTCARDS_CREATED')
  const control = await openControl({ data })
  onTestFinished(() => control.close())
  for (const giftcards of [2, 2, 3]) await control.seed({ giftcards })
  await until(() => got.length === 3)
  const numbers = got.map(({ body }) => JSON.parse(body).data.cardNumber)
  expect(new Set(numbers).size).toBe(3)
  for (const number of numbers) expect((await send('GET', `/GiftCards/${number}`)).status).toBe(200)
  expect(got.map(({ body }) => JSON.parse(body).eventType)).toEqual(numbers.map(() => 'GIFTCARDS_CREATED'))
})

test('an in-memory sandbox delivers pending webhooks before it closes', async () => {
  const { got, url } = await startReceiver()
  const sandbox = await startSandbox({ data: ':memory:' })
  const send = senderTo(sandbox)
  await send('POST', '/Webhooks', { event: 'GIFTCARDS_CANCELLED', webhookUrl: url })
  await cancel(send)
  await sandbox.close()
  expect(got).toHaveLength(1)
})

test('a duplicate-webhook fault delivers an event twice, and a late-webhook fault delivers it late', async () => {
  const { send, control } = await controlledSandbox({ background: true })
  const { got } = await subscribeReceiver(send, 'GIFTCARDS_REDEEMED')
  await control.addFault({ endpoint: 'POST /GiftCards/redeem', effect: { kind: 'duplicate-webhook' }, next: 1 })
  await redeem(send, 1)
  await until(() => got.length === 2)
  await control.addFault({ endpoint: 'POST /GiftCards/redeem', effect: { kind: 'late-webhook', ms: 60_000 } })
  await redeem(send, 1)
  await waitForNextDelivery(send)
  expect(got).toHaveLength(2)
  await control.advanceClock(61_000)
  await until(() => got.length === 3)
})

test('a lost-webhook fault suppresses an event, and its delivery is listed as dropped', async ({ send, control }) => {
  const { got } = await subscribeReceiver(send, 'GIFTCARDS_REDEEMED')
  for (const effect of [{ kind: 'lost-webhook' }, { kind: 'duplicate-webhook' }] as const)
    await control.addFault({ endpoint: 'POST /GiftCards/redeem', effect, next: 1 })
  await redeem(send, 1)
  await redeem(send, 2)
  await waitForNextDelivery(send)
  expect(got).toHaveLength(1)
  const [lost, next] = await control.listDeliveries()
  expect(lost).toMatchObject({ event: 'GIFTCARDS_REDEEMED', subject: CARD, state: 'dropped', due: null, attempts: [] })
  expect(next).toMatchObject({ state: 'delivered' })
})

test('deleting a subscription drops its pending deliveries, and a later subscriber does not receive them', async ({
  send,
  control,
}) => {
  const refusing = await startReceiver(() => 500)
  const event = 'GIFTCARDS_REDEEMED'
  await send('POST', '/Webhooks', { event, webhookUrl: refusing.url })
  await redeem(send, 1)
  await until(async () => (await control.listDeliveries())[0]?.attempts.length === 1)
  await send('DELETE', `/Webhooks/${event}`)
  expect(await control.listDeliveries()).toMatchObject([{ state: 'dropped', due: null }])
  const next = await startReceiver()
  await send('POST', '/Webhooks', { event, webhookUrl: next.url })
  await control.advanceClock(3_600_000)
  await redeem(send, 2)
  await until(() => next.got.length > 0)
  expect((await control.listDeliveries()).map(({ state, attempts }) => [state, attempts.length])).toEqual([
    ['dropped', 1],
    ['delivered', 1],
  ])
})

test('a failed attempt is not retried if its subscription has been deleted since', async ({ send, control }) => {
  const event = 'GIFTCARDS_REDEEMED'
  const { got, url } = await startReceiver(
    () => 500,
    async () => void (await send('DELETE', `/Webhooks/${event}`)),
  )
  await send('POST', '/Webhooks', { event, webhookUrl: url })
  await redeem(send, 1)
  await until(async () => (await control.listDeliveries())[0]?.attempts.length === 1)
  expect(await control.listDeliveries()).toMatchObject([{ state: 'dropped', due: null }])
  expect(got).toHaveLength(1)
})

test('a redirect counts as a failed delivery and is not followed', async ({ send, control }) => {
  const target = await startReceiver()
  const served = await serve(async () => jsonReply(307, {}, { location: target.url }))
  onTestFinished(() => served.close())
  await send('POST', '/Webhooks', { event: 'GIFTCARDS_REDEEMED', webhookUrl: served.origin })
  await redeem(send, 1)
  await until(async () => (await control.listDeliveries())[0]?.attempts.length === 1)
  expect(await control.listDeliveries()).toMatchObject([
    { state: 'pending', attempts: [{ status: 307, delivered: false }] },
  ])
  expect(target.got).toEqual([])
})

test('a 200 response whose body never ends counts as delivered, and the connection is closed', async ({
  send,
  control,
}) => {
  const gone = Promise.withResolvers<void>()
  const endless = await startRawServer([
    (socket) => {
      socket.on('close', () => gone.resolve())
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n')
    },
  ])
  await send('POST', '/Webhooks', { event: 'GIFTCARDS_REDEEMED', webhookUrl: endless.baseUrl })
  await redeem(send, 1)
  await until(async () => (await control.listDeliveries())[0]?.state === 'delivered')
  await gone.promise
})
