import { describe, expect, test } from 'vitest'
import type { Variables } from '../../../src/base/storage/directories.ts'
import { parseProfiles } from '../../../src/client/profiles/read.ts'
import { resolveSettings, resolveTarget } from '../../../src/client/profiles/resolve.ts'
import { type Need, requireSetting } from '../../../src/client/profiles/settings.ts'
import { failureOf } from '../../support/failure.ts'

const FILE = {
  current: 'dev',
  profiles: {
    dev: {
      environment: 'development',
      baseUrl: 'https://dev.example/api',
      timezone: 'Australia/Sydney',
      partnerName: 'acme',
      signatureHeader: 'X-Acme-Signature',
      locationId: 'L1',
      apiKey: { value: 'k3y-of-dev-1234' },
      signingSecret: { env: 'DEV_SIGNING' },
    },
    prod: { environment: 'production', baseUrl: 'https://prod.example', apiKey: { file: '/run/prod' } },
    bare: {},
    open: { baseUrl: 'http://far.example', apiKey: { value: 'k' } },
    slash: { baseUrl: 'https://s.example', partnerName: '../../x' },
  },
}

function input(
  flags: { profile?: string; baseUrl?: string },
  env: Variables,
  file: unknown = FILE,
  needs: readonly Need[] = ['baseUrl', 'apiKey'],
) {
  const path = '/c/profiles.json'
  return { flags, env, profiles: () => ({ path, warnings: [], ...parseProfiles(JSON.stringify(file), path) }), needs }
}
const unread = (flags: { profile?: string; baseUrl?: string }, env: Variables, needs?: readonly Need[]) => ({
  ...input(flags, env, FILE, needs),
  profiles: () => {
    throw new Error('the profile file was read')
  },
})
const target = (...args: Parameters<typeof input>) => resolveTarget(input(...args))
const targetFailure = (...args: Parameters<typeof input>) => failureOf(() => target(...args))

const EVERY_VARIABLE = {
  PARTNER_BASE_URL: 'https://other.example',
  PARTNER_API_KEY_FILE: '/run/key',
  PARTNER_SIGNING_SECRET: 's',
  PARTNER_NAME: 'other',
  PARTNER_SIGNATURE_HEADER: 'X-Other',
  PARTNER_LOCATION_ID: 'L2',
  PARTNER_TIMEZONE: 'Europe/London',
}

describe('precedence of settings', () => {
  test("without flags or environment variables, resolveTarget uses the current profile and reports each value's source", () =>
    expect(target({}, {})).toMatchObject({
      kind: 'service',
      profile: { value: 'dev', from: 'profiles use' },
      environment: 'development',
      baseUrl: { value: new URL('https://dev.example/api'), from: 'profile dev' },
      apiKey: { value: { value: 'k3y-of-dev-1234' }, from: 'profile dev' },
      signingSecret: { value: { env: 'DEV_SIGNING' }, from: 'profile dev' },
      timezone: { value: 'Australia/Sydney', from: 'profile dev' },
    }))

  test('a flag takes precedence over an environment variable, and a variable over the current profile', () => {
    expect(target({}, { PARTNER_PROFILE: 'prod' }).profile).toEqual({ value: 'prod', from: 'PARTNER_PROFILE' })
    expect(target({ profile: 'dev' }, { PARTNER_PROFILE: 'prod' }).profile).toEqual({ value: 'dev', from: '--profile' })
    const url = target({ baseUrl: 'https://dev.example/b' }, { PARTNER_BASE_URL: 'https://dev.example/c' }).baseUrl
    expect([url?.value.pathname, url?.from]).toEqual(['/b', '--base-url'])
  })

  test.each([{}, { PARTNER_PROFILE: 'dev' }])(
    'each environment variable overrides the corresponding profile setting: %j',
    (chosen) => {
      expect(target({}, { ...EVERY_VARIABLE, ...chosen })).toMatchObject({
        baseUrl: { from: 'PARTNER_BASE_URL' },
        apiKey: { value: { file: '/run/key' }, from: 'PARTNER_API_KEY_FILE' },
        signingSecret: { value: { env: 'PARTNER_SIGNING_SECRET' }, from: 'PARTNER_SIGNING_SECRET' },
        partnerName: { value: 'other', from: 'PARTNER_NAME' },
        signatureHeader: { value: 'X-Other', from: 'PARTNER_SIGNATURE_HEADER' },
        locationId: { value: 'L2', from: 'PARTNER_LOCATION_ID' },
        timezone: { value: 'Europe/London', from: 'PARTNER_TIMEZONE' },
        ignored: [],
      })
    },
  )

  test('resolveTarget does not read the profile file if the environment contains a base URL and a key', () => {
    const env = { PARTNER_BASE_URL: 'https://x.example', PARTNER_API_KEY: 'k3y' }
    const apiKey = { value: { env: 'PARTNER_API_KEY' } }
    expect(resolveTarget(unread({}, env))).toMatchObject({ profile: null, apiKey })
    expect(resolveTarget(unread({ baseUrl: 'https://y.example' }, env)).baseUrl?.value.host).toBe('y.example')
    expect(JSON.stringify(resolveTarget(unread({}, env)))).not.toContain('k3y')
  })

  test('resolveSettings does not read the profile file to sign a request if the environment contains the secret', () => {
    const settings = resolveSettings(unread({}, { PARTNER_SIGNING_SECRET: 's' }, ['signingSecret']))
    expect(requireSetting(settings, 'signingSecret').from).toBe('PARTNER_SIGNING_SECRET')
  })

  test('resolveTarget treats an empty variable as unset', () => {
    const names = ['PARTNER_PROFILE', 'PARTNER_BASE_URL', 'PARTNER_API_KEY', 'PARTNER_API_KEY_FILE', 'PARTNER_NAME']
    const env = Object.fromEntries(names.map((name) => [name, '']))
    expect(target({}, env)).toMatchObject({ apiKey: { from: 'profile dev' }, partnerName: { from: 'profile dev' } })
  })
})

