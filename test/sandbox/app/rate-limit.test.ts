import { expect } from 'vitest'
import { freshSandbox, test, until } from '../fresh-sandbox.ts'

const READ = '/GiftCards/GIFT1-00000100-AAAA'

test('the rate limit applies separately to each endpoint and key, and excess requests receive a 429', async () => {
  const { sandbox, send } = await freshSandbox({ rateLimit: { count: 3, windowMs: 600_000 } })
  const statuses = async (path: string, key: string) => {
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => send('GET', path, undefined, { 'x-api-key': key })))
    return replies.map((reply) => reply.status).sort()
  }
  expect(await statuses(READ, sandbox.apiKey)).toEqual([200, 200, 200, 429, 429])
  expect(await statuses('/GiftCards/SPENT-00000000-RRRR', sandbox.apiKey)).toEqual([429, 429, 429, 429, 429])
  expect(await statuses(READ, 'wrong')).toEqual([401, 401, 401, 429, 429])
  expect(await statuses('/Resources/booking-statuses', sandbox.apiKey)).toEqual([200, 200, 200, 429, 429])
  const limited = await send('GET', READ)
  expect(limited.body).toEqual({ message: 'You may only perform this action 3 times every 600000 milliseconds' })
})

test('the rate limit counts both spellings of the statuses path together and also limits signed requests', async () => {
  const { send } = await freshSandbox({ rateLimit: { count: 2, windowMs: 600_000 } })
  const statuses = ['/Resources/booking-statuses', '/resources/booking-statuses', '/resources/booking-statuses']
  const answered = []
  for (const path of statuses) answered.push((await send('GET', path)).status)
  for (const card of ['a', 'b', 'c'])
    answered.push((await send('POST', '/partners/sandbox-pos/giftcards/balance', { cardNumber: card })).status)
  expect(answered).toEqual([200, 200, 429, 400, 400, 429])
})

test("requests are accepted again once the rate limit's window has passed", async () => {
  const { send } = await freshSandbox({ rateLimit: { count: 1, windowMs: 300 } })
  const statusesOfThree = async () =>
    (await Promise.all([1, 2, 3].map(() => send('GET', READ)))).map(({ status }) => status)
  await until(async () => (await statusesOfThree()).includes(429))
  await until(async () => (await send('GET', READ)).status === 200)
})

test('requests are not limited unless a rate limit is configured', async ({ send }) => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => send('GET', READ)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
})
