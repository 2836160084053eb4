import type { buildConnector, Dispatcher } from 'undici'
import { chooseProxy, type Environment } from '../proxy-choice.ts'
import { toNetworkError } from './error-causes.ts'
import { NetworkError } from './errors.ts'

/** Makes a dispatcher for one address; undici calls it as a factory. */
export type Reach = (address: string | URL, options: { readonly connect?: unknown }) => Dispatcher

type Connector = buildConnector.connector

/** The limit for response headers: that of Node, for which undici would load `node:http`. */
export const MOST_HEADER_BYTES = 16 * 1024

export type ThroughProxy = (reach: Reach, connecting: buildConnector.BuildOptions) => Dispatcher

/** Finds the way through the origin's proxy; null if there is none. Fails: as {@link chooseProxy}. */
export async function findProxy(origin: URL, env: Environment): Promise<ThroughProxy | null> {
  const chosen = chooseProxy(origin, env)
  if (chosen === null) return null
  const { given, named } = chosen
  const [{ default: EnvHttpProxyAgent }, { default: Pool }, { default: AnyDispatcher }, { default: openTunnel }] =
    await Promise.all([
      import('undici/lib/dispatcher/env-http-proxy-agent.js'),
      import('undici/lib/dispatcher/pool.js'),
      import('undici/lib/dispatcher/dispatcher.js'),
      import('undici/lib/api/api-connect.js'),
    ])
  // The proxy agent needs this; undici's index would set it, but is slow to load.
  AnyDispatcher.prototype.connect = openTunnel
  return (reach, connecting) =>
    new EnvHttpProxyAgent({
      connectTimeout: 0,
      proxyTls: connecting,
      requestTls: connecting,
      // The proxy is already chosen.
      httpProxy: given,
      httpsProxy: given,
      noProxy: '',
      factory: reach,
      clientFactory: (proxy, { connect }: { connect?: unknown }) =>
        new Pool(proxy, { connect: blameProxy(connect as Connector, named), maxHeaderSize: MOST_HEADER_BYTES }),
    })
}

/** Says that the proxy cannot be reached, not the service; nothing has left then. */
function blameProxy(connect: Connector, named: string): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (socket) return callback(null, socket)
      const { message } = toNetworkError(error, false)
      callback(new NetworkError('proxy', `${named} cannot be reached: ${message}`, false, error), null)
    })
}
