import { expect, onTestFinished, test } from 'vitest'
import { loadSqlite } from '../../../src/files/sqlite.ts'
import type { SandboxControl } from '../../../src/sandbox/control/control.ts'
import { openControl } from '../../../src/sandbox/control/open.ts'
import { tokenAt } from '../../../src/sandbox/control/token.ts'
import { databasePath } from '../../../src/sandbox/store/data-directory.ts'
import { controlOf, freshDirectory, freshSandbox } from '../fresh-sandbox.ts'

const CARD = 'GIFT1-00000100-AAAA'
const read = `/GiftCards/${CARD}`

async function running() {
  const started = await freshSandbox({ background: true })
  const control = await openControl({ baseUrl: started.sandbox.baseUrl })
  return { ...started, control }
}

test('more requests than the limit allows are 429, for each endpoint and key on its own', async () => {
  const { sandbox, send } = await freshSandbox({ rateLimit: { count: 3, windowMs: 400 } })
  const statuses = async (path: string, key: string) => {
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => send('GET', path, undefined, { 'x-api-key': key })))
    return replies.map((reply) => reply.status).sort()
  }
  expect(await statuses(read, sandbox.apiKey)).toEqual([200, 200, 200, 429, 429])
  expect(await statuses('/GiftCards/SPENT-00000000-RRRR', sandbox.apiKey)).toEqual([429, 429, 429, 429, 429])
  expect(await statuses(read, 'wrong')).toEqual([401, 401, 401, 429, 429])
  expect(await statuses('/Resources/booking-statuses', sandbox.apiKey)).toEqual([200, 200, 200, 429, 429])
  const limited = await send('GET', read)
  expect(limited.body).toEqual({ message: 'You may only perform this action 3 times every 400 milliseconds' })
  await new Promise((resolve) => setTimeout(resolve, 450))
  expect((await send('GET', read)).status).toBe(200)
})

test('a running sandbox in memory takes orders from this user, by its address', async () => {
  const { send, control } = await running()
  await control.addFault({ endpoint: 'GET /GiftCards/{cardNumber}', effect: { kind: 'status', status: 503 }, next: 1 })
  expect(await control.listFaults()).toMatchObject([{ seen: 0, next: 1 }])
  expect([(await send('GET', read)).status, (await send('GET', read)).status]).toEqual([503, 200])
  expect(await control.clearFaults()).toBe(1)
  await expect(control.addFault({ endpoint: 'x', effect: { kind: 'hang' } })).rejects.toMatchObject({ code: 'USAGE' })
})

