import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { askForUpdate } from '../../../src/terminal/update/ask.ts'
import { readNote } from '../../../src/terminal/update/note.ts'
import { freshDirectory } from '../../support/partner.ts'
import {
  type Act,
  answers,
  closes,
  freePort,
  redirectsTo,
  resets,
  sends,
  startRawServer,
  truncated,
} from '../../support/raw-server.ts'

const NEWER = { version: '0.2.0' }

/** Checks a URL for updates and returns the stored release. */
async function askAt(address: string, more: Readonly<Record<string, string>> = {}): Promise<string | null> {
  const dist = freshDirectory()
  const env = { PARTNER_CACHE_DIR: join(dist, 'cache'), PARTNER_UPDATE_URL: address, ...more }
  await askForUpdate({ env, version: '0.1.0', dist })
  return readNote(env).release
}

describe('requests for the latest release', () => {
  test('the update request identifies only the program and its version', async () => {
    const server = await startRawServer([answers(200, NEWER, { 'set-cookie': 'id=1' })])
    const secrets = { PARTNER_API_KEY: 'key-of-the-till', PARTNER_PROFILE: 'shop' }
    expect(await askAt(`${server.baseUrl}/latest`, secrets)).toBe('0.2.0')
    const usual = { host: `127.0.0.1:${server.port}`, connection: 'keep-alive', accept: 'application/json' }
    const headers = { ...usual, 'user-agent': 'partner/0.1.0' }
    expect(server.requests).toEqual([{ method: 'GET', target: '/latest', headers, body: '' }])
  })

  test('no update request is sent if the URL is missing or not allowed', async () => {
    expect(await askAt('')).toBeNull()
    expect(await askAt('http://releases.example/latest')).toBeNull()
  })
})

describe('responses to update requests', () => {
  test.each([
    NEWER,
    { tag_name: 'v0.2.0', name: 'partner', draft: false, prerelease: false, body: 'x'.repeat(200_000) },
  ])('the update check accepts the response %j', async (answer) => {
    const server = await startRawServer([answers(200, answer)])
    expect(await askAt(server.baseUrl)).toBe('0.2.0')
  })

  test('the update check follows a redirect on the same server', async () => {
    const server = await startRawServer([redirectsTo('/moved/latest', 301), answers(200, NEWER)])
    expect(await askAt(`${server.baseUrl}/latest`)).toBe('0.2.0')
    expect(server.requests.map(({ target }) => target)).toEqual(['/latest', '/moved/latest'])
  })

  const endless: Act = (socket) => {
    const more = () => socket.destroyed || socket.write('x'.repeat(65_536), more)
    socket.write('HTTP/1.1 200 OK\r\n\r\n', more)
  }
  test.each<[string, Act]>([
    ['a version followed by a command', answers(200, { version: '1.0.0; rm -rf ~' })],
    ['a version with escape sequences', answers(200, { version: '\u001b]0;owned\u00071.0.0' })],
    ['a prerelease version', answers(200, { version: '1.0.0-rc.1' })],
    ['a version that is not a string', answers(200, { version: ['1.0.0'], tag_name: 'v1.0.0' })],
    ['a release marked as a prerelease', answers(200, { tag_name: 'v1.0.0', prerelease: true })],
    ['a draft', answers(200, { tag_name: 'v1.0.0', draft: true })],
    ['null', answers(200, 'null')],
    ['a list', answers(200, [NEWER])],
    ['an HTML page', answers(200, '<!doctype html>')],
    ['an empty body', answers(200)],
    ['a body that is too long', answers(200, { ...NEWER, more: 'x'.repeat(600_000) })],
    ['an endless body', endless],
    ['a truncated body', truncated(JSON.stringify(NEWER), 5)],
    ['status 404', answers(404, NEWER)],
    ['status 500', answers(500, NEWER)],
    ['a closed connection', closes],
    ['a connection reset', resets],
    ['a response that is not HTTP', sends('+OK ready\r\n')],
    ['a redirect to an invalid URL', redirectsTo('http://[', 302)],
    ['a redirect without a URL', answers(302, NEWER)],
    ['a redirect loop', redirectsTo('/latest', 302)],
  ])('the update check ignores %s', async (_name, act) => {
    const server = await startRawServer([act])
    expect(await askAt(`${server.baseUrl}/latest`)).toBeNull()
    expect(server.requests.length).toBeLessThanOrEqual(4)
  })

  test('the update check does not follow a redirect to another server', async () => {
    const other = await startRawServer([answers(200, NEWER)])
    const server = await startRawServer([redirectsTo(`${other.baseUrl}/latest`, 302)])
    expect(await askAt(server.baseUrl)).toBeNull()
    expect(other.requests).toEqual([])
  })

  test('the update check uses the configured proxy', async () => {
    const proxy = await startRawServer([answers(403)])
    expect(await askAt('https://releases.example/latest', { HTTPS_PROXY: proxy.baseUrl })).toBeNull()
    expect(proxy.requests.map(({ method, target }) => [method, target])).toEqual([['CONNECT', 'releases.example:443']])
  })

  test('the update check stores nothing if no server responds or the proxy is invalid', async () => {
    expect(await askAt(`http://127.0.0.1:${await freePort()}/`)).toBeNull()
    expect(await askAt('https://releases.example/', { HTTPS_PROXY: 'nonsense' })).toBeNull()
  })
})
