import { monotonicMs } from '../../../base/stopwatch.ts'
import type { TraceRequest } from '../../../client/calls/caller.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { ENDPOINTS } from '../../../contract/endpoints.ts'
import type { Environment } from '../../../http/proxy-choice.ts'
import { encodeSpans, type Span, type TraceTarget } from './otlp.ts'
import { post } from './post.ts'
import { formatTraceparent, newSpanId, newTraceId, type TraceContext } from './trace-context.ts'

/** How long to wait for spans to be sent after a run. */
const SEND_LIMIT_MS = 2000

/** How long to wait for spans to be sent after a signal has stopped the command. */
const STOPPED_LIMIT_MS = 1000

/** The maximum number of request spans per run. Further requests are only counted. */
const MAX_REQUESTS = 1000

/**
 * The maximum number of runs whose spans can be sent at the same time. With `--every`, the spans of further runs are
 * dropped.
 */
const MAX_SENDING = 4

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The path in the span of a request whose endpoint is not in the contract. */
const UNKNOWN_PATH = '/{unknown}'

interface TraceParts {
  readonly env: Environment
  readonly version: string
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  readonly command: string
  /** The trace to continue, or `null` to begin a new trace with each run. */
  readonly context: TraceContext | null
  /** Where to send the spans, or `null` if they are not sent. */
  readonly target: TraceTarget | null
  /** Whether to send a `traceparent` header to the service with each request. */
  readonly tellsService: boolean
}

/** Records a span for each run and for each of its requests, and sends the spans when the run has ended. */
export class Tracer {
  readonly #parts: TraceParts
  readonly #outer: Tracer | null
  readonly #venues: Tracer[] = []
  readonly #sending = new Set<Promise<unknown>>()
  readonly #stop = new AbortController()
  #run: TracedRun | null = null

  constructor(parts: TraceParts, outer: Tracer | null = null) {
    this.#parts = parts
    this.#outer = outer
  }

  begin(): void {
    this.#run ??= new TracedRun(this.#parts)
  }

  end(exitCode: number): void {
    const { target, context, env, version } = this.#parts
    const run = this.#run
    this.#run = null
    if (run === null || target === null || context?.isSampled === false || this.#sending.size >= MAX_SENDING) return
    const sent = post({
      ...{ url: target.url, env, limitMs: SEND_LIMIT_MS, signal: this.#stop.signal },
      headers: { 'user-agent': `partner/${version}`, ...target.headers, 'content-type': 'application/json' },
      body: Buffer.from(encodeSpans(run.finish(exitCode), target.resource, version)),
    }).finally(() => this.#sending.delete(sent))
    this.#sending.add(sent)
  }

  /** Returns a tracer for one of several venues. Requests outside the venue's own runs belong to this tracer's run. */
  forVenue(): Tracer {
    const tracer = new Tracer(this.#parts, this)
    this.#venues.push(tracer)
    return tracer
  }

  readonly traceRequest: TraceRequest = (endpoint) => {
    const run = this.#run ?? (this.#outer === null ? null : this.#outer.#run)
    return run?.traceRequest(endpoint) ?? { headers: {}, end: () => {} }
  }

  /** Waits until the spans have been sent, but only briefly if the command was stopped. */
  async settle(isStopped: boolean): Promise<void> {
    const timer = isStopped ? setTimeout(() => this.#stop.abort(), STOPPED_LIMIT_MS) : undefined
    await Promise.all([...this.#sending, ...this.#venues.map((venue) => venue.settle(isStopped))])
    clearTimeout(timer)
  }
}

interface TracedRequest {
  readonly spanId: string
  readonly method: string
  readonly template: string
  readonly startMs: number
  endMs: number | null
  status: number | null
  attempts: number
}

/** The spans of one run. */
class TracedRun {
  readonly #parts: TraceParts
  readonly #requests: TracedRequest[] = []
  readonly #spanId = newSpanId()
  readonly #traceId: string
  readonly #beganMs = monotonicMs()
  readonly #startMs: number
  #dropped = 0

  constructor(parts: TraceParts) {
    this.#parts = parts
    this.#traceId = parts.context?.traceId ?? newTraceId()
    this.#startMs = parts.now()
  }

  traceRequest(endpoint: Endpoint): ReturnType<TraceRequest> {
    const { context, target, tellsService } = this.#parts
    const spanId = newSpanId()
    const isSampled = context?.isSampled ?? target !== null
    const traceparent = formatTraceparent(this.#traceId, spanId, isSampled)
    const headers: Record<string, string> = tellsService ? { traceparent } : {}
    if (this.#requests.length >= MAX_REQUESTS) {
      this.#dropped++
      return { headers, end: () => {} }
    }
    const request: TracedRequest = {
      ...{ spanId, ...namesOf(endpoint), startMs: this.#now(), endMs: null, status: null, attempts: 1 },
    }
    this.#requests.push(request)
    return {
      headers,
      end: (status, attempts) => {
        Object.assign(request, { status, attempts, endMs: this.#now() })
      },
    }
  }

  /** Returns all spans. The spans of unfinished requests get the current time as their end. */
  finish(exitCode: number): Span[] {
    const { command, context } = this.#parts
    const [traceId, endMs] = [this.#traceId, this.#now()]
    return [
      {
        ...{ traceId, spanId: this.#spanId, parentId: context?.parentId ?? null },
        ...{ name: command, kind: 'internal', startMs: this.#startMs, endMs, isFailed: exitCode !== 0 },
        attributes: {
          'partner.command': command,
          'partner.exit_code': exitCode,
          ...(this.#dropped > 0 ? { 'partner.dropped_requests': this.#dropped } : {}),
        },
      },
      ...this.#requests.map((request) => spanOf(request, { traceId, parentId: this.#spanId, endMs })),
    ]
  }

  /** Returns the current time, which never decreases during a run, even if the system clock is set back. */
  #now(): number {
    return this.#startMs + (monotonicMs() - this.#beganMs)
  }
}

function spanOf(
  request: TracedRequest,
  { traceId, parentId, endMs }: Pick<Span, 'traceId' | 'parentId' | 'endMs'>,
): Span {
  const { spanId, method, template, startMs, status, attempts } = request
  return {
    ...{ traceId, spanId, parentId, name: `${method} ${template}`, kind: 'client', startMs },
    endMs: request.endMs ?? endMs,
    isFailed: status === null || status >= 400,
    attributes: {
      'http.request.method': method,
      'url.template': template,
      ...(status === null ? {} : { 'http.response.status_code': status }),
      ...(attempts > 1 ? { 'http.request.resend_count': attempts - 1 } : {}),
    },
  }
}

/** Returns a request's method and path template. Leaves out anything that a user typed for `partner api`. */
function namesOf({ id, method }: Endpoint): Pick<TracedRequest, 'method' | 'template'> {
  const template = Object.hasOwn(ENDPOINTS, id) ? ENDPOINTS[id as keyof typeof ENDPOINTS].path : UNKNOWN_PATH
  return { method: METHODS.has(method) ? method : '_OTHER', template }
}
