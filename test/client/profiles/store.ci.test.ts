import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeProfile, describeProfiles } from '../../../src/client/profiles/describe.ts'
import { NO_BASE_URL, parseProfileChange } from '../../../src/client/profiles/members.ts'
import { profilesPath, readProfiles } from '../../../src/client/profiles/read.ts'
import { addProfile, removeProfile, setProfile, useProfile } from '../../../src/client/profiles/store.ts'
import { everything, rejectionOf } from '../../support/failure.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { freshDirectory, ROOT } from '../../support/partner.ts'
import { words } from '../../support/words.ts'

/** The store module, bundled into a single file, which a process loads much faster than many modules. */
const STORE = join(mkdtempSync(join(tmpdir(), 'partner-store-')), 'store.mjs')
beforeAll(() => {
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" }
  const [entry, options] = [join(ROOT, 'src/client/profiles/store.ts'), { bundle: true, platform: 'node' } as const]
  buildSync({ ...options, entryPoints: [entry], outfile: STORE, format: 'esm', banner })
})
afterAll(() => rmSync(dirname(STORE), { recursive: true }))
const KEY = 'k3y-AbCdEfGh-9876'
const URL_DEV = 'https://dev.example/api'
let root: string
let directory: string
let path: string
beforeEach(() => {
  root = freshDirectory()
  directory = join(root, 'config')
  path = join(directory, 'profiles.json')
})

const put = (text: string) => {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeFileSync(path, text, { mode: 0o600 })
}
const expectOnlyTheFile = () => expect(readdirSync(directory).sort()).toEqual(['profiles.json', 'profiles.json.lock'])
const modes = () => [statSync(path).mode & 0o777, statSync(directory).mode & 0o777]
const json = () => JSON.parse(readFileSync(path, 'utf8'))

