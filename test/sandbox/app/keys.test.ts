import { expect } from 'vitest'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { SANDBOX_KEYS } from '../../../src/sandbox/credentials.ts'
import { test } from '../fresh-sandbox.ts'

const KEYED = Object.values(ENDPOINTS).filter((endpoint) => endpoint.auth === 'api-key')

test('every endpoint with a key gives each documented key state in its own words', async ({ sandbox, send }) => {
  for (const { method, path } of KEYED) {
    const target = path.replace(/\{\w+\}/g, 'x')
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    const answers = async (key: Record<string, string>) => {
      const reply = await send(method, target, body, key)
      return [reply.status, reply.body]
    }
    expect(await answers({ 'x-api-key': '' })).toEqual([401, { message: 'Unauthorized' }])
    expect(await answers({ 'x-api-key': 'wrong' })).toEqual([401, { message: 'Unauthorized' }])
    expect(await answers({ 'x-api-key': sandbox.keys.unknownApp })).toEqual([
      400,
      { message: 'loggedInAppId is required' },
    ])
    expect(await answers({ 'x-api-key': sandbox.keys.unlinkedVenue })).toEqual([
      400,
      { message: 'No Venue Subscribed to your App.' },
    ])
  }
})

test('endpoints that document it say that a key is not associated with a venue', async ({ send }) => {
  const reply = await send('GET', '/Resources/booking-statuses', undefined, { 'x-api-key': SANDBOX_KEYS.noVenue })
  expect([reply.status, reply.body]).toEqual([400, { message: 'API key not associated with a venue' }])
})

test('paths are matched in the case written, and methods that a path does not have are named', async ({ send }) => {
  expect((await send('GET', '/resources/Booking-Statuses')).status).toBe(404)
  expect((await send('GET', '/Bookings/')).status).toBe(404)
  expect((await send('POST', '/Bookings/updatebookingasync')).status).toBe(404)
  const wrongMethod = await send('DELETE', '/GiftCards/redeem')
  expect(wrongMethod.status).toBe(405)
  expect(wrongMethod.headers.get('allow')).toBe('POST, GET')
})
