import type { Dispatcher } from 'undici'
import { isLoopback } from '../contract/loopback.ts'
import { usageFailure } from '../failure/failure.ts'
import { DeadlinePassed, Interrupted, NetworkError } from './errors.ts'
import type { Transport, WireReply } from './transport.ts'
import { networkErrorOf } from './trouble.ts'

/** A way to one service, which holds connections until it is closed. */
export interface OpenTransport {
  readonly transport: Transport
  /** Drops all connections at once; what is under way fails. */
  close(): Promise<void>
}

/**
 * Opens HTTP to one origin. Redirects are not followed, nothing is repeated, no time limit is set: layers do that.
 * Proxies (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`) are honoured, except for loopback addresses.
 */
export async function openTransport(
  origin: URL,
  env: Readonly<Record<string, string | undefined>>,
  connections = 1,
): Promise<OpenTransport> {
  const closing = new AbortController()
  const connect = { signal: closing.signal, allowH2: false as const }
  const [dispatcher, { default: request }] = await Promise.all([
    dispatcherFor(origin, env, { ...ONE_REQUEST_A_CONNECTION, connect }, connections),
    import('undici/lib/api/api-request.js'),
  ])
  const transport: Transport = async ({ method, url, headers, body, signal }) => {
    const watched = new WatchedDispatcher(dispatcher)
    try {
      const answered = request.call(watched, {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: { ...headers },
        body,
        signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      const reply = await (signal ? untilAborted(answered, signal) : answered)
      return {
        status: reply.statusCode,
        headers: flatHeaders(reply.headers),
        body: decoded(namingTrouble(reply.body, signal), reply.headers['content-encoding']),
      }
    } catch (error) {
      throw troubleOf(error, signal, watched.isBegun)
    }
  }
  return {
    transport,
    close: async () => {
      const destroyed = dispatcher.destroy()
      // What is still connecting belongs to no request, and would keep the process alive.
      closing.abort()
      await destroyed
    },
  }
}

/** Sends one request by another dispatcher, and notices when it begins to leave, be it through a proxy's tunnel. */
class WatchedDispatcher {
  readonly #inner: Dispatcher
  /** False: not a byte of the request has left, and none will. */
  isBegun = false

  constructor(inner: Dispatcher) {
    this.#inner = inner
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const start = handler.onRequestStart
    handler.onRequestStart = (controller, context) => {
      start?.call(handler, controller, context)
      // One that was given up while it waited for a connection is dropped here, by the handler itself.
      if (!controller.aborted) this.isBegun = true
    }
    return this.#inner.dispatch(options, handler)
  }
}

/** undici looks at the signal only once a connection stands: to a host that says nothing it would wait for ever. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
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

async function dispatcherFor(
  origin: URL,
  env: Readonly<Record<string, string | undefined>>,
  options: typeof ONE_REQUEST_A_CONNECTION & { readonly connect: { signal: AbortSignal; allowH2: false } },
  connections: number,
): Promise<Dispatcher> {
  const proxies = [env['https_proxy'] ?? env['HTTPS_PROXY'], env['http_proxy'] ?? env['HTTP_PROXY']].filter(Boolean)
  if (proxies.length > 0 && !isLoopback(origin.hostname)) {
    // Their values may hold a password, and are not shown.
    if (!proxies.every((proxy) => /^(?:https?|socks5?):$/.test(URL.parse(proxy ?? '')?.protocol ?? '')))
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
    const { connect } = options
    return new EnvHttpProxyAgent({ connections, ...options, proxyTls: connect, requestTls: connect })
  }
  if (connections > 1) {
    const { default: Pool } = await import('undici/lib/dispatcher/pool.js')
    return new Pool(origin.origin, { connections, ...options })
  }
  const { default: Client } = await import('undici/lib/dispatcher/client.js')
  return new Client(origin.origin, options)
}

/**
 * HTTP/2 is left out, as undici repeats there what a server turned away, writes too. Connecting has no limit of its own
 * (undici's is 10 s): the deadline of the attempt covers it.
 */
const ONE_REQUEST_A_CONNECTION = { pipelining: 1, allowH2: false, connectTimeout: 0 } as const

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

async function* namingTrouble(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
  try {
    yield* body
  } catch (error) {
    throw troubleOf(error, signal, true)
  }
}

function troubleOf(error: unknown, signal: AbortSignal | undefined, maybeSent: boolean): Error {
  const reason: unknown = signal?.aborted ? signal.reason : null
  if (reason instanceof Interrupted) return maybeSent ? reason.whileSending() : reason
  if (reason instanceof DeadlinePassed) return new NetworkError('timeout', reason.message, maybeSent, error)
  return networkErrorOf(error, maybeSent)
}

/** Undoes a `content-encoding`; zlib is loaded only when there is one. */
async function* decoded(
  body: AsyncIterable<Uint8Array>,
  encoding: string | string[] | undefined,
): WireReply['body'] & AsyncGenerator<Uint8Array> {
  const name = String(encoding ?? 'identity')
    .trim()
    .toLowerCase()
  if (name === 'identity' || name === '') {
    yield* body
    return
  }
  const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib')
  const open = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate }[name]
  if (!open) throw new NetworkError('bad-encoding', `the answer is encoded as "${name}", which cannot be read`, true)
  const { Readable, pipeline } = await import('node:stream')
  try {
    // pipeline ends the decoder with the error of either side, which the loop then meets
    yield* pipeline(Readable.from(body), open(), () => {}) as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof NetworkError || error instanceof Interrupted) throw error
    throw new NetworkError('bad-encoding', `the answer's ${name} encoding is damaged`, true, error)
  }
}