describe('changes to profiles', () => {
  test('addProfile creates a private file in a private directory and makes the first profile current', async () => {
    const added = await addProfile(path, 'dev', { baseUrl: URL_DEV, apiKey: { value: KEY } })
    expect(added).toMatchObject({ current: 'dev' })
    expect(await addProfile(path, 'prod', { baseUrl: 'https://prod.example' })).toMatchObject({ current: 'dev' })
    const read = readProfiles(path)
    expect([...read.byName.keys()]).toEqual(['dev', 'prod'])
    expect(read.byName.get('dev')).toMatchObject({ baseUrl: URL_DEV, apiKey: { value: KEY }, timezone: null })
    expect(modes()).toEqual([0o600, 0o700])
    expectOnlyTheFile()
  })

  test('changing a profile makes the directory and the file private', async () => {
    put('{}')
    chmodSync(directory, 0o755)
    chmodSync(path, 0o644)
    expect(readProfiles(path).warnings).toEqual([
      `other users can read ${path} (mode 0644); to prevent this: chmod 600 ${path}`,
    ])
    await addProfile(path, 'dev', { baseUrl: URL_DEV })
    expect(modes()).toEqual([0o600, 0o700])
    expect(readProfiles(path).warnings).toEqual([])
  })

  test('reading profiles makes the directory private', () => {
    put('{}')
    chmodSync(directory, 0o755)
    expect(readProfiles(path).warnings).toEqual([])
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  })

  test('setProfile changes only the given members and removes members that are set to null', async () => {
    const kept = { baseUrl: URL_DEV, later: { x: 1 }, mode: 'confirm' }
    put(JSON.stringify({ current: 'dev', theme: { a: [1] }, profiles: { dev: { ...kept, timezone: 'UTC' } } }))
    await setProfile(path, 'dev', { timezone: null, partnerName: 'acme', apiKey: { env: 'K' } })
    const dev = { ...kept, partnerName: 'acme', apiKey: { env: 'K' } }
    expect(json()).toMatchObject({ current: 'dev', theme: { a: [1] }, profiles: { dev } })
    expect(json().profiles.dev).not.toHaveProperty('timezone')
  })

  test('removing the current profile deletes its secret from the disk and leaves no current profile', async () => {
    await addProfile(path, 'dev', { baseUrl: URL_DEV, apiKey: { value: KEY } })
    await addProfile(path, 'prod', { baseUrl: URL_DEV })
    expect(await removeProfile(path, 'dev')).toMatchObject({ current: null })
    expect(readProfiles(path)).toMatchObject({ current: null })
    const { stdout } = spawnSync('grep', ['-rc', 'k3y', directory], { encoding: 'utf8', timeout: LIMIT_MS })
    expect(stdout).not.toMatch(/:[1-9]/)
  })

  test('useProfile selects a profile or the sandbox', async () => {
    await addProfile(path, 'a', { baseUrl: URL_DEV })
    await addProfile(path, 'b', { baseUrl: URL_DEV })
    expect(await useProfile(path, 'b')).toMatchObject({ current: 'b' })
    expect(await useProfile(path, 'sandbox')).toMatchObject({ current: 'sandbox' })
    expect((await rejectionOf(() => useProfile(path, 'aa'))).hint).toContain('did you mean a?')
  })

  const odd = ['__proto__', 'constructor', 'toString', 'a.b', '__internal__']
  test.each(odd)('addProfile accepts %s as a profile name', async (name) => {
    for (const added of [name, 'other']) await addProfile(path, added, { baseUrl: URL_DEV })
    await setProfile(path, name, { locationId: 'L9' })
    expect(readProfiles(path).byName.get(name)).toMatchObject({ baseUrl: URL_DEV, locationId: 'L9' })
    expect(describeProfiles(readProfiles(path), {}).map((profile) => profile.name)).toEqual([name, 'other'].sort())
    expect(({} as Record<string, unknown>)['baseUrl']).toBeUndefined()
    await removeProfile(path, name)
    expect([...readProfiles(path).byName.keys()]).toEqual(['other'])
  })

  test.each(['', 'a b', '-x', '..', 'a/b', 'ä', 'x'.repeat(65), 'dev\n', `${KEY}!`])(
    'addProfile refuses %j as a profile name',
    async (name) => {
      const failure = await rejectionOf(() => addProfile(path, name, { baseUrl: URL_DEV }))
      expect(failure.code).toBe('USAGE')
      expect(everything(failure)).not.toContain('k3y')
    },
  )

  test('the sandbox profile cannot be added, changed or removed', async () => {
    const builtIn = { code: 'USAGE', message: expect.stringContaining('built in') }
    expect(await rejectionOf(() => addProfile(path, 'sandbox', { baseUrl: URL_DEV }))).toMatchObject(builtIn)
    expect(await rejectionOf(() => setProfile(path, 'sandbox', {}))).toMatchObject(builtIn)
    expect(await rejectionOf(() => removeProfile(path, 'sandbox'))).toMatchObject(builtIn)
  })

  test('addProfile suggests "profiles set" if the profile exists, and setProfile suggests a similar name if it does not', async () => {
    await addProfile(path, 'dev', { baseUrl: URL_DEV })
    expect(await rejectionOf(() => addProfile(path, 'dev', { baseUrl: URL_DEV }))).toMatchObject({
      code: 'USAGE',
      hint: 'to change it: partner profiles set --help; to see it: partner profiles show dev',
    })
    const near = { code: 'NO_PROFILE', hint: expect.stringContaining('did you mean dev?') }
    for (const work of [() => setProfile(path, 'deV1', {}), () => removeProfile(path, 'deV1')])
      expect(await rejectionOf(work)).toMatchObject(near)
  })
})

