import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parseNdjson } from '../../support/ndjson.ts'
import { controlOf, freshDirectory, runningSandbox, runningTest as test, until } from '../fresh-sandbox.ts'

const READ = '/GiftCards/GIFT1-00000100-AAAA'

test.each(['in memory', 'in a directory'])(
  'the journal %s contains every request without its secrets and can be read from any cursor',
  async (where) => {
    const data = where === 'in memory' ? ':memory:' : freshDirectory()
    const { sandbox, send, control: remote } = await runningSandbox({ data })
    const control = where === 'in memory' ? remote : controlOf(data)
    const entriesFrom = async (cursor: number, count: number) => {
      await until(async () => (await control.readJournal(cursor)).entries.length >= count)
      return control.readJournal(cursor)
    }
    const subscription = { event: 'BOOKING_CREATED', webhookUrl: 'https://a.example', securityKey: 'hush-hush' }
    await send('GET', '/nowhere?x=1')
    await send('POST', '/Webhooks', subscription)
    await send('GET', READ, undefined, { 'x-api-key': 'somebody-elses-key' })
    const first = await entriesFrom(0, 3)
    expect(first.entries).toMatchObject([
      { method: 'GET', path: '/nowhere', query: 'x=1', status: 404, endpoint: null, note: 'no endpoint has this path' },
      { endpoint: 'webhooks.create', status: 200, note: null },
      { endpoint: 'giftcards.get', status: 401, note: 'the key was rejected: Unauthorized' },
    ])
    const text = JSON.stringify(first)
    for (const secret of ['hush-hush', sandbox.apiKey, 'somebody-elses']) expect(text).not.toContain(secret)
    await send('GET', READ)
    expect((await entriesFrom(first.cursor, 1)).entries).toMatchObject([{ endpoint: 'giftcards.get', status: 200 }])
  },
)

test('a request is in the journal file before its response arrives', async () => {
  const data = freshDirectory()
  const { sandbox, send, control } = await runningSandbox({ data })
  const entries = () => parseNdjson(readFileSync(join(data, 'journal.ndjson'), 'utf8'))
  for (let round = 1; round <= 5; round++) {
    await send('GET', `/nowhere/${round}`)
    expect(entries().at(-1)).toMatchObject({ path: `/nowhere/${round}`, status: 404 })
  }
  // Also check a streamed response, concurrent requests and a reset connection.
  await fetch(`${sandbox.baseUrl}/Bookings?StartDate=2020-01-01T00:00:00.000Z&EndDate=2040-01-01T00:00:00.000Z`, {
    headers: { 'x-api-key': sandbox.apiKey },
  })
  expect(entries().at(-1)).toMatchObject({ path: '/Bookings', status: 200 })
  const seen = Array.from({ length: 20 }, async () => {
    await send('GET', READ)
    return entries().filter(({ path }) => path === READ).length
  })
  expect(Math.min(...(await Promise.all(seen)))).toBeGreaterThan(0)
  await control.addFault({ endpoint: 'GET /GiftCards/{cardNumber}', effect: { kind: 'reset' }, next: 1 })
  await expect(send('GET', READ)).rejects.toThrow()
  expect(entries().at(-1)).toMatchObject({ status: null, note: 'fault: reset' })
})

test('the journal masks secrets in headers and bodies', async ({ send, control }) => {
  const body = { password: 'open-sesame-1', api_key: 'open-sesame-2', securityToken: 123456789 }
  await send('POST', '/Webhooks', body, { 'x-security-key': 'open-sesame-3', cookie: 'session=open-sesame-4' })
  const text = JSON.stringify(await control.readJournal(0))
  expect(text).toContain('/Webhooks')
  for (const secret of ['open-sesame', '123456789']) expect(text).not.toContain(secret)
})

test('the journal shows which fault affected a request, with a null status if no response was sent', async ({
  send,
  control,
}) => {
  const { id } = await control.addFault({ endpoint: 'GET /GiftCards/{cardNumber}', effect: { kind: 'reset' }, next: 1 })
  await expect(send('GET', READ)).rejects.toThrow()
  expect((await control.readJournal(0)).entries).toMatchObject([
    { endpoint: 'giftcards.get', status: null, faults: [id], note: 'fault: reset' },
  ])
})

test('the journal contains the error message for a rejected request', async ({ send, control }) => {
  const cardNumber = 'GIFT1-00000100-AAAA'
  await send('POST', '/GiftCards/redeem', { cardNumber, amount: 0 })
  await send('POST', '/GiftCards/redeem', { cardNumber, amount: 5000 })
  await send('POST', '/Reservations', { numOfPeople: '2' })
  await send('GET', '/Bookings/nobody')
  await send('POST', '/GiftCards/redeem', '{')
  await send('PATCH', '/GiftCards/cancel', { cardNumber: 'VOIDS-00000000-CCCC' })
  await send('POST', '/GiftCards/redeem', { cardNumber, amount: 1 })
  expect((await control.readJournal(0)).entries.map(({ status, note }) => [status, note])).toEqual([
    [400, `Invalid redeem amount '0' for card '${cardNumber}'.`],
    [200, 'The amount is more than the remaining balance of the gift card.'],
    [400, 'numOfPeople: The value of numOfPeople is not valid: it has the wrong type.'],
    [404, "Booking 'nobody' not found."],
    [400, 'The request body is not valid JSON.'],
    [304, null],
    [200, null],
  ])
})

test('the journal shows why a key or a signed request was rejected', async ({ send, control }) => {
  const keys = ['sandbox_key_unknown_app', 'sandbox_key_unlinked_venue', 'sandbox_key_no_venue']
  for (const key of keys) await send('GET', READ, undefined, { 'x-api-key': key })
  await send('POST', '/partners/sandbox-pos/giftcards/balance', '')
  expect((await control.readJournal(0)).entries.map(({ note }) => note)).toEqual([
    'the key was rejected: loggedInAppId is required',
    'the key was rejected: No Venue Subscribed to your App.',
    'the key was rejected: API key not associated with a venue',
    'Request body is empty.',
  ])
})

test('the journal reports wrong methods, invalid signatures and requests over the rate limit', async () => {
  const { send, control } = await runningSandbox({ rateLimit: { count: 1, windowMs: 600_000 } })
  await send('DELETE', '/Webhooks')
  await send('POST', '/partners/sandbox-pos/giftcards/balance', '{}', { 'x-partner-signature': 'wrong' })
  await send('GET', READ)
  await send('GET', READ)
  expect((await control.readJournal(0)).entries).toMatchObject([
    { endpoint: null, status: 405, note: 'this path accepts only GET, POST' },
    { endpoint: 'inbound.balance', status: 400, note: 'Invalid signature.' },
    { endpoint: 'giftcards.get', status: 200, note: null },
    { endpoint: 'giftcards.get', status: 429, note: 'over the rate limit' },
  ])
})