describe('a profile selected with --profile takes precedence over environment variables', () => {
  test('--profile uses only the values in that profile and lists the ignored variables', () => {
    const own = { profile: { value: 'dev', from: '--profile' }, ignored: Object.keys(EVERY_VARIABLE) }
    expect(target({ profile: 'dev' }, EVERY_VARIABLE)).toEqual({ ...target({}, { PARTNER_PROFILE: 'dev' }), ...own })
  })

  test('with --profile, a setting that the profile lacks is reported as missing even if a variable sets it', () => {
    const hint = 'set it in the profile with --base-url URL: partner profiles set --help'
    const failure = targetFailure({ profile: 'bare' }, EVERY_VARIABLE)
    expect(failure).toMatchObject({ code: 'NO_PROFILE', message: 'profile bare has no base URL', hint })
  })

  test('with --profile, partner ignores invalid variables and does not list empty variables as ignored', () => {
    const wrong = { PARTNER_BASE_URL: 'nonsense', PARTNER_API_KEY: 'k', PARTNER_API_KEY_FILE: '/k', PARTNER_NAME: '' }
    const settings = target({ profile: 'dev' }, wrong)
    expect(settings.baseUrl).toMatchObject({ from: 'profile dev' })
    expect(settings.ignored).toEqual(['PARTNER_BASE_URL', 'PARTNER_API_KEY', 'PARTNER_API_KEY_FILE'])
  })

  test('--profile uses PARTNER_API_KEY if the profile itself refers to that variable', () => {
    const file = { profiles: { own: { baseUrl: 'https://own.example', apiKey: { env: 'PARTNER_API_KEY' } } } }
    const apiKey = { value: { env: 'PARTNER_API_KEY' }, from: 'profile own' }
    expect(target({ profile: 'own' }, { PARTNER_API_KEY: 'k' }, file).apiKey).toEqual(apiKey)
  })

  test('with --profile sandbox, partner ignores all environment variables', () => {
    const settings = resolveTarget(unread({ profile: 'sandbox' }, { ...EVERY_VARIABLE, PARTNER_BASE_URL: '' }))
    const none = { apiKey: null, signingSecret: null, partnerName: null, timezone: null }
    expect(settings).toMatchObject({ kind: 'sandbox', ...none })
    expect(settings.ignored).toContain('PARTNER_API_KEY_FILE')
  })

  test('--profile cannot be combined with a --base-url from a different origin, even if the environment contains a key', () => {
    const failure = targetFailure({ profile: 'dev', baseUrl: 'https://x.example' }, { PARTNER_API_KEY: 'k3y-of-x' })
    const message = expect.stringContaining('belongs to https://dev.example and is not sent to https://x.example')
    expect(failure).toMatchObject({ code: 'USAGE', exitCode: 2, message })
    expect(failure.hint).toMatch(/^omit --profile, and set PARTNER_API_KEY to the key of that service/)
    expect(target({ profile: 'dev', baseUrl: 'https://dev.example/b' }, {}).baseUrl?.value.pathname).toBe('/b')
  })
})

