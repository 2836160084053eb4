import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tryLock } from '../../../src/base/storage/lock.ts'
import type { Host } from '../../../src/terminal/runtime/host.ts'
import type { UpdateNote } from '../../../src/terminal/update/note.ts'
import { notifyOfUpdate, silencedBy } from '../../../src/terminal/update/notice.ts'
import { UPDATE_FILE } from '../../../src/terminal/update/source.ts'
import { needs } from '../../support/needs.ts'
import { type Environment, freshDirectory, freshHome, ROOT, runPartner } from '../../support/partner.ts'
import { answers, hangs, type RawServer, startRawServer } from '../../support/raw-server.ts'
import { runInTerminal, runLineInTerminal, shellLine, TERMINAL } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'
import { words } from '../../support/words.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string }
const NEWS = `partner 99.1.0 is out; you have ${version}. How to get it: partner help environment`
const COMMAND = words('profiles list')
const CARD = 'GIFT1-00000100-AAAA'

type Home = ReturnType<typeof freshHome>

const noteOf = ({ PARTNER_CACHE_DIR }: Home) =>
  JSON.parse(readFileSync(join(PARTNER_CACHE_DIR, 'update.json'), 'utf8')) as UpdateNote

/** Creates a home directory whose update state has a newer release. Both a notice and the next check are due. */
function homeWithNews(address: string): Home {
  const home = freshHome()
  mkdirSync(home.PARTNER_CACHE_DIR)
  const note: UpdateNote = { address, askedAt: 0, release: '99.1.0', toldAt: 0 }
  writeFileSync(join(home.PARTNER_CACHE_DIR, 'update.json'), JSON.stringify(note))
  return home
}

const startReleases = (): Promise<RawServer> => startRawServer(() => answers(200, { tag_name: 'v99.1.0' }))

describe('update notices at a terminal', () => {
  needs(TERMINAL)

  test('a command at a terminal checks for updates in the background and prints one notice a day', async () => {
    const server = await startReleases()
    const home = freshHome()
    const env = { ...home, PARTNER_UPDATE_URL: `${server.baseUrl}/latest`, PARTNER_API_KEY: 'key-of-the-till' }
    const first = await runInTerminal(COMMAND, [], env)
    await until(() => server.requests.length === 1 && noteOf(home).release !== null)
    const told = await runInTerminal(COMMAND, [], env)
    const again = await runInTerminal(COMMAND, [], env)
    expect([first, told, again].map(({ code }) => code)).toEqual([0, 0, 0])
    expect(first.screen).not.toContain('is out')
    expect(told.standing).toEqual([...first.standing, NEWS])
    expect(again).toEqual(first)
    expect(server.requests).toHaveLength(1)
    expect(JSON.stringify(server.requests)).not.toContain('key-of-the-till')
  })

  test('commands succeed even if the update server hangs, and only one of them checks for updates', async () => {
    const server = await startRawServer([hangs])
    const home = homeWithNews(server.baseUrl)
    const output = freshDirectory()
    const files = ['a', 'b', 'c', 'd'].map((name) => join(output, name))
    const many = files.map((file) => `${shellLine([...COMMAND, '--json'])} < /dev/tty > '${file}' &`).join(' ')
    const env = { ...home, PARTNER_UPDATE_URL: server.baseUrl }
    const { code, standing } = await runLineInTerminal(`${many} wait`, [], env)
    expect({ code, standing }).toEqual({ code: 0, standing: [NEWS] })
    const { stdout } = await runPartner([...COMMAND, '--json'], { env: home })
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(files.map(() => stdout))
    await until(() => server.requests.length > 0)
    expect((await runInTerminal(COMMAND, [], env)).screen).not.toContain('is out')
    expect(server.connections).toBe(1)
  })

  test.each<[string, readonly string[], Environment]>([
    ['in CI', COMMAND, { CI: 'true' }],
    ['if the user disabled update notices', COMMAND, { PARTNER_NO_UPDATE_NOTIFIER: '1' }],
    ['if an agent runs the command', COMMAND, { AI_AGENT: 'some-agent' }],
    ['with --quiet', [...COMMAND, '-q'], {}],
    ['if the command fails', words('profiles show nobody'), {}],
    ['if a shell reads its completion script', words('completion bash'), {}],
    ['with an update URL that is not allowed', COMMAND, { PARTNER_UPDATE_URL: 'http://releases.example/latest' }],
  ])('a command neither checks for updates nor prints a notice %s', async (_name, args, more) => {
    const server = await startReleases()
    const home = homeWithNews(more['PARTNER_UPDATE_URL'] ?? server.baseUrl)
    const { screen } = await runInTerminal(args, [], { ...home, PARTNER_UPDATE_URL: server.baseUrl, ...more })
    expect(screen).not.toContain('is out')
    expect(noteOf(home)).toMatchObject({ askedAt: 0, toldAt: 0 })
    expect(server.connections).toBe(0)
  })

  test('giftcards redeem succeeds without an update check if the cache directory is not writable', async () => {
    const server = await startReleases()
    const home = freshHome()
    writeFileSync(home.PARTNER_CACHE_DIR, 'in the way')
    const env = { ...home, PARTNER_UPDATE_URL: server.baseUrl, PARTNER_PROFILE: 'sandbox' }
    const { code, screen } = await runInTerminal(words(`giftcards redeem ${CARD} --amount 5 --yes --json`), [], env)
    expect(code, screen).toBe(0)
    expect(screen).not.toMatch(/update|warning/)
    expect(server.connections).toBe(0)
  })
})

