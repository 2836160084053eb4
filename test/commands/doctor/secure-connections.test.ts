import { describe, expect, test } from 'vitest'
import { startTlsFront, startTunnelProxy } from '../../hostile/tls-service.ts'
import {
  type CertificateContents,
  type CertificateFiles,
  createAuthority,
  createSelfSigned,
} from '../../support/certificate.ts'
import { answers, freePort, hangs, RAW_KEY, startRawServer } from '../../support/raw-server.ts'
import { IS_WINDOWS } from '../../support/windows.ts'
import { rowsSkippedFor, runDoctor } from './run-doctor.ts'

const HERE = ['127.0.0.1']
const NAMED = 'service.test'
/** The variable's name in messages. Partner tries lower case first, which always matches on Windows. */
const PROXY = IS_WINDOWS ? 'https_proxy' : 'HTTPS_PROXY'

/** Starts a healthy service behind a TLS proxy with the given certificate. */
async function secureService(certificate: CertificateFiles, more: Parameters<typeof startTlsFront>[2] = {}) {
  const raw = await startRawServer(({ target }) =>
    answers(200, target === '/Webhooks' ? [] : [{ code: 'SEATED' }], { date: new Date().toUTCString() }),
  )
  const port = await startTlsFront(raw.port, certificate, more)
  const env = { PARTNER_BASE_URL: `https://127.0.0.1:${port}`, PARTNER_API_KEY: RAW_KEY }
  return { env: { ...env, PARTNER_TIMEZONE: 'Australia/Sydney' }, port, requests: raw.requests }
}

/** Starts a healthy service with a certificate from an authority that this machine trusts. */
async function trustedService(stated: CertificateContents) {
  const authority = createAuthority()
  const service = await secureService(authority.issue(stated))
  return { ...service, env: { ...service.env, NODE_EXTRA_CA_CERTS: authority.certificateFile } }
}

