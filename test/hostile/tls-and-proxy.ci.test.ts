import { describe, expect, test } from 'vitest'
import { CARD, COMMAND_LINES, openShop, type Shop } from '../money/cashier.ts'
import type { Fault } from '../money/commit-server.ts'
import { needs } from '../support/needs.ts'
import { OPENSSL } from '../support/openssl.ts'
import { type Run, runPartner } from '../support/partner.ts'
import { freePort, RAW_KEY, startRawServer } from '../support/raw-server.ts'
import { expectRefusal, reportedError } from '../support/refusal.ts'
import { startPartner } from '../support/running.ts'
import { until } from '../support/until.ts'
import { words } from '../support/words.ts'
import { createCertificate, startTlsFront, startTunnelProxy } from './tls-service.ts'

const GET = ['giftcards', 'get', CARD, '--json']
const REDEEM = COMMAND_LINES['giftcards redeem']
const withoutJson = (args: readonly string[]) => args.filter((word) => word !== '--json')

/** Opens the test shop behind TLS at 127.0.0.1. */
async function openSecureShop(names: readonly string[] = ['IP:127.0.0.1']) {
  const shop = await openShop()
  const certificate = createCertificate(names)
  const port = await startTlsFront(shop.server.port, certificate)
  const trusted = { NODE_EXTRA_CA_CERTS: certificate.certificateFile }
  return { shop, port, trusted, env: { ...shop.env, PARTNER_BASE_URL: `https://127.0.0.1:${port}` } }
}

/** Opens the test shop behind TLS, under a host name that only the proxy can reach. */
async function openShopBehindProxy() {
  const { shop, port, trusted, env } = await openSecureShop(['DNS:service.test'])
  const proxy = await startTunnelProxy(port)
  return { shop, proxy, env: { ...env, ...trusted, PARTNER_BASE_URL: 'https://service.test', HTTPS_PROXY: proxy.url } }
}

describe('HTTPS base URLs', () => {
  needs(OPENSSL)

  test('if a certificate is untrusted, a command exits with code 8 after one attempt and never sends the key', async () => {
    const { shop, env } = await openSecureShop()
    const run = await runPartner(withoutJson(GET), { env })
    expectRefusal(run, {
      code: 8,
      says: /this machine does not trust the authority that signed the service's certificate/,
      next: /NODE_EXTRA_CA_CERTS/,
      secrets: [RAW_KEY],
    })
    expect(run.stderr).toContain('1 attempt')
    expect(shop.server.requests).toEqual([])
  })

  test('partner trusts a certificate in NODE_EXTRA_CA_CERTS and uses HTTP/1.1', async () => {
    const { shop, env, trusted } = await openSecureShop()
    expect(await runPartner(GET, { env: { ...env, ...trusted } })).toMatchObject({ code: 0, stderr: '' })
    expect(shop.server.requests).toHaveLength(1)
  })

  test('a command exits with code 8 and explains why if a certificate is for another host name', async () => {
    const { env, trusted } = await openSecureShop(['DNS:another.test'])
    expectRefusal(await runPartner(withoutJson(GET), { env: { ...env, ...trusted } }), {
      code: 8,
      says: 'for a different name',
    })
  })

  test('a redemption is not applied and leaves no operation open if the certificate is untrusted', async () => {
    const { shop, env } = await openSecureShop()
    expect(reportedError(await runPartner(REDEEM, { env }))).toMatchObject({ exitCode: 8, outcome: 'not-applied' })
    expect(await shop.operations()).toEqual([])
  })
})

describe('servers that accept a connection and never respond', () => {
  async function startSilentServer() {
    const silent = await startRawServer([])
    return { silent, env: { ...silent.env, PARTNER_BASE_URL: `https://127.0.0.1:${silent.port}` } }
  }

  test('a command exits after --timeout if the server never responds', async () => {
    const { env } = await startSilentServer()
    const run = await runPartner([...withoutJson(GET), '--timeout', '500ms', '--retries', '0'], { env })
    expectRefusal(run, { code: 8, says: 'no complete response within 500ms' })
  })

  test('SIGTERM ends a command that is waiting for a server that never responds', async () => {
    const { silent, env } = await startSilentServer()
    const get = startPartner(GET, { env })
    await until(() => silent.connections > 0)
    get.process.kill('SIGTERM')
    expect((await get.ended).code).toBe(130)
  })

  test('a sale is reported as not applied if the TLS handshake never completes', async () => {
    const shop = await openShop()
    const { PARTNER_BASE_URL } = (await startSilentServer()).env
    const env = { ...shop.env, PARTNER_BASE_URL }
    const run = await runPartner([...COMMAND_LINES['sales create'], '--timeout', '300ms', '--retries', '1'], { env })
    expect(reportedError(run)).toMatchObject({ code: 'TIMEOUT', exitCode: 8, outcome: 'not-applied', attempts: 2 })
    expect(await shop.operations()).toEqual([])
  })
})

