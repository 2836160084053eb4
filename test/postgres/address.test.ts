import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { libpqFiles, parseAddress } from '../../src/postgres/address.ts'
import { findPassword, tlsOptions } from '../../src/postgres/credentials.ts'
import { failureOf } from '../support/failure.ts'
import { freshDirectory } from '../support/partner.ts'

const HOME = { HOME: '/home/nobody' }

test.each([
  ['postgres://ann@db.example/venue', { host: 'db.example', port: 5432, user: 'ann', database: 'venue' }],
  ['postgresql://ann@db.example:6432', { host: 'db.example', port: 6432, user: 'ann', database: 'ann' }],
  ['postgres://a%40b@[::1]:6432/x%2Fy', { host: '::1', port: 6432, user: 'a@b', database: 'x/y' }],
  ['postgres://%2Frun%2Fpg/venue', { host: '/run/pg', database: 'venue', user: userInfo().username }],
  ['postgres:///venue?host=/run/pg&user=ann', { host: '/run/pg', user: 'ann', sslMode: 'disable' }],
  ['postgres://ann@db/v?sslmode=verify-full&sslrootcert=/r&sslcert=/c&sslkey=/k', { sslRootCert: '/r', sslKey: '/k' }],
  ['postgres://ann@db/v?sslrootcert=system', { sslMode: 'verify-full' }],
  ['postgres://ann@db/v?connect_timeout=3', { connectTimeoutMs: 3000 }],
  ['postgres://ann@db/v?connect_timeout=0', { connectTimeoutMs: 10_000 }],
  ['postgres://ann@db/v', { sslMode: 'prefer', connectTimeoutMs: 10_000, applicationName: 'partner', password: null }],
])('parseAddress reads %s as libpq does', (url, expected) => {
  expect(parseAddress(url, HOME)).toMatchObject(expected)
})

test("parseAddress uses libpq's environment variables for the parts that a URL omits", () => {
  const env = {
    ...{ PGHOST: 'db.example', PGPORT: '6432', PGUSER: 'ann', PGDATABASE: 'venue', PGPASSWORD: 'geheim1' },
    ...{ PGSSLMODE: 'require', PGAPPNAME: 'night', PGOPTIONS: '-c x=1', PGCONNECT_TIMEOUT: '2', PGPASSFILE: '/p' },
  }
  const expected = {
    ...{ host: 'db.example', port: 6432, user: 'ann', database: 'venue', password: 'geheim1', sslMode: 'require' },
    ...{ applicationName: 'night', options: '-c x=1', connectTimeoutMs: 2000, passFile: '/p' },
  }
  expect(parseAddress('postgres://', { ...HOME, ...env })).toMatchObject(expected)
  expect(parseAddress('postgres://bob@h:1/d?sslmode=disable', { ...HOME, ...env })).toMatchObject({
    ...{ host: 'h', port: 1, user: 'bob', database: 'd', sslMode: 'disable' },
  })
})

describe('parseAddress refuses URLs that contain a password', () => {
  test.each([
    'postgres://ann:s3cr3t@db/venue',
    'postgres://ann:s3cr3t/x@db/venue',
    'postgres://ann:s3cr3t#x@db/venue',
    'postgres://ann:s3cr3t?x@db/venue',
    'postgres://ann:p@s3cr3t@db/venue',
    'postgres://:s3cr3t@db/venue',
    'postgres://ann:%s3cr3t@db:x/venue',
    'postgres://ann@db/venue?password=s3cr3t',
    'postgres://ann@db/venue?%70assword=s3cr3t',
    'postgres://ann@db/venue?sslmode=require&sslpassword=s3cr3t',
  ])('parseAddress refuses %s without repeating the password', (url) => {
    const failure = failureOf(() => parseAddress(url, HOME))
    expect(failure).toMatchObject({ code: 'USAGE', words: expect.stringContaining('must not contain a password') })
    expect(`${failure.message} ${failure.hint} ${JSON.stringify(failure.details)}`).not.toContain('s3cr3t')
  })
})

test.each([
  ['postgres://db:x/v', 'not a PostgreSQL URL'],
  ['postgres://db:99999/v', 'the PostgreSQL port must be between 1 and 65535'],
  ['postgres://a,b/v', 'not a PostgreSQL URL'],
  ['postgres://db/v?host=a,b', 'more than one host'],
  ['postgres://db/v?sslmode=always', 'sslmode must be one of disable, allow'],
  ['postgres://db/v?sslmode=require&sslrootcert=system', 'requires sslmode=verify-full'],
  ['postgres://db/v?target=x', 'an unknown parameter: target'],
  ['postgres://db/%zz', 'write % itself as %25'],
  ['postgres://db/v?connect_timeout=soon', 'connect_timeout must be a whole number of seconds'],
])('parseAddress rejects the URL %s as a usage error', (url, says) => {
  const refused = { code: 'USAGE', words: expect.stringContaining(says) }
  expect(failureOf(() => parseAddress(url, HOME))).toMatchObject(refused)
})

