import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Environment, freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { expectClean, expectRefusal } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'

const KEY = 'stored-secret-key-4711'
const OTHER = 'another-secret-key-0815'

interface Setting {
  readonly setting: string
  readonly value: unknown
  readonly from: string | null
}

async function settingsOf(line: string, env: Environment): Promise<Record<string, [unknown, string | null]>> {
  const run = await runPartner([...words(`config ${line}`.trim()), '--json'], { env })
  expect(run.code, run.stderr).toBe(0)
  expectClean(run, [KEY, OTHER])
  const settings = JSON.parse(run.stdout) as Setting[]
  return Object.fromEntries(settings.map(({ setting, value, from }) => [setting, [value, from]]))
}

async function homeWithProfile(): Promise<Environment> {
  const env = freshHome()
  const add = words(
    'profiles add dev --base-url https://dev.example/v1 --timezone Australia/Sydney --location-id L-1 --mode read-only --environment development --api-key-stdin',
  )
  expect(await runPartner(add, { env, input: `${KEY}\n` })).toMatchObject({ code: 0 })
  return env
}

describe('partner config', () => {
  test('partner config works without a profile and shows which settings are missing', async () => {
    const env = freshHome()
    const settings = await settingsOf('', env)
    expect(settings).toMatchObject({
      ...{ profile: [null, null], baseUrl: [null, null], apiKey: [null, null], proxy: [null, null] },
      ...{ timezone: ['UTC', 'default'], output: ['json', '--json'], retries: [3, 'default'] },
      timeout: ['30s, lists 5m', 'default'],
      configDirectory: [env.PARTNER_CONFIG_DIR, 'PARTNER_CONFIG_DIR'],
      dataDirectory: [env.PARTNER_DATA_DIR, 'PARTNER_DATA_DIR'],
      cacheDirectory: [env.PARTNER_CACHE_DIR, 'PARTNER_CACHE_DIR'],
    })
    expect(settings['node']?.[0]).toMatch(/^v\d+\.\d+\.\d+ \(\//)
  })

  test('partner config shows the settings of the current profile and names the profile as their source', async () =>
    expect(await settingsOf('', await homeWithProfile())).toMatchObject({
      ...{ profile: ['dev', 'profiles use'], environment: ['development', 'profile dev'] },
      ...{ mode: ['read-only', 'profile dev'], baseUrl: ['https://dev.example/v1', 'profile dev'] },
      ...{ apiKey: ['••••4711 (stored)', 'profile dev'], timezone: ['Australia/Sydney', 'profile dev'] },
      locationId: ['L-1', 'profile dev'],
    }))

  test('partner config shows that a variable overrides the profile, and that a flag overrides both', async () => {
    const set = { PARTNER_TIMEZONE: 'Europe/Berlin', PARTNER_API_KEY: OTHER, PARTNER_RETRIES: '1' }
    const env = { ...(await homeWithProfile()), ...set }
    expect(await settingsOf('--timeout 2m', env)).toMatchObject({
      apiKey: ['••••0815 (set)', 'PARTNER_API_KEY'],
      timezone: ['Europe/Berlin', 'PARTNER_TIMEZONE'],
      timeout: ['2m', '--timeout'],
      retries: [1, 'PARTNER_RETRIES'],
    })
    expect(await settingsOf('-p dev --retries=0', env)).toMatchObject({
      profile: ['dev', '--profile'],
      apiKey: ['••••4711 (stored)', 'profile dev'],
      timezone: ['Australia/Sydney', 'profile dev'],
      retries: [0, '--retries'],
    })
  })

  test('partner config shows the command that prints a secret, but does not run it', async () => {
    const env = freshHome()
    const mark = join(freshDirectory(), 'ran')
    await runPartner(
      ['profiles', 'add', 'c', '--base-url', 'https://c.example', '--api-key', `command:touch ${mark}`],
      { env },
    )
    expect((await settingsOf('', env))['apiKey']).toEqual(['command:touch … (run when used)', 'profile c'])
    expect(() => writeFileSync(mark, '', { flag: 'wx' })).not.toThrow()
  })

  test('partner config shows the settings of the sandbox without starting it', async () => {
    const env = freshHome()
    expect(await settingsOf('-p sandbox', env)).toMatchObject({
      profile: ['sandbox', '--profile'],
      baseUrl: ['this machine, on a free port', 'sandbox'],
      apiKey: ['its own', 'sandbox'],
    })
    const expected = { profile: ['sandbox', 'PARTNER_PROFILE'] }
    expect(await settingsOf('', { ...env, PARTNER_PROFILE: 'sandbox' })).toMatchObject(expected)
  })

  test("partner config hides a proxy's password", async () => {
    const env = { ...freshHome(), HTTPS_PROXY: `http://ada:${OTHER}@proxy.example:8080`, NO_PROXY: 'a.example' }
    const expected = { proxy: ['http://••••@proxy.example:8080', 'HTTPS_PROXY'], noProxy: ['a.example', 'NO_PROXY'] }
    expect(await settingsOf('', env)).toMatchObject(expected)
  })

  const NOT_USED = 'https://••••@releases.example/ (not used: it must be https, without a user name, password or query)'
  const WITH_PASSWORD = `https://ada:${OTHER}@releases.example/`
  const RELEASES = 'https://releases.example/latest'
  test.each([
    [{}, [null, null], [false, 'default']],
    [{ PARTNER_UPDATE_URL: RELEASES }, [RELEASES, 'PARTNER_UPDATE_URL'], [true, 'default']],
    [{ PARTNER_UPDATE_URL: RELEASES, CI: '1' }, [RELEASES, 'PARTNER_UPDATE_URL'], [false, 'CI']],
    [{ PARTNER_UPDATE_URL: WITH_PASSWORD }, [NOT_USED, 'PARTNER_UPDATE_URL'], [false, 'default']],
  ])(
    'partner config shows where it looks for newer releases and what disables the notice: %j',
    async (env, updateUrl, updateNotice) => {
      expect(await settingsOf('', { ...freshHome(), ...env })).toMatchObject({ updateUrl, updateNotice })
    },
  )

  test("partner config says that a profile's key is not sent to a different address", async () => {
    const settings = await settingsOf('--base-url https://elsewhere.example', await homeWithProfile())
    expect(settings).toMatchObject({ baseUrl: ['https://elsewhere.example', '--base-url'] })
    expect(settings['apiKey']).toEqual(['not sent: it belongs to https://dev.example', 'profile dev'])
  })

  test('partner config prints a table by default, and CSV with -o csv', async () => {
    const env = await homeWithProfile()
    const table = await runPartner(['config'], { env })
    expect(table.stdout).toMatch(/^SETTING +VALUE +SOURCE\n/)
    expect(table.stdout).toMatch(/^Base URL +https:\/\/dev\.example\/v1 +profile dev$/m)
    expect(table.stdout).toMatch(/^Output +table +default$/m)
    expect(table.stdout).toMatch(/^Data directory +.* +variable PARTNER_DATA_DIR$/m)
    const csv = await runPartner(['config', '-o', 'csv'], { env })
    expect(csv.stdout).toMatch(/^setting,value,source,from\nprofile,dev,profile,profiles use\n/)
  })

  test('partner config accepts each global flag and names it as the source of its setting', async () => {
    const env: Environment = { ...(await homeWithProfile()), PARTNER_RETRIES: '1' }
    const typed = words(
      'config -p dev --timeout=2m -v --dry-run --curl --har traffic.har --param a=1 --param b=2 -y --no-input --no-color --no-header --json',
    )
    const run = await runPartner(typed, { env })
    expect(run.code, run.stderr).toBe(0)
    const settings = JSON.parse(run.stdout) as (Setting & { source: string | null })[]
    const by = (source: string | null) =>
      Object.fromEntries(settings.filter((one) => one.source === source).map(({ setting, value }) => [setting, value]))
    expect(by('flag')).toEqual({
      ...{ profile: 'dev', timeout: '2m', verbose: true, output: 'json', color: false, dryRun: true, curl: true },
      ...{ har: 'traffic.har', param: 'a=1&b=2', yes: true, noInput: true, noHeader: true },
    })
    expect(by('variable')).toMatchObject({ retries: 1, dataDirectory: env['PARTNER_DATA_DIR'] })
    expect(by('profile')).toMatchObject({ baseUrl: 'https://dev.example/v1', mode: 'read-only' })
    expect(by('default')).toMatchObject({ version: expect.any(String) as string })
    expect(by(null)).toMatchObject({ signingSecret: null })
  })

  test.each([
    [{}, [], [false, 'default']],
    [{ FORCE_COLOR: '1' }, [], [true, 'FORCE_COLOR']],
    [{ FORCE_COLOR: '1' }, ['--no-color'], [false, '--no-color']],
    [{ NO_COLOR: '1' }, [], [false, 'NO_COLOR']],
    [{ TERM: 'dumb' }, [], [false, 'TERM']],
  ] as const)(
    'partner config shows whether colour is on and which variable or flag decided that: %j %j',
    async (env, flags, expected) => {
      expect((await settingsOf(flags.join(' '), { ...freshHome(), ...env }))['color']).toEqual(expected)
    },
  )

  test.each([
    ['-p nope', 4, 'there is no profile "nope"'],
    ['--timeout soon', 2, '--timeout'],
    ['--base-url ftp://x', 2, '--base-url'],
    ['extra', 2, 'unexpected argument'],
  ] as const)('config %s exits with code %i', async (line, code, says) => {
    expectRefusal(await runPartner(words(`config ${line}`), { env: freshHome() }), { code, says })
  })
})
