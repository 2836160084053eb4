import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { SandboxFacts } from '../../../src/sandbox/facts.ts'

/** A request from a run, before the service receives it or after the service has responded to it. */
export interface ServiceMessage {
  readonly run: string
  readonly kind: 'read' | 'write'
  /** The request's sequence number among the run's requests of this kind, starting at 1. */
  readonly number: number
  readonly when: 'before' | 'after'
}

/**
 * When the service receives a request whose connection was reset. `with the next read` means just before the next read
 * request of any run, and `later` means when a test calls `ServiceLine.deliver`.
 */
export const ARRIVALS = ['never', 'at once', 'with the next read', 'later'] as const
export type Arrival = (typeof ARRIVALS)[number]

/**
 * How to treat a message. `pass` forwards it. An `Arrival` resets the connection. If the service has not received the
 * request yet, the `Arrival` also says when it does.
 */
export type ServiceTreatment = 'pass' | Arrival

/** An HTTP proxy between runs of partner and a sandbox. */
export interface ServiceLine {
  readonly baseUrl: string
  onMessage: (message: ServiceMessage) => ServiceTreatment | Promise<ServiceTreatment>
  /** Waits until no request is in progress and then delivers all delayed requests to the service. */
  deliver(): Promise<void>
  /** Returns whether there are delayed requests that have not been delivered. */
  hasDelayed(): boolean
}

/** Matches the name of a run, which the run sends as its API key or as the name of its signature header. */
const RUN = /^run-\d+$/

/** Returns the environment variables of a run that uses a service line. `run` must match {@link RUN}. */
export function serviceVariables(line: ServiceLine, sandbox: SandboxFacts, run: string) {
  return {
    PARTNER_BASE_URL: line.baseUrl,
    PARTNER_API_KEY: run,
    PARTNER_SIGNATURE_HEADER: run,
    PARTNER_SIGNING_SECRET: sandbox.signingSecret,
    PARTNER_NAME: sandbox.partnerName,
    PARTNER_LOCATION_ID: sandbox.locationId,
  }
}

/**
 * Starts a proxy to a sandbox. The proxy stops when the test ends. In each request, it replaces the API key or the name
 * of the signature header with the sandbox's own.
 */
export async function startServiceLine(sandbox: SandboxFacts): Promise<ServiceLine> {
  const target = new URL(sandbox.baseUrl)
  const counts = new Map<string, number>()
  const delayed: { readonly arrival: Arrival; readonly send: () => Promise<unknown> }[] = []
  const working = new Set<Promise<unknown>>()

  const track = <T>(work: Promise<T>): Promise<T> => {
    working.add(work)
    void work.catch(() => {}).finally(() => working.delete(work))
    return work
  }
  const deliver = async (isDue: (arrival: Arrival) => boolean) => {
    for (const one of delayed.filter(({ arrival }) => isDue(arrival))) {
      delayed.splice(delayed.indexOf(one), 1)
      await one.send()
    }
  }
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(incoming)
    const { method = 'GET', url: path = '/' } = incoming
    const run = runOf(incoming)
    const kind = method === 'GET' || path.endsWith('/balance') ? 'read' : 'write'
    const number = (counts.get(`${run} ${kind}`) ?? 0) + 1
    counts.set(`${run} ${kind}`, number)
    const send = () => forward({ method, path, headers: headersFor(incoming, run, sandbox), body }, target)
    if (kind === 'read') await deliver((arrival) => arrival === 'with the next read')
    const before = await line.onMessage({ run, kind, number, when: 'before' })
    if (before !== 'pass') {
      incoming.socket.resetAndDestroy()
      if (before === 'at once') await send()
      else if (before !== 'never') delayed.push({ arrival: before, send })
      return
    }
    const { status, headers, body: answer } = await send()
    const after = await line.onMessage({ run, kind, number, when: 'after' })
    if (after === 'pass') outgoing.writeHead(status, headers).end(answer)
    else incoming.socket.resetAndDestroy()
  }

  const server = createServer((incoming, outgoing) => {
    // Ignore errors, because a killed run may close its connection at any time.
    void track(serve(incoming, outgoing)).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const line: ServiceLine = {
    baseUrl: `http://127.0.0.1:${port}`,
    onMessage: () => 'pass',
    deliver: async () => {
      await Promise.allSettled(working)
      await deliver(() => true)
    },
    hasDelayed: () => delayed.length > 0,
  }
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return line
}

function runOf({ headers }: IncomingMessage): string {
  const names = [headers['x-api-key'], ...Object.keys(headers)]
  const run = names.find((name) => typeof name === 'string' && RUN.test(name))
  if (typeof run !== 'string') throw new Error('a request does not name its run')
  return run
}

/**
 * Returns a request's headers with the API key, or the name of the signature header, replaced by the sandbox's own.
 * Keeps the `Host` header, because the signature covers the URL.
 */
function headersFor(incoming: IncomingMessage, run: string, sandbox: SandboxFacts): Record<string, string> {
  const given = Object.entries(incoming.headers).filter(([name]) => name !== 'connection')
  return Object.fromEntries(
    given.map(([name, value]) => {
      if (name === run) return [sandbox.signatureHeader, String(value)]
      return [name, value === run ? sandbox.apiKey : String(value)]
    }),
  )
}

interface Forwarded {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

function forward({ body, ...options }: Forwarded, { hostname, port }: URL) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
    const sent = request({ ...options, hostname, port, agent: false }, (answer) => {
      const { statusCode: status = 0, headers } = answer
      buffer(answer).then((bytes) => resolve({ status, headers, body: bytes }), reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