describe('findPassword reads password files', () => {
  const find = (text: string | Buffer, url = 'postgres://ann@db:6432/venue', mode = 0o600) => {
    const path = join(freshDirectory(), 'pass')
    writeFileSync(path, text)
    chmodSync(path, mode)
    return findPassword(parseAddress(url, { ...HOME, PGPASSFILE: path }))
  }

  test.each([
    ['db:6432:venue:ann:right', 'right'],
    ['# db:6432:venue:ann:wrong\nother:6432:venue:ann:wrong\n*:*:*:ann:right\n*:*:*:*:wrong', 'right'],
    ['db:6432:venue:ann:with\\:colon\\\\and backslash\r\n', 'with:colon\\and backslash'],
    ['db:6432:venue:ann:right:ignored', 'right'],
    ['db:5432:venue:ann:wrong\ndb:6432:other:ann:wrong\ndb:6432:venue:bob:wrong\ntoo:short', null],
  ])('findPassword reads the password file %j', (text, password) => {
    expect(find(text)).toEqual({ password, ignored: null })
  })

  test('findPassword reads a password file with a byte order mark but ignores a password file in UTF-16', () => {
    expect(find('\ufeffdb:6432:venue:ann:right\r\n').password).toBe('right')
    expect(find(Buffer.from('\ufeffdb:6432:venue:ann:s3cr3t\r\n', 'utf16le'))).toEqual({
      password: null,
      ignored: expect.stringContaining('is UTF-16, so it is ignored: save it as UTF-8'),
    })
  })

  test('a password file can refer to a Unix socket as localhost or by its directory', () => {
    const url = 'postgres:///venue?host=/run/pg&user=ann'
    expect(find('localhost:5432:venue:ann:right', url).password).toBe('right')
    expect(find('/run/pg:5432:venue:ann:right', url).password).toBe('right')
  })

  test('findPassword ignores a password file that other users can read', () => {
    const found = find('*:*:*:*:right', undefined, 0o640)
    expect(found).toEqual({ password: null, ignored: expect.stringContaining('chmod 600') })
  })

  test('without a password file, findPassword returns PGPASSWORD, or null if it is not set', () => {
    expect(findPassword(parseAddress('postgres://db/v', HOME))).toEqual({ password: null, ignored: null })
    const env = { ...HOME, PGPASSWORD: 'right' }
    expect(findPassword(parseAddress('postgres://db/v', env))).toEqual({ password: 'right', ignored: null })
  })
})

test('libpqFiles returns the paths that libpq uses on each system', () => {
  expect(libpqFiles({ HOME: '/home/ann' }, 'linux')).toEqual({
    ...{ homeFolder: '/home/ann/.postgresql', passFile: '/home/ann/.pgpass' },
  })
  for (const env of [{ APPDATA: 'C:\\Users\\ann\\AppData\\Roaming' }, { USERPROFILE: 'C:\\Users\\ann' }])
    expect(libpqFiles(env, 'win32')).toEqual({
      homeFolder: 'C:\\Users\\ann\\AppData\\Roaming\\postgresql',
      passFile: 'C:\\Users\\ann\\AppData\\Roaming\\postgresql\\pgpass.conf',
    })
})

describe('tlsOptions reads TLS certificates', () => {
  const place = () => {
    const home = freshDirectory()
    mkdirSync(join(home, '.postgresql'))
    const write = (name: string, mode = 0o600) => {
      writeFileSync(join(home, '.postgresql', name), name)
      chmodSync(join(home, '.postgresql', name), mode)
    }
    return { home, write, tls: (query: string) => tlsOptions(parseAddress(`postgres://db/v?${query}`, { HOME: home })) }
  }

  test('tlsOptions finds certificates where libpq does and verifies the server with sslmode=require if root.crt exists', () => {
    const { write, tls } = place()
    expect(tls('sslmode=require')).toEqual({ rejectUnauthorized: false })
    expect(failureOf(() => tls('sslmode=verify-ca'))).toMatchObject({ words: expect.stringContaining('root.crt') })
    write('root.crt')
    write('postgresql.crt')
    write('postgresql.key')
    const client = { cert: 'postgresql.crt', key: 'postgresql.key' }
    expect(tls('sslmode=prefer')).toEqual({ rejectUnauthorized: false, ...client })
    expect(tls('sslmode=require')).toMatchObject({ rejectUnauthorized: true, ca: 'root.crt', ...client })
    expect(tls('sslmode=verify-full')).toEqual({ rejectUnauthorized: true, ca: 'root.crt', ...client })
    expect(tls('sslmode=verify-ca').checkServerIdentity).toBeDefined()
  })

  test('tlsOptions reads a certificate with a byte order mark but rejects a certificate in UTF-16', () => {
    const { home, tls } = place()
    const path = join(home, '.postgresql', 'root.crt')
    writeFileSync(path, '\ufeff-----BEGIN')
    expect(tls('sslmode=verify-full')).toMatchObject({ ca: '-----BEGIN' })
    writeFileSync(path, Buffer.from('-----BEGIN', 'utf16le'))
    expect(failureOf(() => tls('sslmode=verify-full'))).toMatchObject({
      ...{ code: 'USAGE', words: expect.stringContaining('root.crt is UTF-16') },
    })
  })

  test('tlsOptions rejects a certificate that does not exist and a key that other users can read', () => {
    const { home, write, tls } = place()
    expect(failureOf(() => tls(`sslcert=${home}/none`))).toMatchObject({ code: 'USAGE' })
    write('postgresql.crt')
    expect(failureOf(() => tls(''))).toMatchObject({ words: expect.stringContaining('requires its key') })
    write('postgresql.key', 0o644)
    expect(failureOf(() => tls(''))).toMatchObject({ words: expect.stringContaining('other users can read the key') })
  })
})
