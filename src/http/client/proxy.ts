import type { buildConnector, Dispatcher } from 'undici'
import { chooseProxy, type Environment } from '../proxy-choice.ts'
import { toNetworkError } from './error-causes.ts'
import { NetworkError } from './errors.ts'

/** Creates the dispatcher for one address. Has the same signature as undici's `factory` option. */
export type DispatcherFactory = (address: string | URL, options: { readonly connect?: unknown }) => Dispatcher

type Connector = buildConnector.connector

/**
 * The maximum size of response headers, as in Node. Without this setting, undici would load `node:http` to look it up.
 */
export const MAX_RESPONSE_HEADER_BYTES = 16 * 1024

export type ProxyDispatcherFactory = (reach: DispatcherFactory, connecting: buildConnector.BuildOptions) => Dispatcher

/**
 * Returns a factory for dispatchers that use the origin's proxy, or `null` if the origin needs no proxy. Throws USAGE
 * if the proxy variable is invalid.
 */
export async function findProxy(origin: URL, env: Environment): Promise<ProxyDispatcherFactory | null> {
  const chosen = chooseProxy(origin, env)
  if (chosen === null) return null
  const { value: given, label: named } = chosen
  const [{ default: EnvHttpProxyAgent }, { default: Pool }, { default: AnyDispatcher }, { default: openTunnel }] =
    await Promise.all([
      import('undici/lib/dispatcher/env-http-proxy-agent.js'),
      import('undici/lib/dispatcher/pool.js'),
      import('undici/lib/dispatcher/dispatcher.js'),
      import('undici/lib/api/api-connect.js'),
    ])
  // The proxy agent needs this method, which undici's index module would set. Loading that module is slow.
  AnyDispatcher.prototype.connect = openTunnel
  return (reach, connecting) =>
    new EnvHttpProxyAgent({
      connectTimeout: 0,
      proxyTls: connecting,
      requestTls: connecting,
      // `chooseProxy` has already decided which proxy to use and has taken NO_PROXY into account.
      httpProxy: given,
      httpsProxy: given,
      noProxy: '',
      factory: reach,
      clientFactory: (proxy, { connect }: { connect?: unknown }) =>
        new Pool(proxy, {
          connect: reportProxyFailure(connect as Connector, named),
          maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
        }),
    })
}

/** Reports a failed connection to the proxy as a proxy error. The service has not received anything at that point. */
function reportProxyFailure(connect: Connector, named: string): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (socket) return callback(null, socket)
      const { message } = toNetworkError(error, false)
      callback(new NetworkError('proxy', `${named} cannot be reached: ${message}`, false, error), null)
    })
}
