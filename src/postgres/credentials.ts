import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type ConnectionOptions, getCACertificates } from 'node:tls'
import { Failure, usageFailure } from '../base/failure/failure.ts'
import { withoutByteOrderMark } from '../base/json/bytes.ts'
import { describeSystemError, getSystemErrorCode } from '../base/storage/system-error.ts'
import { isUtf16, refuseUtf16, UTF16_HINT } from '../base/utf8.ts'
import type { Address } from './address.ts'

/**
 * Returns the password from PGPASSWORD or, if that is not set, from the password file. `ignored` is a hint that
 * explains why an existing file was not used. Like libpq, does not check the file's permissions on Windows.
 */
export function findPassword(address: Address) {
  if (address.password !== null) return { password: address.password, ignored: null }
  const { passFile } = address
  try {
    const stats = statSync(passFile)
    if (!stats.isFile()) return { password: null, ignored: `${passFile} is not a regular file, so it is ignored` }
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
      return { password: null, ignored: `other users can read ${passFile}, so it is ignored: chmod 600 ${passFile}` }
    const bytes = withoutByteOrderMark(readFileSync(passFile))
    if (isUtf16(bytes)) return { password: null, ignored: `${passFile} is UTF-16, so it is ignored: ${UTF16_HINT}` }
    return { password: passwordIn(bytes.toString('utf8'), address), ignored: null }
  } catch (error) {
    const isMissing = getSystemErrorCode(error) === 'ENOENT' || getSystemErrorCode(error) === 'ENOTDIR'
    return { password: null, ignored: isMissing ? null : `${passFile} cannot be read: ${describeSystemError(error)}` }
  }
}

/**
 * Returns the password from the first matching `host:port:database:user:password` line. A `*` field matches anything.
 */
function passwordIn(text: string, { host, port, database, user }: Address): string | null {
  const expected = [host.startsWith('/') ? [host, 'localhost'] : [host], [String(port)], [database], [user]]
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    const fields = [...line.matchAll(/((?:[^:\\]|\\.|\\$)*)(?::|$)/g)].map(([, field = '']) => field)
    if (fields.length < 5) continue
    const fits = expected.every((values, at) => fields[at] === '*' || values.includes(unescaped(fields[at] ?? '')))
    if (fits) return unescaped(fields[4] ?? '')
  }
  return null
}

function unescaped(field: string): string {
  return field.replace(/\\(.)/g, '$1')
}

/**
 * Returns TLS options. As in libpq, only `verify-full` checks host names. Throws USAGE if a file is missing or unsafe.
 */
export function tlsOptions(address: Address): ConnectionOptions {
  return { ...trust(address), ...clientCertificate(address) }
}

function trust({ sslMode, sslRootCert, homeFolder }: Address): ConnectionOptions {
  if (sslRootCert === 'system') return { rejectUnauthorized: true, ca: getCACertificates('system') }
  const path = sslRootCert ?? join(homeFolder, 'root.crt')
  const ca = readOptional(path)
  const mustVerify = sslMode.startsWith('verify-')
  if (ca === null && mustVerify)
    throw usageFailure(
      [`sslmode=${sslMode} requires a root certificate, but ${path} does not exist`],
      'specify a certificate with sslrootcert=FILE (or sslrootcert=system), or use sslmode=require, which does not verify the server',
    )
  if (ca === null || !(mustVerify || sslMode === 'require')) return { rejectUnauthorized: false }
  if (sslMode === 'verify-full') return { rejectUnauthorized: true, ca }
  return { rejectUnauthorized: true, ca, checkServerIdentity: () => undefined }
}

function clientCertificate({ sslCert, sslKey, homeFolder }: Address): ConnectionOptions {
  const certPath = sslCert ?? join(homeFolder, 'postgresql.crt')
  const keyPath = sslKey ?? join(homeFolder, 'postgresql.key')
  const cert = readOptional(certPath)
  if (cert === null) {
    if (sslCert !== null)
      throw usageFailure([`the certificate ${certPath} does not exist`], 'correct sslcert or PGSSLCERT')
    return {}
  }
  const key = readOptional(keyPath)
  if (key === null)
    throw usageFailure(
      [`${certPath} requires its key, but ${keyPath} does not exist`],
      'specify the key file with sslkey',
    )
  refuseOpenKey(keyPath)
  return { cert, key }
}

/** Throws USAGE if other users can read a key. libpq refuses such keys too. The group may read a key that root owns. */
function refuseOpenKey(path: string): void {
  if (process.platform === 'win32') return
  const { mode, uid } = statSync(path)
  const open = uid === 0 ? 0o037 : 0o077
  if ((mode & open) !== 0) throw usageFailure([`other users can read the key ${path}`], `chmod 600 ${path}`)
}

function readOptional(path: string): string | null {
  try {
    const bytes = readFileSync(path)
    refuseUtf16(bytes, path)
    // Remove the byte order mark, because OpenSSL does not find a certificate after it.
    return withoutByteOrderMark(bytes).toString('utf8')
  } catch (error) {
    if (error instanceof Failure) throw error
    const code = getSystemErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw usageFailure(
      [`cannot read ${path}: ${describeSystemError(error)}`],
      'correct its permissions, or use a different file',
    )
  }
}
