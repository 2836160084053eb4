import { usageFailure } from '../base/failure/failure.ts'
import { isLoopback } from './loopback.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ChosenProxy {
  /** The address as a URL, which can contain a user name and a password. */
  readonly address: URL
  /** The value of the environment variable. */
  readonly value: string
  /** A description without credentials, such as `the proxy proxy.example:8080 (HTTPS_PROXY)`. */
  readonly label: string
}

/**
 * Chooses the proxy for an origin from `HTTPS_PROXY` or `HTTP_PROXY`. Returns `null` for loopback addresses, for hosts
 * in `NO_PROXY`, and if the variable is not set. Throws USAGE if the variable is invalid.
 */
export function chooseProxy(origin: URL, env: Environment): ChosenProxy | null {
  const { variable, given } = proxyVariable(origin, env)
  if (given === '' || isLoopback(origin.hostname)) return null
  const address = URL.parse(given)
  // The message does not show the value, because it might contain a password.
  if (!address || !/^(?:https?|socks5?):$/.test(address.protocol))
    throw usageFailure(
      [`the proxy in ${variable} is not an http:// or https:// address`],
      `nothing was sent; use a URL such as ${variable}=http://proxy.example:8080`,
    )
  return isExempt(origin, env) ? null : { address, value: given, label: `the proxy ${address.host} (${variable})` }
}

/**
 * Returns the environment variable that applies to an origin, with its value. The value is '' if the variable is not
 * set.
 */
export function proxyVariable(origin: URL, env: Environment): { readonly variable: string; readonly given: string } {
  const [lower, upper] = origin.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY']
  return { variable: env[lower] ? lower : upper, given: env[lower] || env[upper] || '' }
}

/** Returns whether `NO_PROXY` exempts an origin. Follows undici's rules, which many other programs also follow. */
function isExempt({ hostname, port, protocol }: URL, env: Environment): boolean {
  const host = hostname
    .toLowerCase()
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(?<=.)\.$/, '')
  const portHere = Number(port) || (protocol === 'https:' ? 443 : 80)
  return (env['no_proxy'] ?? env['NO_PROXY'] ?? '')
    .split(/[,\s]/)
    .filter((entry) => entry !== '')
    .map(parseExemption)
    .some((entry) => {
      if (entry.port !== 0 && entry.port !== portHere) return false
      return entry.host === '*' || (!entry.isWildcard && host === entry.host) || host.endsWith(`.${entry.host}`)
    })
}

/**
 * Parses an entry of `NO_PROXY`, such as `.example.com`, `*.example.com:8443`, `[::1]:443`, `::1` or `*`. Port 0 stands
 * for any port.
 */
function parseExemption(entry: string) {
  const bare = entry.replace(/^\[(.+)\]$/, '$1')
  const isOneColon = bare.split(':').length === 2
  const bracketed = /^\[(.+)\]:(\d+)$/.exec(entry)
  const [, name = bare, port = '0'] = bracketed ?? (isOneColon ? /^(.+):(\d+)$/.exec(bare) : null) ?? []
  const host = name
    .replace(/^\*?\./, '')
    .replace(/^(.+)\.$/, '$1')
    .toLowerCase()
  return { host, port: Number(port), isWildcard: entry.startsWith('*') }
}