describe('invalid profile files', () => {
  const dev = (text: string) => `{"profiles":{"dev":${text}}}`
  test.each([
    ['', /is empty/],
    [`{"profiles":{"dev":{"apiKey":{"value":"${KEY}"`, /is not valid JSON/],
    [`{"profiles":{"dev":{"apiKey":${KEY}}}}`, /is not valid JSON/],
    [`["${KEY}"]`, /the file must contain an object/],
    [`"${KEY}"`, /the file must contain an object/],
    [`{"profiles":["${KEY}"]}`, /"profiles" must be an object/],
    [`{"profiles":{"dev":"${KEY}"}}`, /profile dev must be an object/],
    [dev(`{"apiKey":"${KEY}"}`), /profile dev: "apiKey" must be an object with one of value, env, file, command/],
    [dev(`{"apiKey":{"value":"${KEY}","env":"X"}}`), /profile dev: "apiKey" must be/],
    [dev(`{"signingSecret":{"value":["${KEY}"]}}`), /profile dev: "signingSecret" must be/],
    [dev('{"timezone":5}'), /profile dev: "timezone" must be a string/],
    [dev(`{"environment":"${KEY}"}`), /profile dev: "environment" must be one of development, production/],
    [dev('{"mode":"all"}'), /profile dev: "mode" must be one of read-only, confirm, full/],
    [`{"current":["${KEY}"]}`, /"current" must be the name/],
  ])(
    'readProfiles explains what is wrong with the profile file %s without changing or quoting it',
    async (text, message) => {
      put(text)
      for (const work of [
        () => readProfiles(path),
        () => addProfile(path, 'x', { baseUrl: URL_DEV }),
        () => setProfile(path, 'dev', { locationId: '1' }),
        () => removeProfile(path, 'dev'),
        () => useProfile(path, 'dev'),
      ]) {
        const failure = await rejectionOf(work)
        expect(failure).toMatchObject({ code: 'USAGE', exitCode: 2 })
        expect(failure.message).toMatch(message)
        expect(failure.message).toContain(path)
        expect(everything(failure)).not.toContain('k3y')
      }
      expect(readFileSync(path, 'utf8')).toBe(text)
    },
  )

  test('readProfiles reports all problems in a profile file together', async () => {
    put('{"current":1,"profiles":{"a":{"timezone":1,"locationId":2},"b":[]}}')
    expect((await rejectionOf(() => readProfiles(path))).message).toContain('4 problems')
  })

  test('readProfiles and addProfile fail if the path of the profile file is a directory', async () => {
    mkdirSync(path, { recursive: true })
    const isDirectory = { code: 'USAGE', message: expect.stringContaining('is a directory') }
    expect(await rejectionOf(() => readProfiles(path))).toMatchObject(isDirectory)
    expect(await rejectionOf(() => addProfile(path, 'x', { baseUrl: URL_DEV }))).toMatchObject({ code: 'USAGE' })
  })

  test('readProfiles accepts a missing profile file and a profile file with a byte order mark', async () => {
    expect(readProfiles(path)).toMatchObject({ current: null, byName: new Map() })
    put(`\uFEFF{"profiles":{"dev":{}}}`)
    await setProfile(path, 'dev', { baseUrl: URL_DEV })
    expect(readProfiles(path).byName.get('dev')?.baseUrl).toBe(URL_DEV)
  })
})

