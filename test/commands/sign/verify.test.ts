import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LIMIT_MS } from '../../support/limit.ts'
import { skipWithout } from '../../support/needs.ts'
import { OPENSSL } from '../../support/openssl.ts'
import { freshDirectory, freshHome, runPartner, runProgram } from '../../support/partner.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'

const SECRET = 'deadbeef00112233445566778899aabb'
const URL = 'https://service.example/partners/my-pos/giftcards/balance?a=b%20c'
const BODY = '{"cardNumber":"GIFT1-00000100-AAAA","holder":"Zoë","at":"a/b"}'

function made(signed: string, key: string | Buffer = SECRET, hash = 'sha256'): string {
  return createHmac(hash, key).update(signed).digest('hex')
}

function verify(signature: string, more: { body?: string; args?: string[]; env?: Record<string, string> } = {}) {
  const { body = BODY, args = [], env = {} } = more
  return runPartner(['sign', 'verify', '--signature', signature, '--url', URL, '--body', '-', ...args], {
    env: { ...freshHome(), ...(args.includes('--profile') ? {} : { PARTNER_SIGNING_SECRET: SECRET }), ...env },
    input: body,
  })
}

const AS_SENT = `sign the body (${Buffer.byteLength(BODY)} bytes) exactly as it is sent`
const THIS_URL = `sign this URL, byte for byte: "${URL}"`

const BODY_FIRST = 'hmac_sha256(secret, body + url)'
const LOWERCASE = 'write the signature as 64 lowercase hexadecimal digits'
const INDENTED = JSON.stringify(JSON.parse(BODY), null, 4)
const parsed = 'the body was parsed and reserialized indented by 4 spaces'
const decoded = 'use the secret itself as the key, without decoding it from hexadecimal'
const alone = 'which is not part of it'

test.each<[says: string, signature: string, next: string]>([
  ['the URL was prepended to the body', made(URL + BODY), `put the body first, then the URL: ${BODY_FIRST}`],
  ['the URL was signed without its query', made(BODY + URL.replace(/\?.*/, '')), THIS_URL],
  ['extra trailing line break', made(`${BODY}\n${URL}`), `${AS_SENT}, without an extra line break`],
  ['with a leading byte order mark', made(`\ufeff${BODY}${URL}`), `${AS_SENT}, without a byte order mark`],
  [parsed, made(INDENTED + URL), `${AS_SENT}, before it is parsed`],
  ['only the URL was signed, without the body', made(URL), `put the body before the URL: ${BODY_FIRST}`],
  [
    'the secret was used with a trailing space',
    made(BODY + URL, `${SECRET} `),
    `use the secret without the trailing space, ${alone}`,
  ],
  [
    'the secret was used with a trailing line break',
    made(BODY + URL, `${SECRET}\n`),
    'use the secret without the trailing line break',
  ],
  [
    'the secret was used with double quotes around it',
    made(BODY + URL, `"${SECRET}"`),
    'use the secret without the quotes around it',
  ],
  ['the secret was used decoded from hexadecimal', made(BODY + URL, Buffer.from(SECRET, 'hex')), decoded],
  ['the signature is in upper case', made(BODY + URL).toUpperCase(), LOWERCASE],
  ['SHA-1 was used instead of SHA-256', made(BODY + URL, SECRET, 'sha1'), `use SHA-256: ${BODY_FIRST}`],
  ['the signature begins with "sha256="', `sha256=${made(BODY + URL)}`, `${LOWERCASE} alone`],
])('partner sign verify names the mistake and the correction: %s', async (says, signature, next) => {
  const run = await verify(signature)
  expectRefusal(run, { code: 5, says: 'wrong signature: ', secrets: [SECRET] })
  expect(run.stderr).toContain(says)
  expect(run.stderr.split('\n').find((line) => line.startsWith('next: '))).toContain(next)
})

