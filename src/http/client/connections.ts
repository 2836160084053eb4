import type { buildConnector, Dispatcher } from 'undici'
import type { Environment } from '../proxy-choice.ts'
import { NetworkError } from './errors.ts'
import { findProxy, MOST_HEADER_BYTES, type Reach } from './proxy.ts'

export type Connections = { readonly dispatcher: Dispatcher; close(): Promise<void> }

type Connector = buildConnector.connector

/** No HTTP/2: over it, undici repeats rejected requests, even writes. No limit for connecting: the attempt has one. */
const CONNECTING = { allowH2: false, timeout: 0 } as const
const ONE_REQUEST_A_CONNECTION = { pipelining: 1, allowH2: false, maxHeaderSize: MOST_HEADER_BYTES } as const

/** Prepares up to `most` connections on demand, through a proxy if needed. Fails: USAGE for a bad proxy variable. */
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
    const reach: Reach = (address, { connect }) => {
      // A proxy agent passes its own connector for the tunnel.
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
        // Attempts to connect belong to no request, and would keep the process alive.
        closing.abort()
        await destroyed
      },
    }
  }
}

/** Rejects a connection with bytes before the request, which would pass for the reply. They show one turn later. */
function refuseEarlyBytes(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (!socket) return callback(error, null)
      let isSilent = true
      const heard = () => {
        isSilent = false
      }
      socket.once('readable', heard)
      // The first turn ends the one that connected; the next one reads early bytes.
      setImmediate(() =>
        setImmediate(() => {
          socket.off('readable', heard)
          if (isSilent && !socket.destroyed) return callback(null, socket)
          const why =
            socket.readableLength > 0
              ? 'what answers there does not speak HTTP: it speaks before it is asked'
              : 'the connection was closed before anything was sent'
          const failure = socket.errored ?? new NetworkError('broken-off', why, false)
          socket.destroy()
          callback(failure, null)
        }),
      )
    })
}

/** Turns a `100 Continue`, at which undici drops the connection, into a 102, which it skips. Source: RFC 9110, 15.2. */
function skipContinue(connect: Connector, parserKey: symbol): Connector {
  return (options, callback) =>
    connect(options, (...connected) => {
      // The callback creates the parser, which reads nothing before the next turn.
      callback(...connected)
      const parser = (connected[1] as { [key: symbol]: Parser | undefined } | null)?.[parserKey]
      if (!parser) return
      const complete = parser.onHeadersComplete
      parser.onHeadersComplete = (status, ...rest) => complete.call(parser, status === 100 ? 102 : status, ...rest)
    })
}

type Parser = { onHeadersComplete(status: number, isUpgrade: boolean, isKeptAlive: boolean): number }
