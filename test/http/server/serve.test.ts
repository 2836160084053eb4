import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ConnectionFault } from '../../../src/http/server/connection-fault.ts'
import { jsonReply } from '../../../src/http/server/reply.ts'
import { type ServeOptions, serve } from '../../../src/http/server/serve.ts'
import type { Transport } from '../../../src/http/transport.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { sendRaw } from '../../support/raw-client.ts'
import { until } from '../../support/until.ts'

async function serving(transport: Transport, options: ServeOptions = {}) {
  const served = await serve(transport, options)
  onTestFinished(() => served.close())
  return served
}

const echo: Transport = async ({ method, url, body }) =>
  jsonReply(200, { method, path: url.pathname + url.search, body: body && Buffer.from(body).toString('utf8') })

test('the server passes each request to the transport exactly as it was sent', async () => {
  const { origin } = await serving(echo)
  const response = await fetch(`${origin}/a%20b?x=%2F&y`, { method: 'POST', body: '{"ü":1}' })
  expect(await response.json()).toEqual({ method: 'POST', path: '/a%20b?x=%2F&y', body: '{"ü":1}' })
})

test('the server responds to pipelined requests in order', async () => {
  const { port } = await serving(async (request) => {
    if (request.url.pathname === '/slow') await new Promise((resolve) => setTimeout(resolve, 100))
    return echo(request)
  })
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
  const post = 'POST /two HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc'
  const answer = await sendRaw(port, get('/slow') + post + get('/three', 'Connection: close\r\n'))
  expect(answer.match(/"path":"[^"]+"/g)).toEqual(['"path":"/slow"', '"path":"/two"', '"path":"/three"'])
})

test('the server treats a request target that looks like a URL of another host as a path', async () => {
  const { port } = await serving(echo)
  const answer = await sendRaw(port, 'GET //evil.example/x HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n')
  expect(answer).toContain('"path":"//evil.example/x"')
})

test('the server responds to oversized headers with 431 and to an oversized body with 413, both in JSON', async () => {
  const { port, origin } = await serving(echo, { maxBodyBytes: 1000 })
  const answer = await sendRaw(port, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 431 [\s\S]*\{"message":"[^"]+"\}$/)
  const announced = await fetch(origin, { method: 'POST', body: 'x'.repeat(1001) })
  const message = 'The request body is larger than 1000 bytes.'
  expect([announced.status, await announced.json()]).toEqual([413, { message }])
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  const chunked = await sendRaw(port, head, `7d0\r\n${'x'.repeat(2000)}\r\n0\r\n\r\n`)
  expect(chunked).toMatch(/^HTTP\/1\.1 413 /)
})

/** Sends a whole request before reading anything and then returns the whole response. */
async function answerAfter(port: number, head: string, bytes: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.setTimeout(LIMIT_MS, () => socket.destroy())
  const failed = new Promise<never>((_resolve, reject) => socket.once('error', reject))
  socket.write(head)
  const block = Buffer.alloc(64 * 1024, 'x')
  const written = (async () => {
    for (let left = bytes; left > 0; left -= block.byteLength) {
      const isRoom = socket.write(block.subarray(0, Math.min(left, block.byteLength)))
      if (!isRoom) await new Promise((resolve) => socket.once('drain', resolve))
    }
  })()
  await Promise.race([written, failed])
  socket.resume()
  return Promise.race([
    failed,
    new Promise<string>((resolve) => {
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
        if (/\r\n\r\n\{.*\}$/s.test(answer)) resolve(answer)
      })
      socket.on('close', () => resolve(answer))
    }),
  ]).finally(() => socket.destroy())
}

test.each([
  ['with Content-Length', 'Content-Length: 20000000\r\n\r\n', 20_000_000],
  ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n1312D00\r\n', 20_000_000],
])(
  'a client receives the 413 even if it sends its whole large body before it reads, %s',
  async (_how, headers, bytes) => {
    const { port } = await serving(echo, { maxBodyBytes: 1000 })
    const answer = await answerAfter(port, `POST / HTTP/1.1\r\nHost: x\r\n${headers}`, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*larger than 1000 bytes/i)
  },
)

