import { expect, test } from 'vitest'
import { withApiKey } from '../../../src/http/client/auth.ts'
import { jsonReply } from '../../../src/http/server/reply.ts'
import type { WireRequest } from '../../../src/http/transport.ts'

const SERVICE = 'https://service.example'
const request = (url: string): WireRequest => ({ method: 'GET', url: new URL(url), headers: {}, body: null })

test('withApiKey sends the API key only with requests to its own origin', async () => {
  const sent: WireRequest[] = []
  const keyed = withApiKey(SERVICE, async () => 'the-key')
  const transport = keyed(async (request) => {
    sent.push(request)
    return jsonReply(200, {})
  })
  await transport(request(`${SERVICE}/Bookings?x=1`))
  for (const origin of ['https://evil.example', 'http://service.example', `${SERVICE}:8443`, `${SERVICE}.evil`])
    await expect(transport(request(`${origin}/`))).rejects.toThrow(/must not carry the key/)
  expect(sent.map(({ url, headers }) => [url.href, headers['x-api-key']])).toEqual([
    [`${SERVICE}/Bookings?x=1`, 'the-key'],
  ])
})

test('withApiKey does not read the API key until the first request is sent', async () => {
  let reads = 0
  withApiKey(SERVICE, async () => `${reads++}`)(async () => jsonReply(200, {}))
  expect(reads).toBe(0)
})
