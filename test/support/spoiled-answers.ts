import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request on its way to the sandbox. */
export interface PassingRequest {
  readonly method: string
  /** Path and query. */
  target: string
  body: string
}

/** What is done to what passes; an answer is JSON, and a text in its place is sent as it is. */
export interface Spoiling {
  /** Changes a request before it passes; an answer to give in its place, or nothing. */
  readonly request?: (request: PassingRequest) => { readonly status: number; readonly body: unknown } | undefined
  // biome-ignore lint/suspicious/noExplicitAny: it does with the answer what it likes
  readonly answer: (request: PassingRequest, body: any) => unknown
}

/** A service in front of another one that changes its answers. Gone after the test. */
export async function startSpoiled(baseUrl: string, spoiling: Spoiling): Promise<{ readonly baseUrl: string }> {
  const server = createServer(async (incoming, outgoing) => {
    const request = { method: incoming.method ?? '', target: incoming.url ?? '', body: await textOf(incoming) }
    const { status, body } = spoiling.request?.(request) ?? (await passOn(baseUrl, request, incoming, spoiling))
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

async function passOn(baseUrl: string, request: PassingRequest, incoming: IncomingMessage, { answer }: Spoiling) {
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

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