test('a command without a terminal neither checks for updates nor prints a notice', async () => {
  const server = await startReleases()
  const home = homeWithNews(server.baseUrl)
  const run = await runPartner(COMMAND, { env: { ...home, PARTNER_UPDATE_URL: server.baseUrl } })
  expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining('is out') })
  expect(noteOf(home)).toMatchObject({ askedAt: 0, toldAt: 0 })
})

describe('update notices', () => {
  const PAGE = 'https://releases.example/partner'
  const DAY_MS = 86_400_000
  const NOW = 20_000 * DAY_MS

  /** Returns the notice that a command prints for the given update state. */
  async function saidBy(note: Partial<UpdateNote>, env: Environment = {}, meanwhile = (_home: Home) => {}) {
    const home = freshHome()
    for (const directory of [home.PARTNER_CACHE_DIR, home.PARTNER_DATA_DIR]) mkdirSync(directory)
    const address = `${PAGE}/latest.json`
    writeFileSync(join(home.PARTNER_DATA_DIR, UPDATE_FILE), JSON.stringify({ url: address, page: PAGE }))
    const noted = { address, askedAt: NOW, release: '0.2.0', toldAt: null, ...note }
    writeFileSync(join(home.PARTNER_CACHE_DIR, 'update.json'), JSON.stringify(noted))
    meanwhile(home)
    const said: string[] = []
    const stderr = { isQuiet: false, write: async (text: string) => void said.push(text), flush: async () => {} }
    const stderrScreen = { columns: 80, color: false }
    const parts = { env: { ...home, ...env }, dist: home.PARTNER_DATA_DIR, version: '0.1.0', now: () => NOW }
    await notifyOfUpdate({ ...parts, stderr, stderrScreen } as unknown as Host, 'profiles list')
    return said.join('')
  }

  test('the update notice contains the URL of the release page', async () =>
    expect(await saidBy({})).toBe(`partner 0.2.0 is out; you have 0.1.0. Get it: ${PAGE}\n`))

  test('the update notice is repeated only after a day, even if a newer release is found', async () => {
    expect(await saidBy({ toldAt: NOW - DAY_MS })).toContain('0.2.0 is out')
    expect(await saidBy({ toldAt: NOW - DAY_MS + 1, release: '0.3.0' })).toBe('')
  })

  test.each<[string, Partial<UpdateNote>]>([
    ['the same release', { release: '0.1.0' }],
    ['an older release', { release: '0.0.9' }],
    ['a release followed by a command', { release: '0.2.0; rm -rf ~' }],
    ['a prerelease', { release: '0.2.0-rc.1' }],
    ['no release', { release: null }],
  ])('no update notice is printed if %s is stored', async (_name, note) => expect(await saidBy(note)).toBe(''))

  test('no update notice is printed while another command holds the lock', async () => {
    let place: Home | null = null
    const said = await saidBy({ askedAt: 0 }, {}, (home) => {
      place = home
      const lock = tryLock(join(home.PARTNER_CACHE_DIR, 'update.lock'))
      onTestFinished(() => lock?.release())
    })
    expect(said).toBe('')
    expect(place && noteOf(place)).toMatchObject({ askedAt: 0, toldAt: null })
  })

  test('no update notice is printed for a release that was found at a different update URL', async () => {
    // No request is sent, because this URL is not allowed.
    expect(await saidBy({}, { PARTNER_UPDATE_URL: 'http://releases.example/' })).toBe('')
  })
})

describe('variables that disable update notices', () => {
  test.each(['PARTNER_NO_UPDATE_NOTIFIER', 'NO_UPDATE_NOTIFIER', 'CI', 'GITHUB_ACTIONS', 'JENKINS_URL', 'CLAUDECODE'])(
    '%s disables update notices unless it is empty, 0 or false',
    (name) => {
      expect(silencedBy({ [name]: 'https://ci.example' })).toBe(name)
      for (const value of ['', '0', 'false', undefined]) expect(silencedBy({ [name]: value })).toBeNull()
    },
  )
})
