import { expect, test } from 'vitest'
import { freshSandbox, runningSandbox } from '../../sandbox/fresh-sandbox.ts'
import { sendRaw } from '../../support/raw-client.ts'
import { createPageClient } from './page-of.ts'

const PATHS = ['', '/live', '/changes', '/page.css', '/start.js', '/places.css', '/nowhere', '/do/add-fault']

const STRANGE_ORIGINS =
  'http://evil.example https://{host} http://localhost:1 null file:// http://{host}.evil.example'.split(' ')

/** Returns a function that sends a raw request after replacing `{host}` and `{token}` with the correct values. */
async function asker() {
  const url = new URL((await runningSandbox({ page: true })).sandbox.pageUrl ?? '')
  const token = url.searchParams.get('token') ?? ''
  return async (line: string, ...headers: readonly string[]) => {
    const lines = [line, ...headers, 'Connection: close', '', ''].join('\r\n')
    const answer = await sendRaw(Number(url.port), lines.replaceAll('{host}', url.host).replaceAll('{token}', token))
    return { status: Number(answer.split(' ')[1]), answer, port: url.port }
  }
}

test('the page rejects requests without its token, with an unknown host, or from another origin', async () => {
  const ask = await asker()
  const strangers = ['rebound.example', 'rebound.example:80', '127.0.0.1', '127.0.0.1:1', 'localhost.:80', '10.0.0.1']
  for (const path of PATHS) {
    const method = path.startsWith('/do/') ? 'POST' : 'GET'
    const line = `${method} /_sandbox/page${path}?token={token} HTTP/1.1`
    const wrong = (token: string) => `${method} /_sandbox/page${path}${token} HTTP/1.1`
    for (const token of ['', '?token=', '?token={token}x', '?token=wrong', '?Token={token}'])
      expect((await ask(wrong(token), 'Host: {host}')).status, path + token).toBe(403)
    for (const host of strangers) expect((await ask(line, `Host: ${host}`)).status, path + host).toBe(421)
    for (const origin of STRANGE_ORIGINS)
      expect((await ask(line, 'Host: {host}', `Origin: ${origin}`)).status, path + origin).toBe(403)
  }
})

test('the page rejects a request whose request line and Host header specify different hosts', async () => {
  const ask = await asker()
  expect((await ask('GET http://evil.example/_sandbox/page?token={token} HTTP/1.1', 'Host: {host}')).status).toBe(421)
  expect((await ask('GET http://{host}/_sandbox/page?token={token} HTTP/1.1', 'Host: evil.example')).status).toBe(421)
  expect((await ask('GET http://{host}/_sandbox/page?token={token} HTTP/1.1', 'Host: {host}')).status).toBe(200)
})

test('the page accepts requests to any loopback host name and accepts the origin null from its own forms', async () => {
  const ask = await asker()
  const line = 'GET /_sandbox/page?token={token} HTTP/1.1'
  const { port } = await ask(line, 'Host: {host}')
  for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `127.1.2.3:${port}`, `[::1]:${port}`]) {
    expect((await ask(line, `Host: ${host}`)).status, host).toBe(200)
    expect((await ask(line, `Host: ${host}`, `Origin: http://${host}`)).status, host).toBe(200)
  }
  expect((await ask(line, 'Host: {host}', `Origin: http://localhost:${port}`)).status).toBe(403)
  expect((await ask(line, 'Host: {host}', 'Origin: null', 'Sec-Fetch-Site: same-origin')).status).toBe(200)
  expect((await ask(line, 'Host: {host}', 'Origin: null', 'Sec-Fetch-Site: cross-site')).status).toBe(403)
})

test("the page's paths reject unsupported methods and content types", async () => {
  const ask = await asker()
  const to = (method: string, path: string, ...more: readonly string[]) =>
    ask(`${method} /_sandbox/page${path}?token={token} HTTP/1.1`, 'Host: {host}', ...more)
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const { status, answer } = await to(method, '')
    expect(status, method).toBe(405)
    expect(answer).toContain('allow: GET, HEAD')
  }
  expect((await to('GET', '/do/add-fault')).status).toBe(405)
  expect((await to('POST', '/page.css')).status).toBe(405)
  expect((await to('HEAD', '')).status).toBe(200)
  expect((await to('GET', '/do/nothing')).status).toBe(404)
  expect((await to('GET', '/../control')).status).toBe(401)
  expect((await to('GET', '/..%2fassets.ts')).status).toBe(404)
  expect((await to('POST', '/do/add-fault', 'Content-Length: 0', 'Content-Type: application/json')).status).toBe(415)
})

test('all responses from the page have the security headers', async () => {
  const { sandbox } = await runningSandbox({ page: true })
  const { get } = createPageClient(sandbox)
  for (const [path, query, type] of [
    ['', {}, 'text/html'],
    ['/page.css', {}, 'text/css'],
    ['/live.js', {}, 'text/javascript'],
    ['/nowhere', {}, 'text/plain'],
    ['', { token: 'wrong' }, 'text/plain'],
  ] as const) {
    const { headers } = await get(query, path)
    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('only a background sandbox on a loopback address serves a page, and each page has its own token', async () => {
  const { sandbox } = await runningSandbox({ page: true })
  const { sandbox: other } = await runningSandbox({ page: true })
  expect(sandbox.pageUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/_sandbox\/page\?token=[0-9a-f]{48}$/)
  expect(new URL(sandbox.pageUrl ?? '').search).not.toBe(new URL(other.pageUrl ?? '').search)
  for (const options of [{}, { page: true, host: '0.0.0.0' }, { page: true, background: false }]) {
    const { sandbox: without, send } = await freshSandbox({ background: true, ...options })
    expect(without.pageUrl).toBeUndefined()
    expect((await send('GET', '/_sandbox/page')).body).toEqual({
      message: 'No endpoint has the path /_sandbox/page; paths are case-sensitive.',
    })
  }
})