test('the admin endpoint refuses web pages, other names, and who lacks the token', async () => {
  const { sandbox } = await running()
  const token = tokenAt(Number(new URL(sandbox.baseUrl).port)) ?? ''
  const order = async (headers: Record<string, string>) => {
    const { request } = await import('node:http')
    return new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${sandbox.baseUrl}/_sandbox/control`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ operation: 'listFaults', input: [] }))
    })
  }
  expect(await order({ 'x-sandbox-token': token })).toBe(200)
  expect(await order({ 'x-sandbox-token': token, origin: 'http://localhost:3000' })).toBe(403)
  expect(await order({ 'x-sandbox-token': token, host: 'rebound.example' })).toBe(403)
  expect(await order({ 'x-sandbox-token': 'wrong' })).toBe(401)
  expect(await order({})).toBe(401)
})

test('an operation that fails in the sandbox is not called a mistake of the caller', async () => {
  const data = freshDirectory()
  const { sandbox } = await freshSandbox({ data, background: true })
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(databasePath(data))
  database.exec('DROP TABLE faults')
  database.close()
  const control = await openControl({ baseUrl: sandbox.baseUrl })
  await expect(control.listFaults()).rejects.toMatchObject({
    code: 'INTERNAL',
    message: 'the sandbox could not do it: no such table: faults',
  })
})

test('no token is left behind when a sandbox closes, and an address without one is said', async () => {
  const { sandbox } = await running()
  await sandbox.close()
  expect(tokenAt(Number(new URL(sandbox.baseUrl).port))).toBeNull()
  await expect(openControl({ baseUrl: sandbox.baseUrl })).rejects.toMatchObject({ code: 'USAGE' })
})

test('a sandbox that listens elsewhere than on the loopback takes no orders', async () => {
  const { sandbox } = await freshSandbox({ background: true, host: '0.0.0.0' })
  expect(tokenAt(Number(new URL(sandbox.baseUrl).port))).toBeNull()
})

test.each(['in memory', 'in a directory'])(
  'the journal %s has every request, without secrets, and is read on',
  async (where) => {
    const data = where === 'in memory' ? ':memory:' : freshDirectory()
    const { sandbox, send } = await freshSandbox({ data, background: true })
    const control: SandboxControl =
      where === 'in memory' ? await openControl({ baseUrl: sandbox.baseUrl }) : controlOf(data)
    onTestFinished(() => control.close())
    await send('GET', '/nowhere?x=1')
    await send('POST', '/Webhooks', {
      event: 'BOOKING_CREATED',
      webhookUrl: 'https://a.example',
      securityKey: 'hush-hush',
    })
    await send('GET', read, undefined, { 'x-api-key': 'somebody-elses-key' })
    await new Promise((resolve) => setTimeout(resolve, 300))
    const first = await control.readJournal(0)
    expect(first.entries).toMatchObject([
      { method: 'GET', path: '/nowhere', query: 'x=1', status: 404, endpoint: null, note: 'no endpoint has this path' },
      { endpoint: 'webhooks.create', status: 200, note: null },
      { endpoint: 'giftcards.get', status: 401, note: 'the key was refused' },
    ])
    const text = JSON.stringify(first)
    for (const secret of ['hush-hush', sandbox.apiKey, 'somebody-elses']) expect(text).not.toContain(secret)
    await send('GET', read)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await control.readJournal(first.cursor)).entries).toMatchObject([
      { endpoint: 'giftcards.get', status: 200 },
    ])
  },
)

test('the journal hides every kind of secret that partner itself hides', async () => {
  const { send, control } = await running()
  const body = { password: 'open-sesame-1', api_key: 'open-sesame-2', securityToken: 123456789 }
  await send('POST', '/Webhooks', body, { 'x-security-key': 'open-sesame-3', cookie: 'session=open-sesame-4' })
  const text = JSON.stringify(await control.readJournal(0))
  expect(text).toContain('/Webhooks')
  for (const secret of ['open-sesame', '123456789']) expect(text).not.toContain(secret)
})

test('a fault in the journal says which it was', async () => {
  const { send, control } = await running()
  const { id } = await control.addFault({ endpoint: 'GET /GiftCards/{cardNumber}', effect: { kind: 'reset' }, next: 1 })
  await expect(send('GET', read)).rejects.toThrow()
  expect((await control.readJournal(0)).entries).toMatchObject([{ status: null, faults: [id], note: 'fault: reset' }])
})

test('the clock is set, held, moved on and given back, and the Date header follows it', async () => {
  const { send, control } = await running()
  const at = Date.UTC(2030, 0, 15, 3)
  expect(await control.setClock(at, true)).toEqual({ now: new Date(at).toISOString(), frozen: true, shifted: true })
  expect((await send('GET', read)).headers.get('date')).toBe(new Date(at).toUTCString())
  expect((await control.advanceClock(7_200_000)).now).toBe(new Date(at + 7_200_000).toISOString())
  const week = '/Bookings?StartDate=2030-01-12T00:00:00.000Z&EndDate=2030-01-18T00:00:00.000Z'
  expect((await send('GET', week)).body.count).toBeGreaterThan(20)
  expect(await control.setClock(null, false)).toMatchObject({ frozen: false, shifted: false })
  await expect(control.advanceClock(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ code: 'USAGE' })
})

test('the time of a data directory is the same for all its sandboxes', async () => {
  const data = freshDirectory()
  const one = await freshSandbox({ data })
  await controlOf(data).setClock(Date.UTC(2029, 5, 5), true)
  const other = await freshSandbox({ data })
  for (const { send } of [one, other])
    expect((await send('GET', read)).headers.get('date')).toBe('Tue, 05 Jun 2029 00:00:00 GMT')
})

test('a large venue is made in short time, the same again from the same seed, and listed whole', async () => {
  const data = freshDirectory()
  const large = {
    bookings: 20_000,
    customers: 500,
    giftcards: 500,
    from: Date.UTC(2020, 0, 1),
    to: Date.UTC(2021, 0, 1),
  }
  const control = controlOf(data)
  const started = performance.now()
  expect(await control.seed(large)).toEqual({ bookings: 20_000, customers: 500, giftcards: 500 })
  expect(performance.now() - started).toBeLessThan(10_000)
  await control.seed(large)
  const { send } = await freshSandbox({ data })
  const range =
    '/Bookings?StartDate=2019-12-30T00:00:00.000Z&EndDate=2021-01-03T00:00:00.000Z&IncludeCustomerDetails=true'
  const { body } = await send('GET', range)
  expect([body.count, body.bookings.length]).toEqual([20_000, 20_000])
  expect(new Set(body.bookings.map((one: { bookingId: string }) => one.bookingId)).size).toBe(20_000)
  await expect(control.seed({ bookings: -1 })).rejects.toThrow('bookings must be a whole number')
})