describe('the sandbox profile', () => {
  test('the sandbox needs no configuration, and --profile and PARTNER_PROFILE select it without reading the profile file', () => {
    const bare = { kind: 'sandbox', baseUrl: null, apiKey: null }
    expect(resolveTarget(unread({ profile: 'sandbox' }, {}))).toMatchObject(bare)
    expect(resolveTarget(unread({}, { PARTNER_PROFILE: 'sandbox' })).kind).toBe('sandbox')
    expect(target({}, {}, { current: 'sandbox' })).toMatchObject({ kind: 'sandbox', profile: { from: 'profiles use' } })
  })

  test.each([
    [{ profile: 'sandbox' }, {}],
    [{}, { PARTNER_PROFILE: 'sandbox' }],
  ])('the sandbox ignores a base URL in the environment and the settings that accompany it: %j %j', (flags, chosen) => {
    const env = { PARTNER_BASE_URL: 'https://prod.example', PARTNER_API_KEY: 'k3y', PARTNER_NAME: 'acme', ...chosen }
    const ignored = ['PARTNER_BASE_URL', 'PARTNER_API_KEY', 'PARTNER_NAME']
    const bare = { kind: 'sandbox', baseUrl: null, apiKey: null, partnerName: null, ignored }
    expect(resolveTarget(unread(flags, env))).toMatchObject(bare)
  })

  test('the sandbox uses a key from the environment only if PARTNER_PROFILE or the current profile selected the sandbox', () => {
    const env = { PARTNER_API_KEY: 'unknown-app' }
    const own = { value: { env: 'PARTNER_API_KEY' }, from: 'PARTNER_API_KEY' }
    expect(resolveTarget(unread({}, { ...env, PARTNER_PROFILE: 'sandbox' })).apiKey).toEqual(own)
    expect(target({}, env, { current: 'sandbox' }).apiKey).toEqual(own)
    expect(resolveTarget(unread({ profile: 'sandbox' }, env)).apiKey).toBeNull()
  })

  test('--profile sandbox and --base-url cannot be combined', () =>
    expect(failureOf(() => target({ profile: 'sandbox', baseUrl: 'http://localhost:1' }, {}))).toMatchObject({
      code: 'USAGE',
    }))

  test('a base URL in the environment takes precedence even if the sandbox is the current profile', () => {
    const failure = targetFailure({}, { PARTNER_BASE_URL: 'https://x.example' }, { current: 'sandbox' })
    expect(failure).toMatchObject({ code: 'NO_PROFILE', message: expect.stringContaining('the API key is missing') })
  })
})

describe('origins that may receive a key', () => {
  const elsewhere = ['evil.example', 'dev.example:8443', 'dev.example.evil.example'].map((host) => `https://${host}`)
  test.each([...elsewhere, 'http://localhost:1'])("resolveTarget refuses to send a profile's key to %s", (url) => {
    const message = expect.stringContaining('belongs to https://dev.example and is not sent to')
    const refusal = { code: 'USAGE', exitCode: 2, message, hint: expect.stringContaining('PARTNER_API_KEY') }
    for (const failure of [
      targetFailure({ profile: 'dev', baseUrl: url }, {}),
      targetFailure({}, { PARTNER_BASE_URL: url }),
    ]) {
      expect(failure).toMatchObject(refusal)
      expect(failure.message).not.toContain('k3y')
    }
  })

  test("resolveSettings omits a profile's key for a different origin, and requireSetting reports a usage error", () => {
    const settings = resolveSettings(input({ baseUrl: 'https://evil.example' }, {}))
    expect(settings.apiKey).toBeNull()
    expect(failureOf(() => requireSetting(settings, 'apiKey')).code).toBe('USAGE')
  })

  test("resolveTarget refuses to send a profile's key to any base URL if the profile has no base URL", () => {
    const file = { profiles: { odd: { apiKey: { value: 'k' } } } }
    const failure = targetFailure({ profile: 'odd', baseUrl: 'https://x.example' }, {}, file)
    expect(failure.message).toContain('no known address')
  })

  test('resolveTarget accepts a different path on the same origin, or a different origin with its own key', () => {
    expect(target({ baseUrl: 'https://DEV.example:443/other' }, {}).apiKey?.from).toBe('profile dev')
    const env = { PARTNER_API_KEY: 'k', PARTNER_PROFILE: 'dev' }
    expect(target({ baseUrl: 'https://x.example' }, env).apiKey?.from).toBe('PARTNER_API_KEY')
  })
})

