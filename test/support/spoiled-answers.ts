import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that the proxy is about to forward to the sandbox. */
export interface PassingRequest {
  readonly method: string
  /** The request's path and query. */
  target: string
  body: string
}

/** Functions that change requests and responses. A response body that is not a string is sent as JSON. */
export interface Alterations {
  /**
   * Changes a request before it is forwarded. If the function returns a response, the proxy sends that response and
   * does not forward the request.
   */
  readonly request?: (request: PassingRequest) => { readonly status: number; readonly body: unknown } | undefined
  /** Returns a replacement for the body of a successful response. */
  // biome-ignore lint/suspicious/noExplicitAny: tests change any member of a response
  readonly answer: (request: PassingRequest, body: any) => unknown
}

/**
 * Starts a proxy that forwards requests to another service and changes the responses. The proxy stops after the test.
 */
export async function startAlteringProxy(
  baseUrl: string,
  spoiling: Alterations,
): Promise<{ readonly baseUrl: string }> {
  const server = createServer(async (incoming, outgoing) => {
    const request = { method: incoming.method ?? '', target: incoming.url ?? '', body: await readText(incoming) }
    const { status, body } = spoiling.request?.(request) ?? (await forward(baseUrl, request, incoming, spoiling))
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    outgoing.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function forward(baseUrl: string, request: PassingRequest, incoming: IncomingMessage, { answer }: Alterations) {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      typeof value === 'string' && (name === 'content-type' || name.startsWith('x-')) ? [[name, value]] : [],
    ),
  )
  const sent = request.body === '' ? {} : { body: request.body }
  const reply = await fetch(baseUrl + request.target, { method: request.method, headers, ...sent })
  const text = await reply.text()
  return { status: reply.status, body: text !== '' && reply.ok ? answer(request, JSON.parse(text)) : text }
}

async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