describe('concurrent and failed changes to profiles', () => {
  test('eight concurrent processes can change the profile file without losing a change', async () => {
    // A process that cannot acquire the lock in time fails without changing anything, so it tries again.
    const script = (n: number) => `import(${JSON.stringify(STORE)}).then(async ({ addProfile, setProfile }) => {
      const done = async (change) => change().catch((error) => {
        if (error.code !== 'LOCKED') throw error
        return done(change)
      })
      await done(() => addProfile(${JSON.stringify(path)}, 'p${n}', { baseUrl: 'https://p${n}.example' }))
      await done(() => setProfile(${JSON.stringify(path)}, 'p${n}', { locationId: 'L${n}' }))
    })`
    const start = (n: number) =>
      spawn(process.execPath, ['-e', script(n)], { stdio: ['ignore', 'ignore', 'inherit'], timeout: LIMIT_MS })
    const runs = Array.from({ length: 8 }, (_, n) => once(start(n), 'exit'))
    for (const [code] of await Promise.all(runs)) expect(code).toBe(0)
    const { byName } = readProfiles(path)
    expect(byName.size).toBe(8)
    for (let n = 0; n < 8; n += 1) expect(byName.get(`p${n}`)).toMatchObject({ locationId: `L${n}` })
    expectOnlyTheFile()
  })

  test('a profile file that is a symbolic link can be read but not written', async () => {
    mkdirSync(directory)
    const real = join(root, 'dotfiles.json')
    writeFileSync(real, '{"profiles":{"dev":{}}}', { mode: 0o600 })
    symlinkSync(real, path)
    expect(readProfiles(path).byName.size).toBe(1)
    const failure = await rejectionOf(() => setProfile(path, 'dev', { baseUrl: URL_DEV }))
    expect(failure.message).toContain('is a symbolic link')
    expect(readFileSync(real, 'utf8')).toBe('{"profiles":{"dev":{}}}')
  })

  test('a change that fails on a full disk keeps the old profile file and prints neither a stack trace nor a secret', async () => {
    put(JSON.stringify({ profiles: { dev: { padding: 'p'.repeat(3_000), apiKey: { value: KEY } } } }))
    const before = readFileSync(path, 'utf8')
    const script = `import(${JSON.stringify(STORE)}).then(({ setProfile }) =>
      setProfile(${JSON.stringify(path)}, 'dev', { locationId: 'L'.repeat(3000), signingSecret: { value: '${KEY}' } }))
      .catch((error) => console.log(error.code, error.message, error.hint, error.cause))`
    // Limit files to 4 KiB, which is enough for the old content but not for the new. Conf silently truncates the file.
    const args = ['-c', 'ulimit -f 4; exec "$0" -e "$1"', process.execPath, script]
    const { stdout } = spawnSync('bash', args, { encoding: 'utf8', timeout: LIMIT_MS })
    expect(stdout).toMatch(/^INTERNAL cannot change the profiles in .*profiles.json: the new content is incomplete/)
    expect(stdout).not.toContain('k3y')
    expect(readFileSync(path, 'utf8')).toBe(before)
    expectOnlyTheFile()
  })

  test('a process killed during a change leaves a valid profile file, and the next change succeeds', async () => {
    await addProfile(path, 'first', { baseUrl: URL_DEV, apiKey: { value: KEY } })
    const script = `import(${JSON.stringify(STORE)}).then(async ({ setProfile }) => {
      for (let n = 0; ; n++) {
        await setProfile(${JSON.stringify(path)}, 'first', { locationId: 'L' + n })
        process.stdout.write('.')
      }
    })`
    for (let round = 0; round < 8; round += 1) {
      const child = spawn(process.execPath, ['-e', script], { timeout: LIMIT_MS, stdio: ['ignore', 'pipe', 'ignore'] })
      await once(child.stdout, 'data')
      await setTimeout(round * 7)
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(readProfiles(path).byName.get('first')?.apiKey).toEqual({ value: KEY })
    }
    expect(readProfiles(path).byName.get('first')?.locationId).toMatch(/^L\d+$/)
    await setProfile(path, 'first', { locationId: 'after' })
    expectOnlyTheFile()
  })

  test('changing a profile removes files that a killed run left behind', async () => {
    put('{}')
    mkdirSync(join(directory, '.profiles-in-work'))
    writeFileSync(join(directory, '.profiles-in-work', 'profiles.json'), KEY)
    writeFileSync(join(directory, '.profiles.json.1-x.tmp'), KEY)
    await addProfile(path, 'dev', { baseUrl: URL_DEV })
    expectOnlyTheFile()
  })
})

