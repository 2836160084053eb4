import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { sendRaw } from '../../support/raw-client.ts'
import { freshSandbox } from '../fresh-sandbox.ts'

const PATHS = ['/Bookings', '/GiftCards/redeem', '/nowhere', '/_sandbox/page', '/_sandbox/control']

async function openAsk(options: Parameters<typeof freshSandbox>[0] = {}) {
  const { sandbox } = await freshSandbox({ background: true, page: true, ...options })
  const { port } = new URL(sandbox.baseUrl)
  return async (target: string, host: string) => {
    const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, `X-API-KEY: ${sandbox.apiKey}`, 'Connection: close']
    const answer = await sendRaw(Number(port), `${lines.join('\r\n')}\r\n\r\n`)
    return { status: Number(answer.split(' ')[1]), answer }
  }
}

test('the sandbox rejects requests for a foreign host with status 421 on every path', async () => {
  const ask = await openAsk()
  for (const path of PATHS) {
    for (const host of ['rebound.example:4010', '10.0.0.1', 'localhost.example', '127.0.0.1.example', '[::2]'])
      expect((await ask(path, host)).status, `${path} at ${host}`).toBe(421)
    expect((await ask(path, 'rebound.example')).status, path).toBe(421)
    expect((await ask(`http://rebound.example${path}`, 'localhost')).status, path).toBe(421)
  }
  expect((await ask('/Bookings', 'pos.test:80')).answer).toContain('start the sandbox with --allow-host pos.test.')
  expect((await ask('/Bookings', '"><script>')).answer).not.toContain('script')
})

test('the sandbox accepts every loopback name with any port', async () => {
  const ask = await openAsk()
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:8080', '127.1.2.3', '[::1]:4010'])
    expect((await ask('/Resources/booking-statuses', host)).status, host).toBe(200)
})

test('the sandbox matches the host names given with --allow-host case-insensitively', async () => {
  const ask = await openAsk({ allowedHosts: ['Sandbox.test'] })
  expect((await ask('/Resources/booking-statuses', 'sandbox.TEST:4010')).status).toBe(200)
  expect((await ask('/Resources/booking-statuses', 'other.test')).status).toBe(421)
})

test('a sandbox on 0.0.0.0 accepts each address of this machine but no other address or name', async () => {
  const own = Object.values(networkInterfaces())
    .flatMap((one) => one ?? [])
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
  const ask = await openAsk({ host: '0.0.0.0' })
  for (const address of own) expect((await ask('/Resources/booking-statuses', address)).status, address).toBe(200)
  expect((await ask('/Resources/booking-statuses', 'rebound.example')).status).toBe(421)
  expect((await ask('/Resources/booking-statuses', '203.0.113.7')).status).toBe(421)
})
