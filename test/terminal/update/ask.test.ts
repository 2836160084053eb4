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

/** Asks an address, and gives what is noted then. */
async function askAt(address: string, more: Readonly<Record<string, string>> = {}): Promise<string | null> {
  const dist = freshDirectory()
  const env = { PARTNER_CACHE_DIR: join(dist, 'cache'), PARTNER_UPDATE_URL: address, ...more }
  await askForUpdate({ env, version: '0.1.0', dist })
  return readNote(env).release
}

describe('what is asked', () => {
  test('carries nothing but who asks: no key, no cookie', async () => {
    const server = await startRawServer([answers(200, NEWER, { 'set-cookie': 'id=1' })])
    const secrets = { PARTNER_API_KEY: 'key-of-the-till', PARTNER_PROFILE: 'shop' }
    expect(await askAt(`${server.baseUrl}/latest`, secrets)).toBe('0.2.0')
    const usual = { host: `127.0.0.1:${server.port}`, connection: 'keep-alive', accept: 'application/json' }
    const headers = { ...usual, 'user-agent': 'partner/0.1.0' }
    expect(server.requests).toEqual([{ method: 'GET', target: '/latest', headers, body: '' }])
  })

  test('nobody, without an address that may be asked', async () => {
    expect(await askAt('')).toBeNull()
    expect(await askAt('http://releases.example/latest')).toBeNull()
  })
})

describe('an answer', () => {
  test.each([
    NEWER,
    { tag_name: 'v0.2.0', name: 'partner', draft: false, prerelease: false, body: 'x'.repeat(200_000) },
  ])('of use', async (answer) => {
    const server = await startRawServer([answers(200, answer)])
    expect(await askAt(server.baseUrl)).toBe('0.2.0')
  })

  test('is followed to where the same server now has it', async () => {
    const server = await startRawServer([redirectsTo('/moved/latest', 301), answers(200, NEWER)])
    expect(await askAt(`${server.baseUrl}/latest`)).toBe('0.2.0')
    expect(server.requests.map(({ target }) => target)).toEqual(['/latest', '/moved/latest'])
  })

  const endless: Act = (socket) => {
    const more = () => socket.destroyed || socket.write('x'.repeat(65_536), more)
    socket.write('HTTP/1.1 200 OK\r\n\r\n', more)
  }
  test.each<[string, Act]>([
    ['a version with a command behind it', answers(200, { version: '1.0.0; rm -rf ~' })],
    ['a version with escape sequences', answers(200, { version: '\u001b]0;owned\u00071.0.0' })],
    ['a version that is early', answers(200, { version: '1.0.0-rc.1' })],
    ['a version that is no text', answers(200, { version: ['1.0.0'], tag_name: 'v1.0.0' })],
    ['a release that is marked as early', answers(200, { tag_name: 'v1.0.0', prerelease: true })],
    ['a draft', answers(200, { tag_name: 'v1.0.0', draft: true })],
    ['null', answers(200, 'null')],
    ['a list', answers(200, [NEWER])],
    ['a page', answers(200, '<!doctype html>')],
    ['nothing', answers(200)],
    ['one that is too long', answers(200, { ...NEWER, more: 'x'.repeat(600_000) })],
    ['one without an end', endless],
    ['one that breaks off', truncated(JSON.stringify(NEWER), 5)],
    ['one that is not found', answers(404, NEWER)],
    ['an error', answers(500, NEWER)],
    ['a closed connection', closes],
    ['a reset', resets],
    ['no HTTP', sends('+OK ready\r\n')],
    ['a redirect that leads nowhere', redirectsTo('http://[', 302)],
    ['a redirect without an address', answers(302, NEWER)],
    ['a redirect in a circle', redirectsTo('/latest', 302)],
  ])('of no use: %s', async (_name, act) => {
    const server = await startRawServer([act])
    expect(await askAt(`${server.baseUrl}/latest`)).toBeNull()
    expect(server.requests.length).toBeLessThanOrEqual(4)
  })

  test('is not fetched from another server', async () => {
    const other = await startRawServer([answers(200, NEWER)])
    const server = await startRawServer([redirectsTo(`${other.baseUrl}/latest`, 302)])
    expect(await askAt(server.baseUrl)).toBeNull()
    expect(other.requests).toEqual([])
  })

  test('comes through the proxy that the tool goes through', async () => {
    const proxy = await startRawServer([answers(403)])
    expect(await askAt('https://releases.example/latest', { HTTPS_PROXY: proxy.baseUrl })).toBeNull()
    expect(proxy.requests.map(({ method, target }) => [method, target])).toEqual([['CONNECT', 'releases.example:443']])
  })

  test('of nobody: nothing listens there, or no proxy can be understood', async () => {
    expect(await askAt(`http://127.0.0.1:${await freePort()}/`)).toBeNull()
    expect(await askAt('https://releases.example/', { HTTPS_PROXY: 'nonsense' })).toBeNull()
  })
})
