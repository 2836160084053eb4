import { messageOf } from '../../base/failure/failure.ts'
import { getSystemErrorCode } from '../../base/storage/system-error.ts'
import { NetworkError } from './errors.ts'

const NAME_LOOKUP = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'EAI_FAIL'])
const UNREACHABLE = /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/
const TLS = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/

/**
 * Converts a low-level error to one with a clear message. `maybeSent` is true if the service might have received the
 * request.
 */
export function toNetworkError(error: unknown, maybeSent: boolean): NetworkError {
  if (error instanceof NetworkError) return error
  const cause = findRoot(error)
  const code = getSystemErrorCode(cause) ?? ''
  if (NAME_LOOKUP.has(code)) {
    const again = code === 'EAI_AGAIN' ? ' (the DNS server did not answer)' : ''
    return new NetworkError('name-lookup', `the name ${quoteHost(cause)} does not resolve${again}`, false, error)
  }
  if (code === 'ECONNREFUSED')
    return new NetworkError('refused', `nothing is listening at ${formatAddress(cause)}`, maybeSent, error)
  if (TLS.test(code)) return new NetworkError('tls', explainTls(code), maybeSent, error)
  if (UNREACHABLE.test(code))
    return new NetworkError('unreachable', `cannot reach ${formatAddress(cause)} (${code})`, maybeSent, error)
  if (code.startsWith('UND_ERR_PRX_'))
    return new NetworkError('proxy', 'the proxy closed the connection before the tunnel was established', false, error)
  if (/Proxy response|HTTP Tunneling/.test(messageOf(cause)))
    return new NetworkError('proxy', `the proxy refused the tunnel: ${messageOf(cause)}`, false, error)
  if (cause instanceof Error && cause.name === 'HTTPParserError')
    return new NetworkError('broken-off', 'the server does not speak HTTP', maybeSent, error)
  const detail = code === '' ? messageOf(cause) : code
  return new NetworkError('broken-off', `the connection was lost (${detail})`, maybeSent, error)
}

function findRoot(error: unknown): unknown {
  let at = error
  for (let depth = 0; depth < 5; depth++) {
    if (at instanceof AggregateError && at.errors.length > 0) at = at.errors[0]
    else if (at instanceof Error && at.cause instanceof Error && !('code' in at)) at = at.cause
    else break
  }
  return at
}

function quoteHost(error: unknown): string {
  const host = typeof error === 'object' && error !== null && 'hostname' in error ? error.hostname : null
  return typeof host === 'string' ? `"${host}"` : 'of the service'
}

function formatAddress(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'address' in error && 'port' in error)
    return `${String(error.address)}:${String(error.port)}`
  return 'the address'
}

function explainTls(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return "the service's certificate has expired"
  if (code === 'CERT_NOT_YET_VALID')
    return "the service's certificate is not valid yet; is this machine's clock correct?"
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return "the service's certificate is for a different name"
  if (/SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code))
    return "this machine does not trust the authority that signed the service's certificate (add it with NODE_EXTRA_CA_CERTS)"
  const plain = code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER'
  return `cannot make a secure connection (${plain ? 'the server does not speak TLS' : code})`
}