test('a client receives the 431 even if it sends 20 MB of headers before it reads', async () => {
  const { port } = await serving(echo)
  expect(await answerAfter(port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Long: ', 20_000_000)).toMatch(/^HTTP\/1\.1 431 /)
})

test('the server stops reading an endless body at the size limit and closes the connection', async () => {
  const { port } = await serving(echo, { maxBodyBytes: 1000 })
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n')
  const block = Buffer.alloc(1024 * 1024, 'x')
  const send = () => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.on('drain', send)
  socket.resume()
  send()
  await new Promise((resolve) => socket.once('close', resolve))
  expect(socket.bytesWritten).toBeLessThan(200 * 1024 * 1024)
})

test('the server responds with 408 to a client that sends its headers or body too slowly', async () => {
  const { port } = await serving(echo, { headersTimeoutMs: 200, requestTimeoutMs: 300 })
  expect(await sendRaw(port, 'GET / HTTP/1.1\r\nHost:')).toMatch(/^HTTP\/1\.1 408 [\s\S]*"message"/)
  const half = await sendRaw(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc')
  expect(half).toMatch(/^HTTP\/1\.1 408 /)
})

test('a ConnectionFault closes the connection before or during a response', async () => {
  const { origin } = await serving(async ({ url }) => {
    if (url.pathname === '/reset') throw new ConnectionFault('reset')
    if (url.pathname === '/close') throw new ConnectionFault('close')
    async function* half() {
      yield Buffer.from('{"half":')
      throw new ConnectionFault('close')
    }
    return { status: 200, headers: {}, body: half() }
  })
  await expect(fetch(`${origin}/reset`)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  await expect(fetch(`${origin}/close`)).rejects.toThrow()
  await expect((await fetch(`${origin}/half`)).text()).rejects.toThrow()
})

test('the server responds with 500 if the transport throws, and still handles the next request', async () => {
  let broken = true
  const { origin } = await serving(async (request) => {
    if (broken) throw new Error('secret detail')
    return echo(request)
  })
  const response = await fetch(origin)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('secret detail')
  broken = false
  expect((await fetch(origin)).status).toBe(200)
})

test("the server aborts a request's signal if the client disconnects", async () => {
  const client = new AbortController()
  let hasEnded = false
  const { origin } = await serving(({ signal }) => {
    signal?.addEventListener('abort', () => {
      hasEnded = true
    })
    client.abort()
    return new Promise(() => undefined)
  })
  await expect(fetch(origin, { signal: client.signal })).rejects.toThrow()
  await until(() => hasEnded)
})

test('the server drops a response whose client has disconnected, and still handles the next request', async () => {
  const client = new AbortController()
  let isAnswered = false
  const { origin } = await serving(async (request) => {
    if (request.url.pathname === '/late') {
      const hasGone = new Promise((resolve) => request.signal?.addEventListener('abort', resolve))
      client.abort()
      await hasGone
      isAnswered = true
    }
    return echo(request)
  })
  await expect(fetch(`${origin}/late`, { signal: client.signal })).rejects.toThrow()
  await until(() => isAnswered)
  expect((await fetch(origin)).status).toBe(200)
})

test('the server closes even if responses hang and clients keep idle connections open', async () => {
  let isAsked = false
  const served = await serve(() => {
    isAsked = true
    return new Promise(() => undefined)
  })
  const idle = connect(served.port, '127.0.0.1')
  const hanging = expect(fetch(served.origin)).rejects.toThrow()
  await until(() => isAsked)
  await served.close()
  await hanging
  idle.destroy()
})

test("the server's error message says that the port is in use", async () => {
  const { port } = await serving(echo)
  const message = `cannot listen on 127.0.0.1:${port}: it is in use`
  await expect(serve(echo, { port })).rejects.toMatchObject({ code: 'NETWORK_ERROR', message })
})

test("the server's error message suggests an address if this machine does not have the requested one", async () =>
  await expect(serve(echo, { host: '203.0.113.7' })).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
    message: 'cannot listen on 203.0.113.7: this machine does not have that address',
    hint: expect.stringContaining('127.0.0.1'),
  }))
