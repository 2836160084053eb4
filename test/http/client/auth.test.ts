import { expect, test } from 'vitest'
import { withApiKey } from '../../../src/http/client/auth.ts'
import { jsonReply } from '../../../src/http/server/reply.ts'
import type { WireRequest } from '../../../src/http/transport.ts'

const request = (url: string): WireRequest => ({ method: 'GET', url: new URL(url), headers: {}, body: null })

test('the key goes with requests to its own origin, and to no other', async () => {
  const sent: WireRequest[] = []
  const transport = withApiKey(
    'https://service.example',
    async () => 'the-key',
  )(async (request) => {
    sent.push(request)
    return jsonReply(200, {})
  })
  await transport(request('https://service.example/Bookings?x=1'))
  for (const url of [
    'https://evil.example/',
    'http://service.example/',
    'https://service.example:8443/',
    'https://service.example.evil/',
  ])
    await expect(transport(request(url))).rejects.toThrow(/must not carry the key/)
  expect(sent.map(({ url, headers }) => [url.href, headers['x-api-key']])).toEqual([
    ['https://service.example/Bookings?x=1', 'the-key'],
  ])
})

test('the key is read when the first request is sent, not before', async () => {
  let reads = 0
  withApiKey('https://service.example', async () => `${reads++}`)(async () => jsonReply(200, {}))
  expect(reads).toBe(0)
})