describe('profile descriptions', () => {
  test('describeProfiles masks each secret and shows where it is stored and whether it is available', async () => {
    const file = join(root, 'key')
    writeFileSync(file, KEY, { mode: 0o644 })
    await addProfile(path, 'a', { baseUrl: URL_DEV, apiKey: { value: KEY }, signingSecret: { value: 'short' } })
    await addProfile(path, 'b', { baseUrl: URL_DEV, apiKey: { env: 'MY_KEY' }, signingSecret: { env: 'NO_KEY' } })
    await addProfile(path, 'c', { baseUrl: URL_DEV, apiKey: { file }, signingSecret: { file: join(root, 'none') } })
    const commands = { apiKey: { command: `pass ${KEY}` }, signingSecret: { command: `K=${KEY} x` } }
    await addProfile(path, 'd', { baseUrl: URL_DEV, ...commands })
    const shown = describeProfiles(readProfiles(path), { MY_KEY: KEY })
    expect(shown.map(({ apiKey, signingSecret }) => [apiKey, signingSecret])).toEqual([
      ['••••9876 (stored)', '•••• (stored)'],
      ['env:MY_KEY (set)', 'env:NO_KEY (not set)'],
      [`file:${file} (present, other users may read it)`, `file:${join(root, 'none')} (missing)`],
      ['command:pass … (run when used)', 'command:… (run when used)'],
    ])
    expect(shown.map((profile) => profile.current)).toEqual([true, false, false, false])
    expect(JSON.stringify(shown)).not.toContain('k3y')
  })

  test('describeProfile suggests the most similar profile for an unknown name', async () => {
    await addProfile(path, 'venue-east', { baseUrl: URL_DEV })
    const failure = await rejectionOf(() => describeProfile('venue-esat', readProfiles(path), {}))
    expect(failure.hint).toContain('venue-east')
  })

  test('describeProfile describes "sandbox" as built in, even if the file has a profile with that name', () => {
    put('{"current":"sandbox","profiles":{"sandbox":{"baseUrl":"https://x.example"}}}')
    const profiles = readProfiles(path)
    const builtIn = { builtIn: true, current: true, baseUrl: null, apiKey: null }
    expect(describeProfile('sandbox', profiles, {})).toMatchObject(builtIn)
    expect(describeProfiles(profiles, {})).toEqual([])
  })

  test('the profile file is in PARTNER_CONFIG_DIR', () =>
    expect(profilesPath({ PARTNER_CONFIG_DIR: '/c' })).toBe(join('/c', 'profiles.json')))
})

describe('profile flags', () => {
  test('parseProfileChange parses flags and removes a member whose flag is empty', () => {
    const same = { environment: 'production', timezone: 'Europe/London' }
    const typed = { ...same, baseUrl: 'https://x.example/v1/', partnerName: '', apiKey: 'env:K' }
    const change = { ...same, baseUrl: 'https://x.example/v1', partnerName: null, apiKey: { env: 'K' } }
    expect(parseProfileChange(typed)).toEqual(change)
    expect(parseProfileChange({})).toEqual({})
  })

  test('parseProfileChange reports all invalid flags together without printing secrets', async () => {
    const names = { environment: 'prod', timezone: 'Europe/Londn', partnerName: 'a/b' }
    const wrong = { ...names, signatureHeader: 'X:', locationId: 'a b', apiKey: KEY, signingSecret: KEY }
    const failure = await rejectionOf(() => parseProfileChange(wrong, { missing: [NO_BASE_URL] }))
    expect(failure).toMatchObject({ code: 'USAGE', message: expect.stringContaining('8 problems') })
    const flags = '--environment --timezone --partner-name --signature-header --location-id --api-key --signing-secret'
    for (const said of ['--base-url is required', ...words(flags), 'did you mean Europe/London?'])
      expect(failure.message).toContain(said)
    expect(everything(failure)).not.toContain('k3y')
  })

  test.each(['Sydney', '+10:00', 'UTC+2', '5', 'Mars/Base'])(
    'parseProfileChange refuses %s as a time zone',
    (timezone) => {
      expect(() => parseProfileChange({ timezone })).toThrow(/--timezone must be the IANA name/)
    },
  )
})
