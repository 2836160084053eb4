import { expect } from 'vitest'
import {
  controlOf,
  freshDirectory,
  freshSandbox,
  runningSandbox,
  runningTest as test,
  until,
} from '../fresh-sandbox.ts'

const READ = '/GiftCards/GIFT1-00000100-AAAA'

test('the sandbox clock can be set, frozen, advanced and reset, and determines the Date header', async ({
  send,
  control,
}) => {
  const at = Date.UTC(2030, 0, 15, 3)
  expect(await control.setClock(at, true)).toEqual({ now: new Date(at).toISOString(), frozen: true, shifted: true })
  expect((await send('GET', READ)).headers.get('date')).toBe(new Date(at).toUTCString())
  expect((await control.advanceClock(7_200_000)).now).toBe(new Date(at + 7_200_000).toISOString())
  const week = '/Bookings?StartDate=2030-01-12T00:00:00.000Z&EndDate=2030-01-18T00:00:00.000Z'
  expect((await send('GET', week)).body.count).toBeGreaterThan(20)
  expect(await control.setClock(null, false)).toMatchObject({ frozen: false, shifted: false })
})

test('the sandbox clock cannot be advanced to a time that the service cannot represent', async ({ control }) => {
  await expect(control.advanceClock(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ code: 'USAGE' })
  expect(await control.readClock()).toMatchObject({ shifted: false })
})

test('all sandboxes that use one data directory show the same time', async () => {
  const data = freshDirectory()
  const one = await freshSandbox({ data })
  await controlOf(data).setClock(Date.UTC(2029, 5, 5), true)
  for (const { send } of [one, await freshSandbox({ data })])
    expect((await send('GET', READ)).headers.get('date')).toBe('Tue, 05 Jun 2029 00:00:00 GMT')
})

test("a new venue's diary is the same whether it is first read before or after the clock advances", async () => {
  const list = '/Bookings?StartDate=2026-05-20T00:00:00.000Z&EndDate=2026-07-10T00:00:00.000Z'
  const texts = [true, false].map(async (isReadFirst) => {
    const { send, control } = await runningSandbox({ clock: { startAt: Date.UTC(2026, 5, 1), frozen: true } })
    if (isReadFirst) await send('GET', list)
    await control.advanceClock(5 * 86_400_000)
    return (await send('GET', list)).text
  })
  const [early, late] = await Promise.all(texts)
  expect(early).toContain('FINISHED')
  expect(late).toBe(early)
})

test('gift cards expire and subscribers are notified when the clock is advanced', async ({ send, control }) => {
  await send('POST', '/Webhooks', { event: 'GIFTCARDS_UPDATED', webhookUrl: 'http://127.0.0.1:9/hook' })
  await control.advanceClock(4 * 365 * 86_400_000)
  expect((await send('GET', READ)).body.status).toBe('Expired')
  const redeemed = await send('POST', '/GiftCards/redeem', { cardNumber: 'GIFT1-00000100-AAAA', amount: 1 })
  expect(redeemed.body.isSuccess).toBe(false)
  await until(async () => (await control.listDeliveries()).length >= 7)
  const deliveries = await control.listDeliveries()
  expect(deliveries.map(({ event }) => event)).toEqual(deliveries.map(() => 'GIFTCARDS_UPDATED'))
  expect(deliveries.map(({ subject }) => subject)).toContain('GIFT1-00000100-AAAA')
})

test('subscribers are notified of all bookings that appear or change on a new day', async () => {
  const { send, control } = await runningSandbox({ clock: { startAt: Date.UTC(2026, 5, 1, 13, 59), frozen: true } })
  const changes = async () => {
    const period = 'UpdatedFromDate=2026-06-01T13:59:30Z&UpdatedToDate=2100-01-01T00:00:00Z'
    const { body } = await send('GET', `/Bookings?${period}`)
    return (body.bookings as { bookingId: string; bookedAt: string; lastModifiedDate: string }[])
      .map(({ bookingId, bookedAt, lastModifiedDate }) => {
        return `${bookedAt === lastModifiedDate ? 'BOOKING_CREATED' : 'BOOKING_UPDATED'} ${bookingId}`
      })
      .sort()
  }
  expect(await changes()).toEqual([])
  for (const event of ['BOOKING_CREATED', 'BOOKING_UPDATED'])
    await send('POST', '/Webhooks', { event, webhookUrl: 'http://127.0.0.1:9/hook' })
  // Cross the venue's midnight, which is at 14:00 UTC.
  await control.advanceClock(120_000)
  const events = await control.listDeliveries()
  expect(new Set(events.map(({ event }) => event)).size).toBe(2)
  expect(events.map(({ event, subject }) => `${event} ${subject}`).sort()).toEqual(await changes())
})

test('a client that polls for changed bookings finds every booking that changes on a new day', async () => {
  const { send, control } = await runningSandbox({ clock: { startAt: Date.UTC(2026, 5, 1, 3), frozen: true } })
  const changedSince = async (from: string) => {
    const { body } = await send('GET', `/Bookings?UpdatedFromDate=${from}&UpdatedToDate=2100-01-01T00:00:00.000Z`)
    return new Map((body.bookings as { bookingId: string }[]).map((one) => [one.bookingId, JSON.stringify(one)]))
  }
  for (const at of ['2026-06-01T13:59:00.000Z', '2026-06-02T13:59:00.000Z']) {
    // Start one minute before the venue's midnight, which is at 14:00 UTC.
    await control.setClock(Date.parse(at), true)
    const known = await changedSince('2000-01-01T00:00:00.000Z')
    await control.advanceClock(120_000)
    for (const [id, text] of await changedSince(at)) known.set(id, text)
    expect(known).toEqual(await changedSince('2000-01-01T00:00:00.000Z'))
  }
})
