import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { NetworkError } from '../../../src/http/client/errors.ts'
import { openTransport } from '../../../src/http/client/undici.ts'
import type { WireRequest } from '../../../src/http/transport.ts'
import { CARD, COMMAND_LINES, openShop } from '../../money/cashier.ts'
import { type Act, answers, closes, type RawServer, startRawServer } from '../../support/raw-server.ts'

/** Handles the first request on each connection with `first` and all later requests with `next`. */
function onReuse(first: Act, next: Act): Act {
  const used = new WeakSet<Socket>()
  return (socket, request) => {
    const act = used.has(socket) ? next : first
    used.add(socket)
    act(socket, request)
  }
}

/** Ways for a client to connect to a test server. */
const WAYS = {
  directly: (server: RawServer) => ({ origin: server.baseUrl, env: {}, connections: 1 }),
  'through a pool': (server: RawServer) => ({ origin: server.baseUrl, env: {}, connections: 4 }),
  'through a proxy': (server: RawServer) => ({ ...behind(server), connections: 1 }),
  'through a proxy, in a pool': (server: RawServer) => ({ ...behind(server), connections: 4 }),
}

function behind({ baseUrl }: RawServer) {
  return { origin: 'http://service.test', env: { HTTP_PROXY: baseUrl } }
}

async function openWay({ origin, env, connections }: ReturnType<(typeof WAYS)['directly']>) {
  const open = await openTransport(new URL(origin), env, connections)
  onTestFinished(() => open.close())
  return async (path: string, more: Partial<WireRequest> = {}) => {
    const reply = await open.transport({ method: 'GET', url: new URL(path, origin), headers: {}, body: null, ...more })
    const chunks: Uint8Array[] = []
    for await (const chunk of reply.body) chunks.push(chunk)
    return { status: reply.status, text: Buffer.concat(chunks).toString() }
  }
}

const OWN: Partial<WireRequest> = { method: 'POST', body: Buffer.from('{}'), connection: 'own' }

describe.each(Object.entries(WAYS))('requests on separate connections (connected %s)', (name, way) => {
  test(`the client uses a separate connection for a single request (connected ${name})`, async () => {
    const sockets: Socket[] = []
    const server = await startRawServer(() => (socket, request) => {
      sockets.push(socket)
      answers(200, request.method)(socket, request)
    })
    const send = await openWay(way(server))
    expect(await send('/read')).toEqual({ status: 200, text: 'GET' })
    expect(await send('/write', OWN)).toEqual({ status: 200, text: 'POST' })
    expect(await send('/read')).toEqual({ status: 200, text: 'GET' })
    expect(await send('/write', OWN)).toEqual({ status: 200, text: 'POST' })
    const [read, write, nextRead, nextWrite] = sockets
    expect(write).not.toBe(read)
    expect(nextRead).toBe(read)
    expect(new Set([read, write, nextWrite]).size).toBe(3)
  })

  test(`the client sends "connection: close" on a separate connection and closes it after the response (connected ${name})`, async () => {
    const closed = Promise.withResolvers<void>()
    const server = await startRawServer(() => (socket, request) => {
      socket.once('close', () => closed.resolve())
      answers(200, 'done')(socket, request)
    })
    const send = await openWay(way(server))
    await send('/write', OWN)
    await closed.promise
    expect(server.requests[0]?.headers['connection']).toBe('close')
  })

  test(`the client does not mistake a duplicate response to a read for the response to a write (connected ${name})`, async () => {
    const card = answers(200, 'the card')
    const twice: Act = (socket, request) => {
      socket.cork()
      card(socket, request)
      card(socket, request)
      socket.uncork()
    }
    // `twice` sends the duplicate immediately. `card` sends it when the next request arrives on the same connection.
    for (const read of [twice, card]) {
      const written = answers(200, 'written')
      const act = onReuse((socket, request) => (request.method === 'GET' ? read : written)(socket, request), card)
      const send = await openWay(way(await startRawServer(() => act)))
      expect(await send('/read')).toEqual({ status: 200, text: 'the card' })
      expect(await send('/write', OWN)).toEqual({ status: 200, text: 'written' })
    }
  })
})

test('the client reports a request as not sent if the server sends data first', async () => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nno'
  for (const connection of ['own', 'shared'] as const) {
    const server = await startRawServer([answers(200, 'yes')], { greeting: answer })
    const send = await openWay(WAYS.directly(server))
    const failed = await send('/write', { ...OWN, connection }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(NetworkError)
    expect(failed).toMatchObject({ kind: 'broken-off', maybeSent: false })
    expect((failed as Error).message).toContain('does not speak HTTP')
    expect(server.requests).toEqual([])
  }
})

describe('money writes on separate connections', () => {
  /**
   * Responds to the first request on each connection with the card, or with the cancelled card if the request is a
   * write. Passes later requests to `next`.
   */
  const cardThen = (next: Act): (() => Act) => {
    const card = answers(200, { cardNumber: CARD, amount: 100, remainingAmount: 100, status: 'Active' })
    const done = answers(200, { cardNumber: CARD, status: 'Cancelled' })
    const act = onReuse((socket, request) => (request.method === 'GET' ? card : done)(socket, request), next)
    return () => act
  }
  const CANCEL = COMMAND_LINES['giftcards cancel']

  test('giftcards cancel ignores a duplicate response to the preceding read from a broken proxy', async () => {
    const shop = await openShop()
    const copy = answers(200, { cardNumber: CARD, amount: 100, remainingAmount: 100, status: 'Active' })
    const server = await startRawServer(cardThen(copy))
    const run = await shop.run(...CANCEL, '--base-url', server.baseUrl)
    expect(run.code, run.stderr).toBe(0)
    expect(server.connections).toBe(2)
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH'])
  })

  test('giftcards cancel succeeds even if the server closes every connection after one response', async () => {
    const shop = await openShop()
    const run = await shop.run(...CANCEL, '--base-url', (await startRawServer(cardThen(closes))).baseUrl)
    expect(run.code, run.stderr).toBe(0)
    expect(await shop.operations()).toEqual([])
  })

  test('giftcards cancel reads the card after a lost response and ignores late responses to earlier reads', async () => {
    const shop = await openShop()
    const card = (status: string) => answers(200, { cardNumber: CARD, remainingAmount: 100, status })
    let status = 'Active'
    const truth: Act = (socket, request) => {
      if (request.method === 'GET') return card(status)(socket, request)
      status = 'Cancelled'
      socket.resetAndDestroy()
    }
    const act = onReuse(truth, card('Active'))
    const run = await shop.run(...CANCEL, '--base-url', (await startRawServer(() => act)).baseUrl)
    expect(run.code, run.stderr).toBe(0)
    expect(run.stderr).toContain('the card is cancelled')
  })
})
