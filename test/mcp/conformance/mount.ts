import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { Calls } from '../../../src/mcp/server/calls.ts'
import { createServer } from '../../../src/mcp/server/server.ts'
import { call, RESOURCES, TOOLS } from './fixtures.ts'

// Serves MCP over HTTP, because the conformance suite cannot use standard streams. Prints the server's address.

const log = (line: string) => void process.stderr.write(`${line}\n`)
const calls = new Calls({ tools: TOOLS, call, log, now: Date.now })
const options = { version: '0', instructions: 'For tests.', tools: TOOLS, calls, resources: RESOURCES, log }

const modern = createMcpHandler((connected) => createServer(connected, options), { legacy: 'reject' })
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()

async function answerLegacy(request: Request): Promise<Response> {
  const id = request.headers.get('mcp-session-id')
  if (id !== null) return sessions.get(id)?.handleRequest(request) ?? new Response(null, { status: 404 })
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  await createServer({ era: 'legacy' }, options).connect(transport)
  return transport.handleRequest(request)
}

async function toRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming
  const body = method === 'POST' ? await buffer(incoming) : null
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string])
  return new Request(`${origin}${url}`, { method, headers: pairs, body })
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { host = '', origin } = incoming.headers
  const isLocal = (name: string) => /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(name)
  if (!isLocal(host) || (origin !== undefined && !isLocal(origin.replace(/^http:\/\//, '')))) {
    outgoing.writeHead(403).end()
    return
  }
  const request = await toRequest(incoming, `http://${host}`)
  const isLegacy = await isLegacyRequest(request.clone())
  const reply = await (isLegacy ? answerLegacy(request) : modern.fetch(request))
  outgoing.writeHead(reply.status, Object.fromEntries(reply.headers))
  if (reply.body) Readable.fromWeb(reply.body as ReadableStream).pipe(outgoing)
  else outgoing.end()
}

const http = createHttpServer((incoming, outgoing) => {
  answer(incoming, outgoing).catch((error: unknown) => {
    log(String(error))
    if (!outgoing.headersSent) outgoing.writeHead(500)
    outgoing.end()
  })
})
http.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://localhost:${(http.address() as AddressInfo).port}/mcp\n`),
)