describe('HTTPS proxies', () => {
  needs(OPENSSL)

  test('partner asks the proxy for a tunnel to the service and never sends the key to the proxy', async () => {
    const { shop, proxy, env } = await openShopBehindProxy()
    expect(await runPartner(GET, { env })).toMatchObject({ code: 0, stderr: '' })
    expect(proxy.targets).toEqual(['service.test:443'])
    expect(proxy.receivedHeaders()).not.toContain(RAW_KEY)
    expect(shop.server.requests[0]?.headers).toMatchObject({ host: 'service.test', 'x-api-key': RAW_KEY })
  })

  test('partner opens a separate proxy tunnel for each balance read and each redemption', async () => {
    const { shop, proxy, env } = await openShopBehindProxy()
    expect(await runPartner(REDEEM, { env })).toMatchObject({ code: 0, stderr: '' })
    expect(proxy.targets).toEqual(['service.test:443', 'service.test:443'])
    expect(shop.server.requests.map(({ method, headers }) => [method, headers['connection']])).toEqual([
      ['GET', 'close'],
      ['POST', 'close'],
    ])
  })

  test('partner does not use the proxy for a host in NO_PROXY', async () => {
    const { proxy, env } = await openShopBehindProxy()
    const run = await runPartner([...withoutJson(GET), '--retries', '0'], { env: { ...env, NO_PROXY: 'service.test' } })
    expect(run.code).toBe(8)
    expect(proxy.targets).toEqual([])
  })

  test('partner rejects an untrusted certificate behind a proxy without sending the key', async () => {
    const { shop, env } = await openShopBehindProxy()
    const run = await runPartner(withoutJson(GET), { env: { ...env, NODE_EXTRA_CA_CERTS: undefined } })
    expectRefusal(run, { code: 8, says: /this machine does not trust/, secrets: [RAW_KEY] })
    expect(shop.server.requests).toEqual([])
  })

  test.each(['reset', 'hang'] as const)(
    'partner never reports a redemption that was lost behind a proxy as not sent: %s',
    async (loss) => {
      const lost = async (phase: 'before' | 'after') => {
        const { shop, env } = await openShopBehindProxy()
        const fault: Fault = { kind: 'lost', loss, phase }
        shop.server.setFaults('write', CARD, [fault])
        return { shop, run: await runPartner([...REDEEM, ...words('--timeout 2s --retries 3')], { env }) }
      }
      const done = await lost('after')
      expect(done.run.code, done.run.stderr).toBe(0)
      expectOnce(done.shop, done.run, 1)
      const unknown = await lost('before')
      expect(reportedError(unknown.run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
      expectOnce(unknown.shop, unknown.run, 0)
    },
  )

  test.each([
    ['refuses the tunnel', 'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'],
    ['closes the tunnel immediately', 'HTTP/1.1 200 OK\r\n\r\n'],
    ['never responds', null],
    ['requires a password', 'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'],
  ])('a sale is reported as not applied if the proxy %s', async (_name, answer) => {
    const { shop, env } = await openShopBehindProxy()
    const proxy = await startTunnelProxy(0, (socket) => void (answer && socket.end(answer)))
    const run = await runPartner([...COMMAND_LINES['sales create'], '--timeout', '2s', '--retries', '0'], {
      env: { ...env, HTTPS_PROXY: proxy.url },
    })
    expect(reportedError(run)).toMatchObject({ exitCode: 8, outcome: 'not-applied' })
    expect(proxy.targets).toEqual(['service.test:443'])
    expect(await shop.operations()).toEqual([])
  })

  test('the error names the proxy instead of the service if the proxy is down', async () => {
    const { shop, env } = await openShopBehindProxy()
    const run = await runPartner([...COMMAND_LINES['sales create'], '--retries', '0'], {
      env: { ...env, HTTPS_PROXY: `http://till:hunter2@127.0.0.1:${await freePort()}` },
    })
    expect(reportedError(run)).toMatchObject({ exitCode: 8, outcome: 'not-applied' })
    expect(run.stderr).toMatch(/the proxy 127\.0\.0\.1:\d+ \(HTTPS_PROXY\) cannot be reached: nothing is listening at/)
    expect(run.stderr).toContain('check HTTPS_PROXY and NO_PROXY')
    expect(run.stderr).not.toContain('hunter2')
    expect(await shop.operations()).toEqual([])
  })

  test.each(['HTTP_PROXY', 'http_proxy'])('partner does not use the proxy in %s for https', async (variable) => {
    const { proxy, env } = await openShopBehindProxy()
    const others = { HTTPS_PROXY: undefined, [variable]: proxy.url }
    const run = await runPartner([...withoutJson(GET), '--retries', '0'], { env: { ...env, ...others } })
    expect(run.stderr).toContain('"service.test" does not resolve')
    expect(proxy.targets).toEqual([])
  })

  test.each(['our-proxy.example:8080', 'not a url', 'ftp://proxy.example'])(
    'a command exits with code 2 without printing the address if a proxy address is invalid: %s',
    async (value) => {
      const { env } = await openShopBehindProxy()
      const run = await runPartner(withoutJson(GET), { env: { ...env, HTTPS_PROXY: value } })
      expectRefusal(run, { code: 2, says: 'is not an http:// or https:// address', secrets: [value] })
    },
  )
})

function expectOnce({ server }: Shop, run: Run, commits: number): void {
  expect([server.writesOn(CARD), server.commitsOn(CARD)], run.stderr).toEqual([1, commits])
}
