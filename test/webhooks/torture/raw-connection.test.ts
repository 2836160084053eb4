import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openRawConnection } from '../../../src/webhooks/torture/raw-connection.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { skipWithout } from '../../support/needs.ts'
import { OPENSSL } from '../../support/openssl.ts'
import { freshDirectory, NODE, ROOT, runProgram } from '../../support/partner.ts'
import { answers, closes, freePort, hangs, resets, sends, startRawServer } from '../../support/raw-server.ts'

const REQUEST = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}'

async function answerTo(act: ReturnType<typeof answers>, limitMs = LIMIT_MS) {
  const connection = await openRawConnection(new URL((await startRawServer([act])).baseUrl), LIMIT_MS)
  await connection.write(REQUEST.slice(0, 20))
  await connection.write(REQUEST.slice(20))
  const { status, error } = await connection.answer(limitMs)
  return { status, error }
}

describe('raw connections to a test server', () => {
  test('a raw connection skips 1xx responses and returns the final status', async () => {
    expect(await answerTo(answers(202, 'ok'))).toEqual({ status: 202, error: null })
    const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\nx: y\r\n\r\nHTTP/1.1 408 Late\r\n\r\n'
    expect(await answerTo(sends(interim))).toEqual({ status: 408, error: null })
  })

  test('a raw connection reports why no response arrived', async () => {
    const closed = { status: null, error: 'the connection was closed without a response' }
    expect(await answerTo(closes)).toEqual(closed)
    expect(await answerTo(sends('SSH-2.0-OpenSSH_9.2\r\n'))).toEqual(closed)
    expect(await answerTo(resets)).toEqual({ status: null, error: 'the connection was lost (ECONNRESET)' })
    expect(await answerTo(hangs, 50)).toEqual({ status: null, error: 'no complete response within 50ms' })
  })

  test('a raw connection fails if nothing listens at the address, with or without TLS', async () => {
    const port = await freePort()
    const refused = { kind: 'refused', message: `nothing is listening at 127.0.0.1:${port}` }
    for (const url of [`http://127.0.0.1:${port}/`, `https://127.0.0.1:${port}/`])
      await expect(openRawConnection(new URL(url), LIMIT_MS)).rejects.toMatchObject(refused)
  })

  test("a raw connection that is aborted while connecting or waiting fails with the signal's reason", async () => {
    const server = await startRawServer([hangs])
    const stop = new AbortController()
    const reason = new Error('stopped')
    const connection = await openRawConnection(new URL(server.baseUrl), LIMIT_MS, stop.signal)
    await connection.write(REQUEST)
    const answer = connection.answer(LIMIT_MS)
    stop.abort(reason)
    await expect(answer).rejects.toBe(reason)
    await expect(openRawConnection(new URL(server.baseUrl), LIMIT_MS, stop.signal)).rejects.toBe(reason)
  })
})

/** Starts a server on a local port and stops it after the test. */
async function served(handle: RequestListener, tls?: { readonly key: Buffer; readonly cert: Buffer }): Promise<URL> {
  const server = tls ? createTlsServer(tls, handle) : createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

test('a raw connection can send requests and be reset over TLS', async (context) => {
  skipWithout(context, OPENSSL)
  const directory = freshDirectory()
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const args = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', key, '-out', cert]
  expect(spawnSync('openssl', ['req', ...args], { timeout: LIMIT_MS }).status).toBe(0)
  const url = await served(
    (request, response) => {
      request.on('error', () => {})
      request.resume().on('end', () => response.writeHead(201).end())
    },
    { key: readFileSync(key), cert: readFileSync(cert) },
  )
  // Node reads its trusted certificates only at startup, so this test needs a new process.
  const script = `
    import { openRawConnection } from ${JSON.stringify(join(ROOT, 'src/webhooks/torture/raw-connection.ts'))}
    const open = () => openRawConnection(new URL('${url.href}'), ${LIMIT_MS})
    const dropped = await open()
    await dropped.write(${JSON.stringify(REQUEST.slice(0, -1))})
    dropped.drop('reset')
    const connection = await open()
    await connection.write(${JSON.stringify(REQUEST)})
    process.stdout.write(String((await connection.answer(${LIMIT_MS})).status))
  `
  const run = await runProgram(NODE, ['--input-type=module', '--eval', script], { env: { NODE_EXTRA_CA_CERTS: cert } })
  expect(run, run.stderr).toMatchObject({ code: 0, stdout: '201' })
})
