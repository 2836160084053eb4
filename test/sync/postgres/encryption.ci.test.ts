import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { LIMIT_MS } from '../../support/limit.ts'
import { needs } from '../../support/needs.ts'
import { OPENSSL } from '../../support/openssl.ts'
import { OWN_POSTGRES, postgresServer } from '../../support/postgres.ts'
import { words } from '../../support/words.ts'
import { hold, minute, NOTE } from './copies.ts'

needs(OWN_POSTGRES)
needs(OPENSSL)

const directory = mkdtempSync(join(tmpdir(), 'partner-tls-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const path = (name: string) => join(directory, name)
const text = (name: string) => (OPENSSL.isMet ? readFileSync(path(name), 'utf8') : '')
const openssl = (...args: readonly string[]) =>
  OPENSSL.isMet && execFileSync('openssl', args, { stdio: 'pipe', timeout: LIMIT_MS })
const NEW_KEY = words('req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes')
const to = (name: string) => ['-out', path(`${name}.crt`)]

for (const name of ['ca', 'other'])
  openssl(...NEW_KEY, '-x509', ...words('-days 2 -subj'), `/CN=${name}`, '-keyout', path(`${name}.key`), ...to(name))
for (const [name, subject, names] of [
  ['server', '/CN=localhost', 'subjectAltName=DNS:localhost'],
  ['client', '/CN=by_certificate', 'subjectAltName=DNS:client'],
] as const) {
  openssl(...NEW_KEY, '-subj', subject, '-keyout', path(`${name}.key`), '-out', path('csr'))
  writeFileSync(path('ext'), names)
  const signer = ['-CA', path('ca.crt'), '-CAkey', path('ca.key'), '-CAcreateserial']
  openssl(...words('x509 -req -days 2'), '-in', path('csr'), ...signer, '-extfile', path('ext'), ...to(name))
}

const secure = postgresServer({
  files: { 'server.crt': text('server.crt'), 'server.key': text('server.key'), 'root.crt': text('ca.crt') },
  settings: ['ssl = on', "ssl_ca_file = 'root.crt'"],
  access: [
    'hostssl all by_certificate 127.0.0.1/32 cert',
    'hostssl all tls_only 127.0.0.1/32 trust',
    'hostnossl all plain_only 127.0.0.1/32 trust',
    'host all by_certificate,tls_only,plain_only 127.0.0.1/32 reject',
  ],
})
const plain = postgresServer()

/** Syncs once with the given role. Returns whether the connection was encrypted. */
async function sync(user: string, query: string, host = 'localhost', env = {}): Promise<boolean> {
  const database = new URL(await secure.database()).pathname
  await secure.query(
    secure.url('postgres'),
    `DO $$ BEGIN CREATE ROLE ${user} LOGIN SUPERUSER; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
  )
  const { copy } = await hold(`postgres://${user}@${host}:${secure.port}${database}?${query}`, { env })
  await copy.commit(minute(1), NOTE)
  const [row] = await secure.query(
    secure.url('postgres'),
    `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'partner' AND datname = '${database.slice(1)}'`,
  )
  return row?.['ssl'] === 't'
}

test('only sslmode=prefer and sslmode=allow fall back to the kind of connection that the server accepts', async () => {
  expect(await sync('tls_only', '')).toBe(true)
  expect(await sync('plain_only', '')).toBe(false)
  expect(await sync('tls_only', 'sslmode=allow')).toBe(true)
  expect(await sync('plain_only', 'sslmode=allow')).toBe(false)
  expect(await sync('tls_only', '', 'localhost', { PGSSLMODE: 'require' })).toBe(true)
  await expect(sync('tls_only', 'sslmode=disable')).rejects.toMatchObject({ exitCode: 5 })
  await expect(sync('plain_only', 'sslmode=require')).rejects.toMatchObject({ exitCode: 5 })
})

test('sslmode=verify-ca checks the certificate chain, and sslmode=verify-full also checks the host name', async () => {
  const [ca, other] = [path('ca.crt'), path('other.crt')]
  expect(await sync('tls_only', `sslmode=verify-full&sslrootcert=${ca}`)).toBe(true)
  expect(await sync('tls_only', `sslmode=verify-ca&sslrootcert=${ca}`, '127.0.0.1')).toBe(true)
  const refused = { exitCode: 8, words: expect.stringContaining('cannot encrypt the connection to PostgreSQL at') }
  await expect(sync('tls_only', `sslmode=verify-full&sslrootcert=${ca}`, '127.0.0.1')).rejects.toMatchObject(refused)
  await expect(sync('tls_only', `sslmode=verify-ca&sslrootcert=${other}`)).rejects.toMatchObject(refused)
  await expect(sync('tls_only', `sslmode=require&sslrootcert=${other}`)).rejects.toMatchObject(refused)
})

test('the server accepts a role with its client certificate and rejects it without the certificate', async () => {
  const pair = `sslcert=${path('client.crt')}&sslkey=${path('client.key')}`
  expect(await sync('by_certificate', `sslmode=require&${pair}`)).toBe(true)
  await expect(sync('by_certificate', 'sslmode=require')).rejects.toMatchObject({ exitCode: 5 })
})

test('sslmode=prefer works with a server without TLS, and sslmode=require fails', async () => {
  const url = (await plain.database()).replace('?sslmode=disable', '')
  const { copy } = await hold(url)
  await copy.commit(minute(1), NOTE)
  const unencrypted = { exitCode: 8, words: expect.stringContaining('The server does not support SSL connections') }
  await expect(hold(`${url}?sslmode=require`)).rejects.toMatchObject(unencrypted)
})
