import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { posix, win32 } from 'node:path'
import { attempt } from '../base/attempt.ts'
import { type Failure, usageFailure } from '../base/failure/failure.ts'
import { homeDirectory, roamingDirectory } from '../base/storage/directories.ts'
import { decodedOrNull, findUrlProblem, splitOnce, splitUrl, URL_PATTERN, URL_PROBLEMS } from './url.ts'

/** A value of libpq's `sslmode` setting. */
export type SslMode = (typeof SSL_MODES)[number]

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/** A server and its credentials, from a URL. libpq's environment variables supply the defaults. */
export interface Address {
  /** A host name, an IP address, or the directory that contains a Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly sslMode: SslMode
  /**
   * The root certificate's path, or `system`. `null` means the default file, if it exists. The same applies to
   * `sslCert` and `sslKey`.
   */
  readonly sslRootCert: string | null
  readonly sslCert: string | null
  readonly sslKey: string | null
  readonly password: string | null
  readonly passFile: string
  readonly homeFolder: string
  readonly options: string | null
  readonly applicationName: string
  readonly connectTimeoutMs: number
}

export type Variables = Readonly<Record<string, string | undefined>>

/** The supported URL parameters, with the environment variables that supply their defaults. */
const PARAMETERS: Readonly<Record<string, string | null>> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  dbname: 'PGDATABASE',
  passfile: 'PGPASSFILE',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
  application_name: 'PGAPPNAME',
  connect_timeout: 'PGCONNECT_TIMEOUT',
}

const CONNECT_TIMEOUT_S = 10

/** The name of the default password file, for messages. */
export const PASS_FILE = process.platform === 'win32' ? String.raw`%APPDATA%\postgresql\pgpass.conf` : '~/.pgpass'
const HINT = `use postgres://USER@HOST/DATABASE, followed by any settings (?sslmode=…); set the password with PGPASSWORD, PGPASSFILE or ${PASS_FILE}`
const HINTS = {
  form: HINT,
  password: `remove the password; instead, set PGPASSWORD, or store it in ${PASS_FILE} or in the file that PGPASSFILE names`,
}

/** Returns the default paths of libpq's password file and of its directory for certificates. */
export function libpqFiles(env: Variables, platform: NodeJS.Platform = process.platform) {
  if (platform !== 'win32') {
    const home = homeDirectory(env, platform)
    return { homeFolder: posix.join(home, '.postgresql'), passFile: posix.join(home, '.pgpass') }
  }
  const homeFolder = win32.join(roamingDirectory(env), 'postgresql')
  return { homeFolder, passFile: win32.join(homeFolder, 'pgpass.conf') }
}

/** Parses a URL as libpq does. Throws USAGE. Messages never quote the URL, because it might contain a password. */
export function parseAddress(url: string, env: Variables, flag = '--to'): Address {
  const [beforeQuery = '', query = ''] = splitUrl(url)
  const problem = findUrlProblem(url)
  if (problem !== null) throw usageFailure([`${flag} ${URL_PROBLEMS[problem]}`], HINTS[problem])
  const [, user, host, port, database] = URL_PATTERN.exec(beforeQuery) ?? []
  const given = new Map<string, string>()
  const parts = { user, host: host?.replace(/^\[(.*)\]$/, '$1'), port, dbname: database }
  for (const [name, value] of Object.entries(parts)) if (value) given.set(name, decoded(value, flag))
  for (const pair of query.split('&').filter((one) => one !== '')) {
    const [name = '', value = ''] = splitOnce(pair, '=').map((text) => decoded(text, flag))
    if (!(name in PARAMETERS)) refuse(`${flag} has an unknown parameter: ${/^\w{1,40}$/.test(name) ? name : '…'}`)
    given.set(name, value)
  }
  const get = (name: string) => {
    const variable = PARAMETERS[name]
    return given.get(name) || (variable ? env[variable] : undefined) || null
  }
  return fill(get, env, flag)
}

function fill(get: (name: string) => string | null, env: Variables, flag: string): Address {
  const port = Number(get('port') ?? 5432)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse('the PostgreSQL port must be between 1 and 65535')
  const host = get('host') ?? defaultHost(port)
  if (host.includes(',')) refuse(`${flag} contains more than one host; only one is supported`)
  const user =
    get('user') ??
    attempt(() => userInfo().username, null) ??
    refuse(`${flag} does not contain a user name, and the name of the current user could not be determined`)
  const rootCert = get('sslrootcert')
  const mode = get('sslmode') ?? (rootCert === 'system' ? 'verify-full' : 'prefer')
  if (!isSslMode(mode)) throw usageFailure([`sslmode must be one of ${SSL_MODES.join(', ')}`], HINT)
  if (rootCert === 'system' && mode !== 'verify-full') refuse('sslrootcert=system requires sslmode=verify-full')
  const seconds = Number(get('connect_timeout') ?? CONNECT_TIMEOUT_S)
  if (!Number.isInteger(seconds)) refuse('connect_timeout must be a whole number of seconds')
  const { homeFolder, passFile } = libpqFiles(env)
  return {
    host,
    port,
    user,
    database: get('dbname') ?? user,
    sslMode: host.startsWith('/') ? 'disable' : mode,
    sslRootCert: rootCert,
    sslCert: get('sslcert'),
    sslKey: get('sslkey'),
    password: env['PGPASSWORD'] || null,
    passFile: get('passfile') ?? passFile,
    homeFolder,
    options: get('options'),
    applicationName: get('application_name') ?? 'partner',
    // In libpq, 0 means no limit, but `partner` always sets a limit.
    connectTimeoutMs: Math.max(1, seconds > 0 ? Math.min(seconds, CONNECT_TIMEOUT_S) : CONNECT_TIMEOUT_S) * 1000,
  }
}

/** Returns a server's address, such as `db.example:5432`. */
export function describeServer({ host, port }: Pick<Address, 'host' | 'port'>): string {
  if (host.startsWith('/')) return `${host}/.s.PGSQL.${port}`
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/**
 * Returns the directory of the local server's socket. If there is no such socket, returns `localhost`, as psql does.
 */
function defaultHost(port: number): string {
  const directories = ['/var/run/postgresql', '/tmp']
  return directories.find((path) => existsSync(`${path}/.s.PGSQL.${port}`)) ?? 'localhost'
}

function decoded(text: string, flag: string): string {
  const words = `${flag} contains a % that is not followed by two hexadecimal digits; write % itself as %25`
  return decodedOrNull(text) ?? refuse(words)
}

function isSslMode(text: string): text is SslMode {
  return (SSL_MODES as readonly string[]).includes(text)
}

function refuse(problem: string): never {
  throw usageFailure([problem], HINT) satisfies Failure
}
