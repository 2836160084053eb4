import type { buildConnector, Dispatcher } from 'undici'
import { usageFailure } from '../../failure/failure.ts'
import { isLoopback } from '../loopback.ts'
import { NetworkError } from './errors.ts'

/** Connections to one service, or to the proxy before it. */
export interface Connections {
  readonly dispatcher: Dispatcher
  /** Drops them all at once; what is under way fails. */
  close(): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>
type Connector = buildConnector.connector
/** Makes a dispatcher that reaches one address: undici's factories are such. */
type Reach = (address: string | URL, options: { readonly connect?: unknown }) => Dispatcher

/**
 * HTTP/2 is left out, as undici repeats there what a server turned away, writes too. Connecting has no limit of its own
 * (undici's is 10 s): the deadline of the attempt covers it.
 */
const CONNECTING = { allowH2: false, timeout: 0 } as const
const ONE_REQUEST_A_CONNECTION = { pipelining: 1, allowH2: false } as const

/**
 * Loads what it takes to reach an origin, and gives the function that opens up to `most` connections to it, each when it is
 * first needed. Proxies (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`) are honoured, except for loopback addresses.
 * Fails: USAGE when what names a proxy is no address.
 */
export async function prepareConnections(
  origin: URL,
  env: Environment,
): Promise<(most: number) => Promise<Connections>> {
  const [{ default: Client }, { default: connectorOf }, { default: symbols }, throughProxy] = await Promise.all([
    import('undici/lib/dispatcher/client.js'),
    import('undici/lib/core/connect.js'),
    import('undici/lib/core/symbols.js'),
    proxyBefore(origin, env),
  ])
  return async (most) => {
    const Pool = most > 1 ? (await import('undici/lib/dispatcher/pool.js')).default : null
    const closing = new AbortController()
    const connecting = { ...CONNECTING, signal: closing.signal }
    const reach: Reach = (address, { connect }) => {
      // A proxy agent brings the way through its tunnel.
      const connector = typeof connect === 'function' ? (connect as Connector) : connectorOf(connecting)
      const options = {
        ...ONE_REQUEST_A_CONNECTION,
        connect: takingContinue(silentAtFirst(connector), symbols.kParser),
      }
      return Pool ? new Pool(address, { ...options, connections: most }) : new Client(address, options)
    }
    const dispatcher = throughProxy?.(reach, connecting) ?? reach(origin.origin, {})
    return {
      dispatcher,
      close: async () => {
        const destroyed = dispatcher.destroy()
        // What is still connecting belongs to no request, and would keep the process alive.
        closing.abort()
        await destroyed
      },
    }
  }
}

type ThroughProxy = (reach: Reach, connecting: buildConnector.BuildOptions) => Dispatcher

/** What reaches the origin by way of a proxy; null: there is none to be asked. */
async function proxyBefore(origin: URL, env: Environment): Promise<ThroughProxy | null> {
  const httpsProxy = env['https_proxy'] ?? env['HTTPS_PROXY'] ?? ''
  const httpProxy = env['http_proxy'] ?? env['HTTP_PROXY'] ?? ''
  const proxies = [httpsProxy, httpProxy].filter((proxy) => proxy !== '')
  if (proxies.length === 0 || isLoopback(origin.hostname)) return null
  // Their values may hold a password, and are not shown.
  if (!proxies.every((proxy) => /^(?:https?|socks5?):$/.test(URL.parse(proxy)?.protocol ?? '')))
    throw usageFailure(
      ['the proxy that HTTPS_PROXY or HTTP_PROXY names is not an http:// or https:// address'],
      'for example HTTPS_PROXY=http://proxy.example:8080; nothing was sent',
    )
  const [{ default: EnvHttpProxyAgent }, { default: AnyDispatcher }, { default: openTunnel }] = await Promise.all([
    import('undici/lib/dispatcher/env-http-proxy-agent.js'),
    import('undici/lib/dispatcher/dispatcher.js'),
    import('undici/lib/api/api-connect.js'),
  ])
  // undici's index, which is not loaded, puts this where the proxy agent looks for it.
  AnyDispatcher.prototype.connect = openTunnel
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? ''
  return (reach, connecting) =>
    new EnvHttpProxyAgent({
      ...ONE_REQUEST_A_CONNECTION,
      connectTimeout: CONNECTING.timeout,
      proxyTls: connecting,
      requestTls: connecting,
      httpProxy,
      httpsProxy,
      noProxy,
      factory: reach,
    })
}

/**
 * Hands a new connection over when the event loop has turned, and only if nothing has come over it: what is said before
 * anything was asked would be taken for the answer to the request.
 */
function silentAtFirst(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (!socket) return callback(error, null)
      let isSilent = true
      const heard = () => {
        isSilent = false
      }
      socket.once('readable', heard)
      // The first turn ends the one that connected; in the next one, what has come by then is read.
      setImmediate(() =>
        setImmediate(() => {
          socket.off('readable', heard)
          if (isSilent && !socket.destroyed) return callback(null, socket)
          const why =
            socket.readableLength > 0
              ? 'what answers there does not speak HTTP: it speaks before it is asked'
              : 'the connection was closed before anything was sent'
          const trouble = socket.errored ?? new NetworkError('broken-off', why, false)
          socket.destroy()
          callback(trouble, null)
        }),
      )
    })
}

/**
 * Has a `100 Continue` that nobody asked for passed over. undici passes over 102 and 103, but gives the connection up at a
 * 100, as it never asks for one; here its parser is told of a 102 instead. What is an answer and where it ends stays its work.
 * Source: RFC 9110, section 15.2.
 */
function takingContinue(connect: Connector, parserKey: symbol): Connector {
  return (options, callback) =>
    connect(options, (...connected) => {
      // This gives the socket its parser, which reads nothing before the next turn.
      callback(...connected)
      const parser = (connected[1] as { [key: symbol]: Parser | undefined } | null)?.[parserKey]
      if (!parser) return
      const complete = parser.onHeadersComplete
      parser.onHeadersComplete = (status, ...rest) => complete.call(parser, status === 100 ? 102 : status, ...rest)
    })
}

/** The part of undici's parser that is told of a status. */
interface Parser {
  onHeadersComplete(status: number, isUpgrade: boolean, isKeptAlive: boolean): number
}