test('partner sign verify names every mistake in a signature, including in the JSON error', async () => {
  const run = await verify(made(`${URL.replace(/\?.*/, '')}${BODY}`).toUpperCase(), { args: ['--json'] })
  const [order, query] = ['the URL was prepended to the body', 'the URL was signed without its query']
  const letters = 'the signature is in upper case'
  const correction = `put the body first, then the URL: ${BODY_FIRST}; ${THIS_URL}; ${LOWERCASE}`
  const details = { reason: 'upper-case', mistakes: [order, query, letters], correction }
  const message = `wrong signature: ${order}, ${query}, and ${letters}`
  expect(reportedError(run)).toMatchObject({ code: 'SIGNATURE_MISMATCH', exitCode: 5, message, details })
})

test('partner sign verify recognizes an openssl signature in which the URL precedes the body', async (context) => {
  skipWithout(context, OPENSSL)
  const openssl = await runProgram('openssl', ['dgst', '-sha256', '-hmac', SECRET, '-r'], { input: URL + BODY })
  expectRefusal(await verify(openssl.stdout.slice(0, 64)), { code: 5, says: 'the URL was prepended to the body' })
})

describe('wrong secrets in partner sign verify', () => {
  const OTHERS = { prod: 'prod-secret-4711', till: 'till-secret-4712', vault: 'vault-secret-4713', key: 'api-key-4714' }

  function home() {
    const variables = freshHome()
    const directory = freshDirectory()
    const place = (name: string) => join(directory, name)
    writeFileSync(place('till'), `${OTHERS.till}\n`, { mode: 0o600 })
    expect(spawnSync('mkfifo', [place('pipe')], { timeout: LIMIT_MS }).status).toBe(0)
    const profiles = {
      dev: { signingSecret: { value: SECRET }, apiKey: { value: OTHERS.key } },
      prod: { signingSecret: { env: 'PROD_SECRET' } },
      till: { signingSecret: { file: place('till') } },
      gone: { signingSecret: { file: place('no-such-file') }, apiKey: { env: 'NO_SUCH_VARIABLE' } },
      pipe: { signingSecret: { file: place('pipe') } },
      vault: { signingSecret: { command: `touch ${place('was-run')}; echo ${OTHERS.vault}` } },
    }
    mkdirSync(variables.PARTNER_CONFIG_DIR, { recursive: true, mode: 0o700 })
    const file = join(variables.PARTNER_CONFIG_DIR, 'profiles.json')
    writeFileSync(file, JSON.stringify({ current: 'dev', profiles }), { mode: 0o600 })
    return { env: { ...variables, PROD_SECRET: OTHERS.prod }, commandRan: () => existsSync(place('was-run')) }
  }
  const secrets = [SECRET, ...Object.values(OTHERS)]
  const check = (key: string, { env }: ReturnType<typeof home>) =>
    verify(made(BODY + URL, key), { args: ['--profile', 'dev'], env })

  test.each([
    ['prod', OTHERS.prod],
    ['till', OTHERS.till],
  ])('partner sign verify names the profile whose secret was used, wherever it is stored: %s', async (name, secret) => {
    expectRefusal(await check(secret, home()), {
      code: 5,
      says: `wrong signature: the signing secret of profile ${name} was used`,
      next: `use the signing secret of profile dev, not the signing secret of profile ${name}, or check with --profile ${name}`,
      secrets,
    })
  })

  test("partner sign verify recognizes an API key, the sandbox's secret and a secret from an environment variable", async () => {
    const there = home()
    expectRefusal(await check(OTHERS.key, there), { code: 5, says: 'the API key of profile dev was used', secrets })
    const env = { ...there.env, PARTNER_SIGNING_SECRET: 'variable-secret-1' }
    const variable = await verify(made(BODY + URL, 'variable-secret-1'), { args: ['--profile', 'dev'], env })
    expectRefusal(variable, { code: 5, says: 'the signing secret in PARTNER_SIGNING_SECRET was used', secrets })
    const sandbox = await runPartner(['sign', '--url', URL, '--body', BODY, '--profile', 'sandbox'])
    const ofSandbox = await verify(sandbox.stdout.trim(), { args: ['--profile', 'dev'], env: there.env })
    expectRefusal(ofSandbox, { code: 5, says: 'the signing secret of profile sandbox was used', secrets })
  })

  test("partner sign verify recognizes another profile's secret even if the signature has a second mistake", async () => {
    const there = home()
    const says = 'the URL was prepended to the body, and the signing secret of profile prod'
    const refused = await verify(made(URL + BODY, OTHERS.prod), { args: ['--profile', 'dev'], env: there.env })
    expectRefusal(refused, { code: 5, says, secrets })
  })

  test("partner sign verify neither runs a command nor waits for a pipe to read other profiles' secrets", async () => {
    const there = home()
    expectRefusal(await check(OTHERS.vault, there), {
      code: 5,
      says: 'no common mistake or pair of mistakes explains why',
      secrets,
    })
    expect(there.commandRan()).toBe(false)
  })

  test('partner sign verify explains a wrong signature even if the profiles cannot be read', async () => {
    const env = freshHome()
    mkdirSync(env.PARTNER_CONFIG_DIR, { recursive: true, mode: 0o700 })
    writeFileSync(join(env.PARTNER_CONFIG_DIR, 'profiles.json'), 'no JSON', { mode: 0o600 })
    expectRefusal(await verify(made(URL + BODY), { env }), { code: 5, says: 'the URL was prepended to the body' })
  })
})

