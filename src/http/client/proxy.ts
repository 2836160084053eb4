import type { buildConnector, Dispatcher } from 'undici'
import { usageFailure } from '../../failure/failure.ts'
import { isLoopback } from '../loopback.ts'
import { toNetworkError } from './error-causes.ts'
import { NetworkError } from './errors.ts'

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Makes a dispatcher for one address; undici calls it as a factory. */
export type Reach = (address: string | URL, options: { readonly connect?: unknown }) => Dispatcher

type Connector = buildConnector.connector

/** Makes a dispatcher that goes through the proxy. */
export type ThroughProxy = (reach: Reach, connecting: buildConnector.BuildOptions) => Dispatcher

/**
 * Finds the proxy that leads to the origin; null when there is none. `HTTPS_PROXY` is for https and `HTTP_PROXY` for plain http,
 * as in other programs; addresses of this machine, and those in `NO_PROXY`, are reached directly.
 * Fails: USAGE when the variable holds no address.
 */
export async function findProxy(origin: URL, env: Environment): Promise<ThroughProxy | null> {
  const [lower, upper] = origin.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY']
  const given = env[lower] || env[upper] || ''
  if (given === '' || isLoopback(origin.hostname)) return null
  const variable = env[lower] ? lower : upper
  const address = URL.parse(given)
  // The message does not show the value: it may hold a password.
  if (!address || !/^(?:https?|socks5?):$/.test(address.protocol))
    throw usageFailure(
      [`the proxy that ${variable} names is not an http:// or https:// address`],
      `for example ${variable}=http://proxy.example:8080; nothing was sent`,
    )
  const [{ default: EnvHttpProxyAgent }, { default: Pool }, { default: AnyDispatcher }, { default: openTunnel }] =
    await Promise.all([
      import('undici/lib/dispatcher/env-http-proxy-agent.js'),
      import('undici/lib/dispatcher/pool.js'),
      import('undici/lib/dispatcher/dispatcher.js'),
      import('undici/lib/api/api-connect.js'),
    ])
  // The proxy agent looks for this here. Undici's index would set it, but loading that is slow.
  AnyDispatcher.prototype.connect = openTunnel
  const named = `the proxy ${address.host} (${variable})`
  return (reach, connecting) =>
    new EnvHttpProxyAgent({
      connectTimeout: 0,
      proxyTls: connecting,
      requestTls: connecting,
      // An empty one keeps the agent from looking for itself.
      httpProxy: given,
      httpsProxy: given,
      noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
      factory: reach,
      clientFactory: (proxy, { connect }: { connect?: unknown }) =>
        new Pool(proxy, { connect: blameProxy(connect as Connector, named) }),
    })
}

/** Says that it is the proxy that cannot be reached, and not the service; nothing has left then. */
function blameProxy(connect: Connector, named: string): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (socket) return callback(null, socket)
      const { message } = toNetworkError(error, false)
      callback(new NetworkError('proxy', `${named} cannot be reached: ${message}`, false, error), null)
    })
}
