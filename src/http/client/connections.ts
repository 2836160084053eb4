import type { buildConnector, Dispatcher } from 'undici'
import type { Environment } from '../proxy-choice.ts'
import { NetworkError } from './errors.ts'
import { type DispatcherFactory, findProxy, MAX_RESPONSE_HEADER_BYTES } from './proxy.ts'

export type Connections = { readonly dispatcher: Dispatcher; close(): Promise<void> }

type Connector = buildConnector.connector

/**
 * HTTP/2 is off because undici would use it to retry rejected requests, even writes. Connecting has no time limit of
 * its own, because each attempt already has one.
 */
const CONNECTING = { allowH2: false, timeout: 0 } as const
const ONE_REQUEST_A_CONNECTION = { pipelining: 1, allowH2: false, maxHeaderSize: MAX_RESPONSE_HEADER_BYTES } as const

/**
 * Returns a function that opens up to `most` connections as needed, through a proxy if one applies. Throws USAGE for an
 * invalid proxy variable.
 */
export async function prepareConnections(origin: URL, env: Environment) {
  const [{ default: Client }, { default: connectorOf }, { default: symbols }, reachThroughProxy] = await Promise.all([
    import('undici/lib/dispatcher/client.js'),
    import('undici/lib/core/connect.js'),
    import('undici/lib/core/symbols.js'),
    findProxy(origin, env),
  ])
  return async (most: number): Promise<Connections> => {
    const Pool = most > 1 ? (await import('undici/lib/dispatcher/pool.js')).default : null
    const closing = new AbortController()
    const connecting = { ...CONNECTING, signal: closing.signal }
    const reach: DispatcherFactory = (address, { connect }) => {
      // A proxy agent, if there is one, passes its own connector for the tunnel.
      const connector = typeof connect === 'function' ? (connect as Connector) : connectorOf(connecting)
      const careful = skipContinue(refuseEarlyBytes(connector), symbols.kParser)
      const options = { ...ONE_REQUEST_A_CONNECTION, connect: careful }
      return Pool ? new Pool(address, { ...options, connections: most }) : new Client(address, options)
    }
    const dispatcher = reachThroughProxy?.(reach, connecting) ?? reach(origin.origin, {})
    return {
      dispatcher,
      close: async () => {
        const destroyed = dispatcher.destroy()
        // Pending connection attempts are not tied to a request, so `destroy` misses them and the process would stay alive.
        closing.abort()
        await destroyed
      },
    }
  }
}

/**
 * Rejects a connection on which the server sends bytes before the request, because they would be read as the response.
 * Such bytes become visible one turn of the event loop after connecting.
 */
function refuseEarlyBytes(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (!socket) return callback(error, null)
      let isSilent = true
      const heard = () => {
        isSilent = false
      }
      socket.once('readable', heard)
      // The first turn finishes the one in which the socket connected; the second one reads early bytes.
      setImmediate(() =>
        setImmediate(() => {
          socket.off('readable', heard)
          if (isSilent && !socket.destroyed) return callback(null, socket)
          const why =
            socket.readableLength > 0
              ? 'the server does not speak HTTP: it sent data before the request'
              : 'the server closed the connection before anything was sent'
          const failure = socket.errored ?? new NetworkError('broken-off', why, false)
          socket.destroy()
          callback(failure, null)
        }),
      )
    })
}

/**
 * Turns `100 Continue`, on which undici drops the connection, into a 102, which undici skips. Source: RFC 9110, 15.2.
 */
function skipContinue(connect: Connector, parserKey: symbol): Connector {
  return (options, callback) =>
    connect(options, (...connected) => {
      // The callback creates the parser, which reads nothing until the next turn of the event loop.
      callback(...connected)
      const parser = (connected[1] as { [key: symbol]: Parser | undefined } | null)?.[parserKey]
      if (!parser) return
      const complete = parser.onHeadersComplete
      parser.onHeadersComplete = (status, ...rest) => complete.call(parser, status === 100 ? 102 : status, ...rest)
    })
}

type Parser = { onHeadersComplete(status: number, isUpgrade: boolean, isKeptAlive: boolean): number }
