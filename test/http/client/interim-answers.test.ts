import { describe, expect, onTestFinished, test } from 'vitest'
import { NetworkError } from '../../../src/http/client/errors.ts'
import { openTransport } from '../../../src/http/client/undici.ts'
import { createCertificate, startTlsFront, startTunnelProxy } from '../../hostile/tls-service.ts'
import { CARD, COMMAND_LINES, openShop } from '../../money/cashier.ts'
import { skipWithout } from '../../support/needs.ts'
import { OPENSSL } from '../../support/openssl.ts'
import { runPartner } from '../../support/partner.ts'
import { type Act, answers, type RawServer, sends, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const INTERIM = {
  'a 100 Continue': CONTINUE,
  'a 100 Continue with headers':
    'HTTP/1.1 100 Continue\r\nDate: Fri, 20 Nov 2026 12:00:00 GMT\r\nConnection: keep-alive\r\n\r\n',
  'a 102 Processing': 'HTTP/1.1 102 Processing\r\n\r\n',
  '103 Early Hints': 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\nContent-Length: 5\r\n\r\n',
  'several interim responses in a row': `${CONTINUE}HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n${CONTINUE}`,
}
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n'
const FINAL = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\ndone'

/**
 * Sends each byte separately. The client runs in the same process, so it reads each byte before the next one is sent.
 */
const byteByByte =
  (text: string): Act =>
  async (socket) => {
    socket.setNoDelay(true)
    for (const byte of Buffer.from(text)) {
      socket.write(Uint8Array.of(byte))
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
  }

const inOneSegment =
  (text: string): Act =>
  (socket) =>
    void socket.write(text)

async function ask(server: RawServer, method: string, env: Record<string, string> = {}, origin = server.baseUrl) {
  const open = await openTransport(new URL(origin), env)
  onTestFinished(() => open.close())
  return async (connection: 'own' | 'shared') => {
    const body = method === 'GET' ? null : Buffer.from('{}')
    const reply = await open.transport({ method, url: new URL('/x', origin), headers: {}, body, connection })
    const chunks: Uint8Array[] = []
    for await (const chunk of reply.body) chunks.push(chunk)
    return { status: reply.status, headers: reply.headers, text: Buffer.concat(chunks).toString() }
  }
}

async function expectBrokenOff(send: Awaited<ReturnType<typeof ask>>) {
  const failed = await send('own').catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(NetworkError)
  expect(failed).toMatchObject({ kind: 'broken-off', maybeSent: true })
}

describe.each(Object.entries(INTERIM))('an unsolicited interim response: %s', (name, interim) => {
  test.each([
    ['in one segment', inOneSegment],
    ['byte by byte', byteByByte],
  ])(`the client skips ${name} sent %s and returns the final response`, async (_how, sent) => {
    for (const method of ['GET', 'POST'])
      for (const connection of ['own', 'shared'] as const) {
        const server = await startRawServer([sent(interim + FINAL)])
        const send = await ask(server, method)
        const headers = { 'content-type': 'text/plain', 'content-length': '4' }
        // Send the request twice, to check that the connection can still be used.
        for (let time = 0; time < 2; time++)
          expect(await send(connection)).toMatchObject({ status: 200, text: 'done', headers })
        expect(server.connections).toBe(connection === 'own' ? 2 : 1)
      }
  })

  test(`the client skips ${name} from a proxy`, async () => {
    const proxy = await startRawServer([inOneSegment(interim + FINAL)])
    const send = await ask(proxy, 'POST', { HTTP_PROXY: proxy.baseUrl }, 'http://service.test')
    expect(await send('own')).toMatchObject({ status: 200, text: 'done' })
  })

  test(`the client reports a lost connection if no final response follows ${name}`, async () => {
    const server = await startRawServer([sends(interim)])
    await expectBrokenOff(await ask(server, 'POST'))
  })
})

test.each([
  ['that names a protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n'],
  ['without a protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
])('the client treats an unsolicited 101 Switching Protocols %s as an error', async (_name, switching) => {
  const server = await startRawServer([inOneSegment(switching + FINAL)])
  await expectBrokenOff(await ask(server, 'POST'))
})

test.each([
  ['with a content length', (body: string) => `content-length: ${body.length}\r\n\r\n${body}`],
  ['in chunks', (body: string) => `${CHUNKED}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ['ended by closing the connection', (body: string) => `\r\n${body}`],
])('the client preserves a body that looks like a 100 Continue, %s', async (_name, framed) => {
  const body = `${CONTINUE}${FINAL}${CONTINUE}`
  for (const sent of [inOneSegment, byteByByte]) {
    const server = await startRawServer([
      async (socket, request) => {
        await sent(`${CONTINUE}HTTP/1.1 200 OK\r\n${framed(body)}`)(socket, request)
        if (framed(body) === `\r\n${body}`) socket.end()
      },
    ])
    expect(await (await ask(server, 'GET'))('shared')).toMatchObject({ status: 200, text: body })
  }
})

describe('commands that receive interim responses', () => {
  /** Starts a server that sends these bytes before each response. */
  const preceded = async (interim: string) => {
    const shop = await openShop()
    const card = answers(200, { cardNumber: CARD, amount: 100, remainingAmount: 75, status: 'Active' })
    const done = answers(200, { cardNumber: CARD, amountRedeemed: 25, status: 'Active', isSuccess: true })
    const server = await startRawServer(({ method }) => (socket, request) => {
      socket.write(interim)
      ;(method === 'GET' ? card : done)(socket, request)
    })
    return { shop, server, env: { ...shop.env, PARTNER_BASE_URL: server.baseUrl } }
  }

  test('giftcards get and redeem work if the server sends 100 Continue before each response', async () => {
    const { shop, env } = await preceded(CONTINUE)
    expect(await runPartner(['giftcards', 'get', CARD, '--json'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(await runPartner(COMMAND_LINES['giftcards redeem'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(await shop.operations()).toEqual([])
  })

  test('giftcards get reports a lost connection if the server responds with 101', async () => {
    const { env } = await preceded('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    const run = await runPartner(['giftcards', 'get', CARD, '--retries', '0'], { env })
    expectRefusal(run, { code: 8, says: 'the connection was lost' })
  })

  test('giftcards redeem skips interim responses over TLS and through a proxy', async (context) => {
    skipWithout(context, OPENSSL)
    const { server, env } = await preceded(INTERIM['several interim responses in a row'])
    const certificate = createCertificate(['DNS:service.test', 'IP:127.0.0.1'])
    const port = await startTlsFront(server.port, certificate)
    const trusted = { ...env, NODE_EXTRA_CA_CERTS: certificate.certificateFile }
    const proxy = await startTunnelProxy(port)
    const tunnel = { PARTNER_BASE_URL: 'https://service.test', HTTPS_PROXY: proxy.url }
    for (const way of [{ PARTNER_BASE_URL: `https://127.0.0.1:${port}` }, tunnel]) {
      const run = await runPartner(COMMAND_LINES['giftcards redeem'], { env: { ...trusted, ...way } })
      expect(run).toMatchObject({ code: 0, stderr: '' })
    }
    expect(proxy.targets).toHaveLength(2)
  })
})
