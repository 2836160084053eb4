import type { buildConnector, Dispatcher } from 'undici'
import type { Environment } from '../proxy-choice.ts'
import { NetworkError } from './errors.ts'
import { type DispatcherFactory, findProxy, MAX_RESPONSE_HEADER_BYTES } from './proxy.ts'

export type Connections = { readonly dispatcher: Dispatcher; close(): Promise<void> }

type Connector = buildConnector.connector

/**
 * HTTP/2 is off, because with it, undici would retry rejected requests, even writes. Connecting has no separate time
 * limit, because each attempt has one. Keep-alive is off, because undici would turn it on before the socket is
 * connected, which fails in Wine: see `withKeepAlive`.
 */
const CONNECTING = { allowH2: false, timeout: 0, keepAlive: false } as const

/** How long, in milliseconds, a connection can be idle before TCP checks that it is still alive. */
const KEEP_ALIVE_AFTER_MS = 60_000

const ONE_REQUEST_A_CONNECTION = { pipelining: 1, allowH2: false, maxHeaderSize: MAX_RESPONSE_HEADER_BYTES } as const

/**
 * Returns a function that opens up to `most` connections as they are needed, through a proxy if one applies. Throws
 * USAGE if the proxy variable is invalid.
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
      // A proxy agent passes its own connector, which connects through the tunnel.
      const connector = typeof connect === 'function' ? (connect as Connector) : connectorOf(connecting)
      const careful = skipContinue(refuseEarlyBytes(withKeepAlive(connector)), symbols.kParser)
      const options = { ...ONE_REQUEST_A_CONNECTION, connect: careful }
      return Pool ? new Pool(address, { ...options, connections: most }) : new Client(address, options)
    }
    const dispatcher = reachThroughProxy?.(reach, connecting) ?? reach(origin.origin, {})
    return {
      dispatcher,
      close: async () => {
        const destroyed = dispatcher.destroy()
        // `destroy` ignores connections that are still being established, because they do not belong to a request yet.
        // They are aborted here, because they would otherwise keep the process alive.
        closing.abort()
        await destroyed
      },
    }
  }
}

/** Turns on TCP keep-alive once a socket is connected. */
function withKeepAlive(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (!socket) return callback(error, null)
      socket.setKeepAlive(true, KEEP_ALIVE_AFTER_MS)
      callback(null, socket)
    })
}

/**
 * Rejects a connection on which the server sends bytes before the request, because they would be mistaken for the
 * response. Such bytes can be read one turn of the event loop after connecting.
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
      // The first `setImmediate` waits for the end of this turn of the event loop, and the second one for the next
      // turn, in which early bytes are read.
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
 * Changes the status of `100 Continue` to 102. Undici ignores a 102, but closes the connection after a 100. Source: RFC
 * 9110, 15.2.
 */
function skipContinue(connect: Connector, parserKey: symbol): Connector {
  return (options, callback) =>
    connect(options, (...connected) => {
      // Patch the parser right after the callback creates it. It reads nothing until the next turn of the event loop.
      callback(...connected)
      const parser = (connected[1] as { [key: symbol]: Parser | undefined } | null)?.[parserKey]
      if (!parser) return
      const complete = parser.onHeadersComplete
      parser.onHeadersComplete = (status, ...rest) => complete.call(parser, status === 100 ? 102 : status, ...rest)
    })
}

type Parser = { onHeadersComplete(status: number, isUpgrade: boolean, isKeptAlive: boolean): number }
