import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skipWithout } from '../support/needs.ts'
import { OPENSSL } from '../support/openssl.ts'
import { freshDirectory, freshHome, runPartner, runProgram } from '../support/partner.ts'
import { answers, startRawServer } from '../support/raw-server.ts'
import { expectRefusal, refused, reportedError } from '../support/refusal.ts'

const SECRET = 'shared-secret-0815'
const URL = 'https://service.example/partners/my-pos/giftcards/balance?a=b%20c'
const HEADER = 'X-Partner-Signature'

function run(args: readonly string[], more: { input?: string; env?: Record<string, string>; cwd?: string } = {}) {
  const env = { ...freshHome(), PARTNER_SIGNING_SECRET: SECRET, ...more.env }
  return runPartner(['sign', ...args], { ...more, env })
}

/** Computes a signature as the specification documents it. */
const rule = (body: string | Buffer, url = URL) => createHmac('sha256', SECRET).update(body).update(url).digest('hex')

test.each([
  // Test case 2 of RFC 4231, with its data split into a body and a URL.
  ['Jefe', 'what do ya want ', 'for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
])('partner sign matches the test vector of RFC 4231 for the key %j', async (secret, body, url, expected) => {
  const done = await run(['--url', url, '--body', body], { env: { PARTNER_SIGNING_SECRET: secret } })
  expect(done).toMatchObject({ code: 0, stdout: `${expected}\n` })
})

test('partner sign prints the same signature as openssl', async (context) => {
  skipWithout(context, OPENSSL)
  const body = '{"name":"小芳"}\r\n'
  const openssl = await runProgram('openssl', ['dgst', '-sha256', '-hmac', SECRET], { input: body + URL })
  const done = await run(['--url', URL, '--body', '-'], { input: body })
  expect(openssl.stdout).toContain(done.stdout.trim())
  expect(done.stdout).toMatch(/^[0-9a-f]{64}\n$/)
})

test('partner sign accepts a body as text, a file or standard input, and signs only the URL if no body is given', async () => {
  const directory = freshDirectory()
  const bytes = Buffer.from([0, 255, 13, 10, 239, 187, 191, 32, 10])
  writeFileSync(join(directory, 'body.bin'), bytes)
  expect((await run(['--url', URL, '--body', '@body.bin'], { cwd: directory })).stdout).toBe(`${rule(bytes)}\n`)
  expect((await run(['--url', URL, '--body', '-'], { input: 'x\n' })).stdout).toBe(`${rule('x\n')}\n`)
  expect((await run(['--url', URL, '--body', ' x '])).stdout).toBe(`${rule(' x ')}\n`)
  expect((await run(['--url', URL])).stdout).toBe(`${rule('')}\n`)
})

test('partner sign signs the URL exactly as typed', async () => {
  const typed = 'HTTPS://Service.example:443/a/../b?x=ü#frag'
  expect((await run(['--url', typed])).stdout).toBe(`${rule('', typed)}\n`)
})

test("partner sign needs only the signing secret, but --header and --curl also need the header's name", async () => {
  expect(await run(['--url', URL])).toMatchObject({ code: 0, stderr: '' })
  for (const flag of ['--header', '--curl'])
    await refused(run(['--url', URL, flag]), 4, 'signature header', 'PARTNER_SIGNATURE_HEADER')
  const env = { PARTNER_SIGNATURE_HEADER: HEADER }
  expect((await run(['--url', URL, '--header'], { env })).stdout).toBe(`${HEADER}: ${rule('')}\n`)
  expect(await runPartner(['sign', '--url', URL], { env: freshHome() })).toMatchObject({ code: 4, stdout: '' })
})

test('partner sign --curl prints a command that sends the signed request', async () => {
  const server = await startRawServer([answers(200, 'ok')])
  const url = `${server.baseUrl}/x?y={a,b}[1-2]`
  const body = `{"it's":"$HOME \`x\`"}\n`
  const env = { PARTNER_SIGNATURE_HEADER: HEADER }
  const done = await run(['--url', url, '--body', '-', '--curl'], { input: body, env })
  expect(await runProgram('bash', ['-c', done.stdout])).toMatchObject({ code: 0, stdout: 'ok' })
  expect(server.requests[0]).toMatchObject({ method: 'POST', body, target: '/x?y={a,b}[1-2]' })
  expect(server.requests[0]?.headers['x-partner-signature']).toBe(rule(body, url))
})

test('partner sign can print JSON, CSV or the result of a query', async () => {
  const json = JSON.parse((await run(['--url', URL, '--body', 'ab', '--json'])).stdout)
  expect(json).toEqual({ signature: rule('ab'), header: null, url: URL, bodyBytes: 2 })
  expect((await run(['--url', URL, '--query', 'bodyBytes'])).stdout).toBe('0\n')
  expect((await run(['--url', URL, '-o', 'csv', '--columns', 'signature'])).stdout).toBe(`signature\n${rule('')}\n`)
})

test('partner sign verify exits with code 0 for a correct signature and with code 5 for a wrong one', async () => {
  const verify = (signature: string, ...args: string[]) =>
    run(['verify', '--signature', signature, '--url', URL, ...args])
  expect(await verify(rule('ab'), '--body', 'ab')).toEqual({
    code: 0,
    stdout: 'The signature is correct.\n',
    stderr: '',
  })
  expect(JSON.parse((await verify(rule(''), '--json')).stdout)).toMatchObject({ valid: true })
  const withLine = await verify(rule('ab\n'), '--body', 'ab')
  expectRefusal(withLine, { code: 5, says: 'with an extra trailing line break', next: 'sign the body (2 bytes)' })
  const upper = await verify(rule('ab').toUpperCase(), '--body', 'ab')
  expectRefusal(upper, { code: 5, says: 'upper case' })
  expectRefusal(await verify('abc'), { code: 5, says: 'has 3 characters; it must have 64' })
  const error = reportedError(await verify(rule('ab', 'https://other.example/'), '--body', 'ab', '--json'))
  expect(error).toMatchObject({ code: 'SIGNATURE_MISMATCH', exitCode: 5, details: { reason: 'different' } })
  for (const run of [withLine, upper]) expect(run.stdout + run.stderr).not.toContain(SECRET)
})

test('partner sign and sign verify report missing and conflicting flags', async () => {
  expectRefusal(await run([]), { code: 2, says: '--url is required' })
  expectRefusal(await run(['verify', '--url', URL]), { code: 2, says: '--signature is required' })
  expectRefusal(await run(['--url', URL, '--body', '@/no/such/file']), { code: 2, says: 'there is no such file' })
  expectRefusal(await run(['--url', URL, '--header', '--curl']), { code: 2, says: 'cannot be used together' })
})
