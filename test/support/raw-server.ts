import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Environment, freshHome, type Run, type RunOptions, runPartner } from './partner.ts'
import { until } from './until.ts'

export interface RawRequest {
  readonly method: string
  /** The path and query, still percent-encoded. */
  readonly target: string
  /** The headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the server does with a connection after it has received a complete request. */
export type Act = (socket: Socket, request: RawRequest) => void

/** Sends a response with its content-length. A body that is not a string is sent as JSON. */
export function answers(status: number, body: unknown = '', headers: Readonly<Record<string, string>> = {}): Act {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const lines = Object.entries({
    'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
    ...(status === 204 || status === 304 ? {} : { 'content-length': String(bytes.byteLength) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return (socket) => {
    socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`), bytes]))
  }
}

/** Sends text unchanged and closes the connection. */
export function sends(text: string): Act {
  return (socket) => socket.end(text)
}

/** Announces the length of the whole body, but sends only part of it and closes the connection. */
export function truncated(body: string, sentBytes: number, contentType = 'application/json'): Act {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  return sends(head + body.slice(0, sentBytes))
}

export const redirectsTo = (location: string, status = 307): Act => answers(status, '', { location })

export const resets: Act = (socket) => void socket.resetAndDestroy()
export const closes: Act = (socket) => void socket.end()
export const hangs: Act = () => {}

/** Delays an act. */
export function after(ms: number, act: Act): Act {
  return (socket, request) => void setTimeout(() => act(socket, request), ms)
}

export interface RawServer {
  readonly port: number
  readonly baseUrl: string
  /** Environment variables that make the tool use this server. */
  readonly env: Environment
  /** Runs a command line against this server, with a fresh home directory. */
  run(line: string | readonly string[], options?: RunOptions): Promise<Run>
  /** All requests received so far. */
  readonly requests: readonly RawRequest[]
  readonly connections: number
  /**
   * Resolves when the server has received everything that its clients sent. Clients must first have exited or closed
   * their connections.
   */
  drained(): Promise<void>
}

/** The API key that commands use with raw servers. It must not appear in any output. */
export const RAW_KEY = 'raw-server-key-7f3a9c'

/**
 * Starts a server that controls every byte of its responses. It stops after the test. Each act handles one request, in
 * order. The last act also handles all later requests. Alternatively, `acts` is a function that returns the act for a
 * request. `greeting` is sent as soon as a client connects.
 */
export async function startRawServer(
  acts: readonly Act[] | ((request: RawRequest, earlier: readonly RawRequest[]) => Act),
  options: { readonly port?: number; readonly greeting?: string } = {},
): Promise<RawServer> {
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    connections++
    if (options.greeting !== undefined) socket.write(options.greeting)
    readRequests(socket, (request) => {
      const act =
        typeof acts === 'function' ? acts(request, requests) : acts[Math.min(requests.length, acts.length - 1)]
      requests.push(request)
      act?.(socket, request)
    })
  })
  let connections = 0
  const port = await (options.port === undefined ? listenApart(server) : listen(server, options.port))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const baseUrl = `http://127.0.0.1:${port}`
  const env = { PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: RAW_KEY }
  return {
    port,
    baseUrl,
    env,
    run: (line, options = {}) => runPartner(line, { ...options, env: { ...freshHome(), ...env, ...options.env } }),
    requests,
    get connections() {
      return connections
    },
    drained: async () => {
      // Connections are accepted in order, so once this one is closed, all earlier ones have been accepted.
      await once(connect(port, '127.0.0.1').resume().end(), 'close')
      await until(() => sockets.size === 0)
    },
  }
}

/** Starts a server and runs a command line against it. */
export async function runAgainst(acts: readonly Act[], line: string | readonly string[], options?: RunOptions) {
  return (await startRawServer(acts)).run(line, options)
}

/** Ports that operating systems never assign automatically. */
const UNASSIGNED_PORTS = { first: 10_000, count: 20_000 }

/** Returns a port that no other program uses, now or later. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenApart(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Listens on a random port in {@link UNASSIGNED_PORTS}. If a port were reused soon, data meant for a stopped server,
 * such as an event, could reach another test.
 */
async function listenApart(server: Server): Promise<number> {
  for (;;) {
    const port = UNASSIGNED_PORTS.first + Math.floor(Math.random() * UNASSIGNED_PORTS.count)
    const isInUse = await listen(server, port).then(
      () => false,
      () => true,
    )
    if (!isInUse) return port
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

/** Splits the data received on a connection into requests. A request has a body only if it has a content-length. */
function readRequests(socket: Socket, onRequest: (request: RawRequest) => void): void {
  let pending = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const end = pending.indexOf('\r\n\r\n')
      if (end < 0) return
      const [first = '', ...lines] = pending.subarray(0, end).toString('latin1').split('\r\n')
      const headers = Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
        }),
      )
      const whole = end + 4 + Number(headers['content-length'] ?? 0)
      if (pending.byteLength < whole) return
      const [method = '', target = ''] = first.split(' ')
      const body = pending.subarray(end + 4, whole).toString()
      pending = pending.subarray(whole)
      onRequest({ method, target, headers, body })
    }
  })
}
