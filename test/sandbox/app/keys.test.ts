import { expect } from 'vitest'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { SANDBOX_KEYS } from '../../../src/sandbox/credentials.ts'
import { answerOf, test } from '../fresh-sandbox.ts'

test('every endpoint that needs an API key rejects each kind of bad key with the documented message', async ({
  sandbox,
  send,
}) => {
  for (const { method, path } of Object.values(ENDPOINTS).filter((endpoint) => endpoint.auth === 'api-key')) {
    const target = path.replace(/\{\w+\}/g, 'x')
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    for (const [key, status, message] of [
      ['', 401, 'Unauthorized'],
      ['wrong', 401, 'Unauthorized'],
      [sandbox.keys.unknownApp, 400, 'loggedInAppId is required'],
      [sandbox.keys.unlinkedVenue, 400, 'No Venue Subscribed to your App.'],
    ] as const)
      expect(await answerOf(send(method, target, body, { 'x-api-key': key }))).toEqual([status, { message }])
  }
})

test('a key without a venue is rejected with the message that the endpoint documents', async ({ send }) => {
  const sent = send('GET', '/Resources/booking-statuses', undefined, { 'x-api-key': SANDBOX_KEYS.noVenue })
  expect(await answerOf(sent)).toEqual([400, { message: 'API key not associated with a venue' }])
})

test('a path in the wrong case receives a 404, and a wrong method receives a 405 that lists the allowed methods', async ({
  send,
}) => {
  expect((await send('GET', '/resources/Booking-Statuses')).status).toBe(404)
  expect((await send('GET', '/Bookings/')).status).toBe(404)
  expect((await send('POST', '/Bookings/updatebookingasync')).status).toBe(404)
  const wrongMethod = await send('DELETE', '/GiftCards/redeem')
  expect(wrongMethod.status).toBe(405)
  expect(wrongMethod.headers.get('allow')).toBe('POST, GET')
})