describe('missing and invalid settings', () => {
  test('resolveTarget fails with exit code 4 and suggests "--profile sandbox" and "profiles add" if nothing is configured', () => {
    const failure = targetFailure({}, {}, {})
    expect(failure).toMatchObject({ code: 'NO_PROFILE', exitCode: 4 })
    expect(failure.hint).toContain('--profile sandbox')
    expect(failure.hint).toContain('partner profiles add')
  })

  test('resolveTarget lists the profiles if no profile is selected', () =>
    expect(targetFailure({}, {}, { ...FILE, current: null }).hint).toContain('dev, prod, bare'))

  test.each([
    ['dve', 'did you mean dev?'],
    ['PROD', 'did you mean prod?'],
    ['sandbxo', 'did you mean sandbox?'],
    ['__proto__', 'your profiles: bare, dev, open, prod, slash'],
    ['constructor', 'your profiles: bare'],
  ])('resolveTarget suggests a similar name or lists the profiles if the profile %s does not exist', (name, hint) => {
    const failure = targetFailure({ profile: name }, {})
    expect(failure).toMatchObject({ code: 'NO_PROFILE', message: `there is no profile "${name}" (from --profile)` })
    expect(failure.hint).toContain(hint)
  })

  test('resolveTarget does not print an invalid profile name, because the name may be a key', () =>
    expect(failureOf(() => target({ profile: 'k3y/with+stuff==' }, {})).message).toBe(
      'there is no profile with that name (from --profile)',
    ))

  test('resolveTarget reports a current profile that was manually removed from the file', () =>
    expect(failureOf(() => target({}, {}, { current: 'gone', profiles: {} })).message).toContain(
      '"gone" (from partner profiles use)',
    ))

  test('resolveTarget fails with exit code 4 and suggests "profiles set" if a profile has no base URL or key', () => {
    const hint = 'set PARTNER_BASE_URL, or set it in the profile with --base-url URL: partner profiles set --help'
    const failure = targetFailure({}, { PARTNER_PROFILE: 'bare' })
    expect(failure).toMatchObject({ code: 'NO_PROFILE', message: 'profile bare has no base URL', hint })
    const file = { profiles: { x: { baseUrl: 'https://x.example' } } }
    expect(targetFailure({ profile: 'x' }, {}, file).message).toBe('profile x has no API key')
  })

  test('resolveTarget names the missing variable if the environment contains only a key or only a base URL', () => {
    expect(targetFailure({}, { PARTNER_API_KEY: 'k' }, {}).message).toContain('PARTNER_BASE_URL')
    expect(targetFailure({}, { PARTNER_BASE_URL: 'https://x.example' }, {}).message).toContain('PARTNER_API_KEY')
  })

  test('requireSetting fails with exit code 4 if the partner name, signature header or signing secret is missing', () => {
    const settings = resolveSettings(input({ profile: 'prod' }, {}))
    for (const need of ['signingSecret', 'partnerName', 'signatureHeader'] as const)
      expect(failureOf(() => requireSetting(settings, need))).toMatchObject({ code: 'NO_PROFILE', exitCode: 4 })
  })

  test.each([
    [{ PARTNER_BASE_URL: 'http://far.example' }, /\(PARTNER_BASE_URL\) must use https/],
    [{ PARTNER_BASE_URL: 'nonsense' }, /\(PARTNER_BASE_URL\) must be an absolute URL/],
    [{ PARTNER_PROFILE: 'open' }, /\(profile open\) must use https/],
    [{ PARTNER_NAME: '../x' }, /^PARTNER_NAME must be/],
    [{ PARTNER_SIGNATURE_HEADER: 'X Y' }, /^PARTNER_SIGNATURE_HEADER must be/],
    [{ PARTNER_PROFILE: 'slash' }, /^"partnerName" of profile slash must be/],
    [{ PARTNER_API_KEY: 'k3y', PARTNER_API_KEY_FILE: '/k' }, /^both PARTNER_API_KEY and PARTNER_API_KEY_FILE are set/],
  ])('an invalid value is a usage error that names its source: %j', (env, message) => {
    const failure = targetFailure({}, env)
    expect(failure).toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) })
    expect(failure.message).not.toContain('k3y')
  })

  test('an empty --profile or --base-url is a usage error', () => {
    expect(targetFailure({ profile: '' }, {}).code).toBe('USAGE')
    expect(targetFailure({ baseUrl: '' }, {}).code).toBe('USAGE')
  })
})
