import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Environment, freshHome, type Run, type RunOptions, runPartner } from './partner.ts'
import { until } from './until.ts'

/** One request as it came over the wire. */
export interface RawRequest {
  readonly method: string
  /** Path and query, as written. */
  readonly target: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is done to a connection whose request has come whole. */
export type Act = (socket: Socket, request: RawRequest) => void

/** An answer with its length; a body that is no text is sent as JSON. */
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

/** The bytes as they are, and then the end of the connection. */
export function sends(text: string): Act {
  return (socket) => socket.end(text)
}

/** Announces the whole body, sends a part of it, and ends the connection. */
export function truncated(body: string, sentBytes: number, contentType = 'application/json'): Act {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  return sends(head + body.slice(0, sentBytes))
}

export const redirectsTo = (location: string, status = 307): Act => answers(status, '', { location })

export const resets: Act = (socket) => void socket.resetAndDestroy()
export const closes: Act = (socket) => void socket.end()
export const hangs: Act = () => {}

/** Does something later. */
export function after(ms: number, act: Act): Act {
  return (socket, request) => void setTimeout(() => act(socket, request), ms)
}

export interface RawServer {
  readonly port: number
  readonly baseUrl: string
  /** The variables with which the tool talks to it. */
  readonly env: Environment
  /** Runs a command line that talks to this server, with a fresh home. */
  run(line: string | readonly string[], options?: RunOptions): Promise<Run>
  /** What has come so far. */
  readonly requests: readonly RawRequest[]
  readonly connections: number
  /** Comes back when all has come that clients sent who are gone now. A client that stays must have closed its connections. */
  drained(): Promise<void>
}

/** A key that no output may hold. */
export const RAW_KEY = 'raw-server-key-7f3a9c'

/**
 * A server that answers with exactly these bytes: the first request by the first act, the next by the next, all further
 * ones by the last; or as a function says. `greeting` is sent before anything is asked. Gone after the test.
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
    onRequest(socket, (request) => {
      const act =
        typeof acts === 'function' ? acts(request, requests) : acts[Math.min(requests.length, acts.length - 1)]
      requests.push(request)
      act?.(socket, request)
    })
  })
  let connections = 0
  const port = await (options.port === undefined ? listeningApart(server) : listening(server, options.port))
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
      // Connections are taken in the order in which they were made: once this one is, all before it are.
      await once(connect(port, '127.0.0.1').resume().end(), 'close')
      await until(() => sockets.size === 0)
    },
  }
}

/** Runs a command line that talks to a server of its own, which does these things. */
export async function runAgainst(acts: readonly Act[], line: string | readonly string[], options?: RunOptions) {
  return (await startRawServer(acts)).run(line, options)
}

/** Where no system takes ports from for those who name none: nobody else gets one by chance. */
const UNASKED_PORTS = { first: 10_000, count: 20_000 }

/** A port on which nothing listens, and nothing will. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listeningApart(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Listens on a port of its own: what is still sent to a server that is gone, such as an event, must not come to another test. */
async function listeningApart(server: Server): Promise<number> {
  for (;;) {
    const port = UNASKED_PORTS.first + Math.floor(Math.random() * UNASKED_PORTS.count)
    const isTaken = await listening(server, port).then(
      () => false,
      () => true,
    )
    if (!isTaken) return port
  }
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

/** Cuts what comes over a connection into requests; a body has a content-length or there is none. */
function onRequest(socket: Socket, give: (request: RawRequest) => void): void {
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
      give({ method, target, headers, body })
    }
  })
}
