import type { Dispatcher } from 'undici'
import { Interrupted } from '../../base/failure/interrupted.ts'
import type { Environment } from '../proxy-choice.ts'
import type { Transport } from '../transport.ts'
import { type Connections, prepareConnections } from './connections.ts'
import { toNetworkError } from './error-causes.ts'
import { DeadlinePassed, NetworkError } from './errors.ts'

export type OpenTransport = { readonly transport: Transport; close(): Promise<void> }

/**
 * Opens a transport to one origin. It does not follow redirects, does not retry, and has no time limits. Throws USAGE
 * if the proxy variable is invalid.
 */
export async function openTransport(origin: URL, env: Environment, connections = 1): Promise<OpenTransport> {
  const [connect, { default: request }] = await Promise.all([
    prepareConnections(origin, env),
    import('undici/lib/api/api-request.js'),
  ])
  const open = new Set<Connections>()
  const openConnections = async (most: number): Promise<Connections> => {
    const opened = await connect(most)
    open.add(opened)
    return opened
  }
  const shared = await openConnections(connections)
  const transport: Transport = async ({ method, url, headers, body, signal, connection }) => {
    const own = connection === 'own' ? await openConnections(1) : null
    const finish = async () => {
      if (own && open.delete(own)) await own.close()
    }
    const watched = new WatchedDispatcher((own ?? shared).dispatcher)
    try {
      const response = request.call(watched, {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: { ...headers },
        body,
        signal,
        // Sends `connection: close`, so that the server does not wait for another request on this connection.
        ...(own ? { reset: true } : {}),
        headersTimeout: 0,
        bodyTimeout: 0,
        // With a larger buffer, the socket is paused less often. Receiving a list takes 2% less CPU time than with the
        // default of 64 KiB.
        highWaterMark: 256 * 1024,
      })
      const reply = await (signal ? rejectOnAbort(response, signal) : response)
      return {
        status: reply.statusCode,
        headers: flattenHeaders(reply.headers),
        body: decode(finishAfter(reply.body, finish, signal), reply.headers['content-encoding']),
      }
    } catch (error) {
      await finish()
      throw toTransportError(error, signal, watched.hasBegun)
    }
  }
  return {
    transport,
    close: async () => {
      await Promise.all([...open].map((connections) => connections.close()))
    },
  }
}

/**
 * A dispatcher that records whether any part of a request might have been sent, directly or through a proxy's tunnel.
 */
class WatchedDispatcher {
  readonly #inner: Dispatcher
  hasBegun = false

  constructor(inner: Dispatcher) {
    this.#inner = inner
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const start = handler.onRequestStart
    handler.onRequestStart = (controller, context) => {
      start?.call(handler, controller, context)
      // `start` drops a request that was aborted while it waited for a connection, so nothing is sent.
      if (!controller.aborted) this.hasBegun = true
    }
    return this.#inner.dispatch(options, handler)
  }
}

/**
 * Rejects as soon as the signal aborts. Undici does not check the signal until it has connected, so it would wait
 * forever for a host that does not respond.
 */
async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const textOf = (value: string | string[] = '') => (Array.isArray(value) ? value.join(', ') : value)
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), textOf(value)]))
}

async function* finishAfter(body: AsyncIterable<Uint8Array>, finish: () => Promise<void>, signal?: AbortSignal) {
  try {
    yield* body
  } catch (error) {
    throw toTransportError(error, signal, true)
  } finally {
    await finish()
  }
}

function toTransportError(error: unknown, signal: AbortSignal | undefined, maybeSent: boolean): Error {
  const reason: unknown = signal?.aborted ? signal.reason : null
  if (reason instanceof Interrupted) return maybeSent ? reason.whileSending() : reason
  if (reason instanceof DeadlinePassed) return new NetworkError('timeout', reason.message, maybeSent, error)
  return toNetworkError(error, maybeSent)
}

/** Decompresses a body. Loads zlib only if the body is compressed. */
async function* decode(body: AsyncIterable<Uint8Array>, encoding: string | string[] | undefined) {
  const name = String(encoding ?? 'identity')
    .trim()
    .toLowerCase()
  if (name === 'identity' || name === '') {
    yield* body
    return
  }
  const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib')
  const open = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate }[name]
  if (!open)
    throw new NetworkError(
      'bad-encoding',
      `the response has the content encoding "${name}", which is not supported`,
      true,
    )
  const { Readable, pipeline } = await import('node:stream')
  try {
    // The callback can ignore errors, because the iteration throws any error from the body or the decoder.
    yield* pipeline(Readable.from(body), open(), () => {}) as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof NetworkError || error instanceof Interrupted) throw error
    throw new NetworkError('bad-encoding', `the ${name} encoding of the response is corrupt`, true, error)
  }
}
