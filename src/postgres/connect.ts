import { Socket } from 'node:net'
import { Failure } from '../base/failure/failure.ts'
import { getSystemErrorCode } from '../base/storage/system-error.ts'
import { type Address, describeServer } from './address.ts'
import { findPassword, tlsOptions } from './credentials.ts'
import { ConnectionLost, explainError, isTlsError, sqlState } from './failures.ts'

/**
 * Connects to a server. Throws ConnectionLost, REJECTED or the signal's reason. Throws USAGE if a certificate file is
 * unusable.
 */
export async function connect(address: Address, signal: AbortSignal) {
  const [first, second] = attempts(address)
  try {
    return await connectOnce(address, first ?? false, signal)
  } catch (error) {
    if (second === undefined || !canTryOtherMode(error)) throw explainError(error, address)
    // If the fallback fails for any reason except a rejection, throw the first attempt's error, because it is more
    // useful.
    return connectOnce(address, second, signal).catch((other) => {
      const isRefusal = sqlState(other) !== null || (other instanceof Failure && other.code === 'REJECTED')
      throw explainError(isRefusal ? other : error, address)
    })
  }
}

function attempts({ sslMode }: Address): readonly boolean[] {
  if (sslMode === 'disable') return [false]
  if (sslMode === 'allow') return [false, true]
  return sslMode === 'prefer' ? [true, false] : [true]
}

/** Returns whether the error means that TLS failed or the user was rejected. The other TLS mode might then work. */
function canTryOtherMode(error: unknown): boolean {
  if (sqlState(error) === '28000') return true
  return error instanceof Error && isTlsError(getSystemErrorCode(error), error.message)
}

async function connectOnce(address: Address, isEncrypted: boolean, signal: AbortSignal) {
  signal.throwIfAborted()
  const { Client } = await import('pg')
  const socket = new Socket()
  const client = new Client({
    host: address.host,
    port: address.port,
    user: address.user,
    database: address.database,
    password: () => passwordFor(address),
    ssl: isEncrypted ? tlsOptions(address) : false,
    application_name: address.applicationName,
    ...(address.options === null ? {} : { options: address.options }),
    keepAlive: true,
    stream: () => socket,
    types: { getTypeParser: () => (text: string) => text },
  })
  client.on('error', () => {})
  const stop = () => socket.destroy(signal.reason)
  const timer = setTimeout(() => {
    const place = describeServer(address)
    const words = `PostgreSQL at ${place} did not respond within ${address.connectTimeoutMs / 1000} s`
    socket.destroy(new ConnectionLost(words, { hint: 'check the host, the port and any firewall' }, 'TIMEOUT'))
  }, address.connectTimeoutMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await client.connect()
    return { client, socket }
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** Returns the password for a server. Throws REJECTED if none is set. */
function passwordFor(address: Address): string {
  const { password, ignored } = findPassword(address)
  if (password !== null) return password
  throw new Failure(
    'REJECTED',
    `PostgreSQL at ${describeServer(address)} requires a password for "${address.user}", but none is set`,
    { hint: ignored ?? `set PGPASSWORD, or add host:port:database:user:password to ${address.passFile}` },
  )
}
