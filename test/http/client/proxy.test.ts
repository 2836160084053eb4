import { describe, expect, test } from 'vitest'
import { runPartner } from '../../support/partner.ts'
import { answers, RAW_KEY, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'

const TABLE = ['bookings', 'statuses', '--retries', '0']
const STATUSES = [...TABLE, '--json']
const REMOTE = { PARTNER_BASE_URL: 'https://service.example/api', PARTNER_API_KEY: RAW_KEY }

describe('requests through a proxy', () => {
  test.each(['HTTPS_PROXY', 'https_proxy'])(
    'the client opens a tunnel through the proxy in %s without sending the API key to the proxy',
    async (name) => {
      const proxy = await startRawServer([answers(403, 'no')])
      const run = await runPartner(TABLE, { env: { ...REMOTE, [name]: proxy.baseUrl } })
      expectRefusal(run, { code: 8, says: 'the proxy refused', next: /HTTPS_PROXY/, secrets: [RAW_KEY] })
      expect(proxy.requests[0]).toMatchObject({ method: 'CONNECT', target: 'service.example:443' })
      expect(JSON.stringify(proxy.requests)).not.toContain(RAW_KEY)
    },
  )

  test('the client does not use a proxy for loopback addresses', async () => {
    const proxy = await startRawServer([answers(403, 'no')])
    const server = await startRawServer([answers(200, [])])
    const env = { ...server.env, HTTP_PROXY: proxy.baseUrl, HTTPS_PROXY: proxy.baseUrl }
    expect(await runPartner(STATUSES, { env })).toMatchObject({ code: 0, stdout: '[]\n' })
    expect(proxy.connections).toBe(0)
  })

  test('the client does not use a proxy for hosts listed in NO_PROXY', async () => {
    const proxy = await startRawServer([answers(403, 'no')])
    const nowhere = { ...REMOTE, PARTNER_BASE_URL: 'https://no-such-host.invalid' }
    const env = { ...nowhere, HTTPS_PROXY: proxy.baseUrl, NO_PROXY: '.invalid' }
    expectRefusal(await runPartner(TABLE, { env }), { code: 8, says: 'does not resolve' })
    expect(proxy.connections).toBe(0)
  })

  test("an error message about a proxy does not show the proxy's password", async () => {
    const env = { ...REMOTE, HTTPS_PROXY: 'http://user:proxy-password@127.0.0.1:9' }
    const run = await runPartner([...STATUSES, '-v'], { env })
    expect(run.code).toBe(8)
    expect(run.stdout + run.stderr).not.toContain('proxy-password')
  })
})