test('partner sign verify does not print a secret that was typed into the URL or the signature', async () => {
  const url = `${URL}&key=${SECRET}`
  const env = { ...freshHome(), PARTNER_SIGNING_SECRET: SECRET }
  const wrong = ['sign', 'verify', '--url', url, '--body', BODY, '--signature']
  for (const signature of [made(url + BODY), made(BODY + URL), `${SECRET}=${made(BODY + url)}`, made('else')])
    for (const output of [[], ['--json']]) expectRefusalOf(await runPartner([...wrong, signature, ...output], { env }))
  function expectRefusalOf(run: { code: number | null; stdout: string; stderr: string }) {
    expect(run).toMatchObject({ code: 5, stdout: '' })
    expect(run.stderr).not.toContain(SECRET)
  }
})

describe('unexplained mismatches in partner sign verify', () => {
  test('partner sign verify says what to do next if no known mistake explains a signature', async () => {
    const run = await verify(made('something else'), { env: { PARTNER_SIGNATURE_HEADER: 'X-Signature' } })
    expectRefusal(run, {
      code: 5,
      says: 'does not match this body and URL; no common mistake or pair of mistakes explains why',
      next: `compare the signed bytes and the secrets of both sides; the correct signature: partner sign --url '${URL}' --body - --curl`,
      secrets: [SECRET],
    })
    const details = reportedError(await verify(made('something else'), { args: ['--json'] })).details
    expect(details).toEqual({ reason: 'different', mistakes: [], correction: null })
    expectRefusal(await verify('abc'), { code: 5, says: 'has 3 characters; it must have 64; no common mistake' })
  })

  test('partner sign verify suggests including the query string if the URL has none', async () => {
    const wrong = ['sign', 'verify', '--signature', made('else'), '--url', 'https://service.example/x']
    const run = await runPartner(wrong, { env: { ...freshHome(), PARTNER_SIGNING_SECRET: SECRET } })
    expectRefusal(run, { code: 5, says: 'no common mistake', next: '(including the query of the URL, if any)' })
  })

  test('partner sign verify tries pairs of mistakes only for bodies of up to 64 KiB and says so', async () => {
    const body = 'x'.repeat(64 * 1024 + 1)
    const says = 'explains why; pairs of mistakes are tried only for bodies of up to 64 KiB'
    expectRefusal(await verify(made('something else'), { body }), { code: 5, says })
    expectRefusal(await verify(made(URL + body), { body }), { code: 5, says: 'the URL was prepended to the body' })
  })
})