describe('doctor with TLS certificates', () => {
  test('doctor reports a valid certificate with its issuer and the number of days left', async () => {
    const { code, row } = await runDoctor((await trustedService({ names: HERE })).env)
    expect(code).toBe(0)
    const good = /^TLSv1\.3, certificate for 127\.0\.0\.1 from Partner Test Authority, 36[45] days left$/
    expect(row('tls')).toMatchObject({ status: 'ok', message: expect.stringMatching(good) })
  })

  test("doctor's tls row fails for an expired certificate, and doctor does not send the key", async () => {
    const { env, port, requests } = await trustedService({ names: HERE, fromDays: -40, toDays: -3 })
    const { cause, rows } = await runDoctor(env)
    const message = expect.stringMatching(/^the certificate of 127\.0\.0\.1 expired on \d{4}-\d\d-\d\d/)
    const next = `openssl s_client -connect 127.0.0.1:${port} -showcerts </dev/null`
    expect(cause).toMatchObject({ name: 'tls', message, next })
    expect(rowsSkippedFor(rows, 'tls')).toContain('key')
    expect(requests).toEqual([])
  })

  test("doctor's tls row fails for a certificate that is not yet valid, and suggests checking the clock", async () => {
    const { env } = await trustedService({ names: HERE, fromDays: 2 })
    const message = expect.stringMatching(/not valid before .* is this machine's clock correct\?/)
    expect((await runDoctor(env)).cause).toMatchObject({ name: 'tls', message, next: 'date -u' })
  })

  test("doctor's tls row fails and names both hosts if the certificate is for another host", async () => {
    const { env, requests } = await trustedService({ names: ['another.test', 'third.test'] })
    const message = 'the certificate is for a different name: another.test, third.test, not 127.0.0.1'
    expect((await runDoctor(env)).cause).toMatchObject({ name: 'tls', message, next: 'partner config' })
    expect(requests).toEqual([])
  })

  test("doctor's tls row fails for a self-signed certificate", async () => {
    const { env, requests } = await secureService(createSelfSigned({ names: HERE }))
    const message = expect.stringMatching(/^the certificate is self-signed/)
    const next = 'NODE_EXTRA_CA_CERTS=/path/to/authority.pem partner doctor'
    expect((await runDoctor(env)).cause).toMatchObject({ name: 'tls', message, next })
    expect(requests).toEqual([])
  })

  test("doctor's tls row fails and names the authority if a certificate comes from an unknown authority", async () => {
    const { env } = await secureService(createAuthority().issue({ names: HERE }))
    const message = expect.stringMatching(/does not know the authority .*Partner Test Authority/)
    expect((await runDoctor(env)).cause).toMatchObject({ name: 'tls', message })
    const unread = await runDoctor({ ...env, NODE_EXTRA_CA_CERTS: '/nowhere/authority.pem' })
    expect(unread.cause?.message).toContain(
      'NODE_EXTRA_CA_CERTS refers to /nowhere/authority.pem, which cannot be read',
    )
  })

  test('doctor warns about a certificate that expires in 10 days', async () => {
    const { code, row } = await runDoctor((await trustedService({ names: HERE, toDays: 10.5 })).env)
    expect(code).toBe(0)
    expect(row('tls')).toMatchObject({ status: 'warn', message: expect.stringContaining('has 10 days left') })
  })
})

test.each([
  ['TLSv1', 'TLSv1.0'],
  ['TLSv1.1', 'TLSv1.1'],
] as const)("doctor's tls row fails and names the version if a server speaks only %s", async (version, named) => {
  const old = { minVersion: 'TLSv1', maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const
  const { env, requests } = await secureService(createSelfSigned({ names: HERE }), old)
  const { cause } = await runDoctor(env)
  const message = expect.stringContaining(`it speaks at most ${named}, and versions before TLSv1.2 are not safe`)
  expect(cause).toMatchObject({ name: 'tls', message })
  expect(requests).toEqual([])
})

test("doctor's tls row fails if the server does not speak TLS", async () => {
  const { port } = await startRawServer([answers(200, [])], { greeting: 'SSH-2.0-OpenSSH_9.9\r\n' })
  const { cause } = await runDoctor({ PARTNER_BASE_URL: `https://127.0.0.1:${port}`, PARTNER_API_KEY: RAW_KEY })
  expect(cause).toMatchObject({ name: 'tls', message: expect.stringContaining('the server does not speak TLS') })
})

test("doctor's tls row fails after the time limit if the server accepts connections but never responds", async () => {
  const { port } = await startRawServer([hangs])
  const env = { PARTNER_BASE_URL: `https://127.0.0.1:${port}`, PARTNER_API_KEY: RAW_KEY }
  const { cause } = await runDoctor(env, ['--timeout', '200ms'])
  expect(cause).toMatchObject({ name: 'tls', message: expect.stringContaining('no complete response within 200ms') })
})

describe('doctor with a proxy', () => {
  const PASSWORD = 'proxy-password-55'
  const behind = (proxy: string, more = {}) => ({
    ...{ PARTNER_BASE_URL: `https://${NAMED}`, PARTNER_API_KEY: RAW_KEY, PARTNER_TIMEZONE: 'Australia/Sydney' },
    HTTPS_PROXY: proxy,
    ...more,
  })

  test("doctor checks the service through a proxy without resolving the service's host name itself", async () => {
    const { port, env } = await trustedService({ names: [NAMED] })
    const proxy = await startTunnelProxy(port)
    const { code, row } = await runDoctor(behind(proxy.url, { NODE_EXTRA_CA_CERTS: env.NODE_EXTRA_CA_CERTS }))
    expect(code).toBe(0)
    const message = `the proxy ${new URL(proxy.url).host} (${PROXY}) connects to service.test:443`
    expect(row('proxy')).toMatchObject({ status: 'ok', message })
    expect(row('dns')).toMatchObject({ status: 'skip', message: 'the proxy, not this machine, resolves service.test' })
    expect(row('tls')).toMatchObject({ status: 'ok', message: expect.stringContaining('certificate for service.test') })
    expect(row('key')?.status).toBe('ok')
  })

  test("doctor's proxy row fails if the proxy is down, and names the proxy without its password", async () => {
    const port = await freePort()
    const { cause, rows, stderr } = await runDoctor(behind(`http://till:${PASSWORD}@127.0.0.1:${port}`))
    const message = `the proxy 127.0.0.1:${port} (${PROXY}) cannot be reached: nothing is listening at 127.0.0.1:${port}`
    const next = `curl -sv -o /dev/null --proxy "$${PROXY}" https://service.test/`
    expect(cause).toEqual({ name: 'proxy', status: 'fail', message, next })
    expect(rowsSkippedFor(rows, 'proxy').slice(0, 3)).toEqual(['dns', 'tcp', 'tls'])
    expect(JSON.stringify(rows) + stderr).not.toContain(PASSWORD)
  })

  test.each([
    [
      'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n',
      'requires a user name and a password, or rejects those that were given (407)',
    ],
    ['HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n', 'refuses to connect to service.test:443 (403 Forbidden)'],
  ])("doctor's proxy row fails if the proxy responds with %j", async (answer, says) => {
    const proxy = await startTunnelProxy(1, (socket) => void socket.end(answer))
    const message = `the proxy ${new URL(proxy.url).host} (${PROXY}) ${says}`
    expect((await runDoctor(behind(proxy.url))).cause).toMatchObject({ name: 'proxy', message })
  })

  test('doctor does not use the proxy for a service that NO_PROXY excludes', async () => {
    const proxy = await startTunnelProxy(1)
    const { row } = await runDoctor(behind(proxy.url, { NO_PROXY: 'localhost, .test' }))
    expect(row('proxy')).toMatchObject({ status: 'ok', message: 'none: NO_PROXY excludes service.test' })
    expect(row('dns')?.status).toBe('fail')
    expect(proxy.targets).toEqual([])
  })

  test("doctor's proxy row fails without printing the value if HTTPS_PROXY is not a valid address", async () => {
    const { cause, rows } = await runDoctor(behind(`till:${PASSWORD}`))
    expect(cause).toMatchObject({ name: 'proxy', message: expect.stringContaining(PROXY) })
    expect(JSON.stringify(rows)).not.toContain(PASSWORD)
  })
})
