import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { messageOf } from '../../base/failure/failure.ts'
import type { Transport, WireReply, WireRequest } from '../transport.ts'
import { ConnectionFault } from './connection-fault.ts'
import { linger } from './linger.ts'
import { listen } from './listen.ts'
import { jsonReply, WholeBody } from './reply.ts'
import { RequestBodyError, readBody } from './request-body.ts'

export interface ServeOptions {
  /** The port to listen on. The default, 0, picks a free port. */
  readonly port?: number
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string
  /** The maximum size of a request body. The server responds to a larger body with 413. Default: 1 MiB. */
  readonly maxBodyBytes?: number
  /** The time limit for receiving a request's headers, after which the server responds with 408. Default: 10 s. */
  readonly headersTimeoutMs?: number
  /** The time limit for receiving a whole request, after which the server responds with 408. Default: 30 s. */
  readonly requestTimeoutMs?: number
  /** The maximum number of open connections. Further connections are closed. Unlimited by default. */
  readonly maxConnections?: number
  /** Called for each connection that is closed because of `maxConnections`. */
  readonly onDropped?: () => void
  /** How long, in milliseconds, `close` waits for responses in progress. Default: 1200. */
  readonly closeGraceMs?: number
  /**
   * Called for each request that is too large (413, or 431 for headers), too slow (408), incomplete or not HTTP (400),
   * and for each error in the server (500).
   */
  readonly refused?: (status: number, why: string) => void
}

export interface RunningServer {
  readonly port: number
  /** The origin, such as `http://127.0.0.1:4010`, without a trailing slash. */
  readonly origin: string
  /**
   * Stops the server. Waits at most `closeGraceMs` for responses in progress and then closes all remaining connections.
   * By default, this takes less than two seconds.
   */
  close(): Promise<void>
}

const MAX_HEADER_BYTES = 32 * 1024
const CLOSE_GRACE_MS = 1200

/**
 * Serves HTTP requests with a transport. Responds to invalid, slow and large requests with a JSON message. Throws
 * NETWORK_ERROR.
 */
export async function serve(transport: Transport, options: ServeOptions = {}): Promise<RunningServer> {
  const host = options.host ?? '127.0.0.1'
  const headersTimeout = options.headersTimeoutMs ?? 10_000
  const requestTimeout = Math.max(options.requestTimeoutMs ?? 30_000, headersTimeout)
  const { maxBodyBytes = 1024 * 1024, refused = () => undefined, closeGraceMs = CLOSE_GRACE_MS } = options
  const handling = { transport, maxBodyBytes, fallbackHost: host, refused }
  const server = createServer(
    {
      keepAlive: true,
      keepAliveTimeout: 60_000,
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval: Math.max(50, Math.min(1000, headersTimeout / 2)),
      maxHeaderSize: MAX_HEADER_BYTES,
      noDelay: true,
    },
    (request, response) => void handle(handling, request, response),
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseConnection(error, socket as Socket, refused))
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections
  server.on('drop', () => options.onDropped?.())
  server.on('connect', (_request, socket) => writeRaw(socket as Socket, 405, 'This server is not a proxy.'))
  const port = await listen(server, options.port ?? 0, host)
  const shown = host.includes(':') ? `[${host}]` : host
  return { port, origin: `http://${shown}:${port}`, close: () => closeServer(server, closeGraceMs) }
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}

interface Handling {
  readonly transport: Transport
  readonly maxBodyBytes: number
  readonly fallbackHost: string
  readonly refused: (status: number, why: string) => void
}

async function handle(options: Handling, message: IncomingMessage, response: ServerResponse): Promise<void> {
  // A client that disconnects during the response is not a server error.
  response.on('error', () => undefined)
  try {
    await send(await answer(options, message, response), message, response)
  } catch (error) {
    if (error instanceof ConnectionFault) return endConnection(message.socket, error.end)
    if (error instanceof RequestBodyError) {
      options.refused(error.status, error.message)
      return refuseBody(error, message, response)
    }
    options.refused(500, messageOf(error))
    if (response.headersSent) message.socket.destroy()
    else if (!message.socket.destroyed)
      await send(jsonReply(500, { message: 'An unexpected error occurred.' }), message, response)
  }
}

async function answer(options: Handling, message: IncomingMessage, response: ServerResponse): Promise<WireReply> {
  const urlAsSent = readUrl(message, options.fallbackHost)
  const url = URL.parse(urlAsSent)
  if (!url) return jsonReply(400, { message: 'The request target is not a valid URL.' })
  const body = await readBody(message, options.maxBodyBytes)
  return options.transport(toWireRequest(message, { url, urlAsSent, body }, response))
}

/** Builds the absolute URL of a request from its target and Host header, without normalizing either. */
function readUrl(message: IncomingMessage, fallbackHost: string): string {
  const target = message.url ?? ''
  const host = message.headers.host ?? `${fallbackHost}:${message.socket.localPort}`
  return target.startsWith('/') ? `http://${host}${target}` : target
}

function toWireRequest(
  message: IncomingMessage,
  read: Pick<WireRequest, 'url' | 'urlAsSent' | 'body'>,
  response: ServerResponse,
): WireRequest {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  let controller: AbortController | undefined
  return {
    ...read,
    method: message.method ?? 'GET',
    headers,
    get signal() {
      if (!controller) {
        const made = new AbortController()
        controller = made
        response.once('close', () => made.abort())
      }
      return controller.signal
    },
  }
}

async function send(reply: WireReply, message: IncomingMessage, response: ServerResponse): Promise<void> {
  if (response.destroyed) return
  const bodiless = message.method === 'HEAD' || reply.status === 204 || reply.status === 304
  const whole = reply.body instanceof WholeBody ? reply.body : null
  const headers: Record<string, string | number> = { ...reply.headers }
  if (whole && !bodiless) headers['content-length'] ??= whole.bytes.byteLength
  response.writeHead(reply.status, headers)
  if (whole || bodiless) {
    response.end(whole && !bodiless ? whole.bytes : undefined)
    return
  }
  for await (const chunk of reply.body) {
    if (response.destroyed) return
    if (!response.write(chunk)) await waitForDrain(response)
  }
  response.end()
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

function endConnection(socket: Socket, end: 'reset' | 'close'): void {
  if (end === 'reset') socket.resetAndDestroy()
  // Sends what has been written so far and then closes the connection.
  else socket.end(() => socket.destroy())
}

function refuseBody(error: RequestBodyError, message: IncomingMessage, response: ServerResponse): void {
  if (message.socket.destroyed) return
  const { bytes } = jsonReply(error.status, { message: error.message }).body as WholeBody
  response.writeHead(error.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.byteLength,
    connection: 'close',
  })
  // `response.end` would close the connection while the client might still be sending.
  response.write(bytes, () => linger(message.socket, message))
}

function refuseConnection(error: NodeJS.ErrnoException, socket: Socket, refused: Handling['refused']): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = REFUSALS[error.code ?? ''] ?? NO_HTTP
  refused(status, message)
  writeRaw(socket, status, message)
}

const NO_HTTP = [400, 'The request is not valid HTTP.'] as const
const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

function writeRaw(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify({ message })
  socket.write(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  // The HTTP parser has given up on this connection, so passing it more data would only cause more errors.
  socket.removeAllListeners('data')
  linger(socket)
}
