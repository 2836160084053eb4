import type { Environment } from '../../../http/proxy-choice.ts'

/** The destination of spans, from OpenTelemetry's standard variables. */
export interface TraceTarget {
  readonly url: URL
  /** Additional headers, which may contain credentials. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Attributes
}

export type Attributes = Readonly<Record<string, string | number>>

/** A span, with times in milliseconds since 1970. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly name: string
  readonly kind: keyof typeof KINDS
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly isFailed: boolean
}

const KINDS = { internal: 1, client: 3 } as const
const STATUS_ERROR = 2

/** The variables that set the destination of spans. The first one that is set is used. */
export const TRACE_VARIABLES = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const

/**
 * Reads the destination of spans. Returns `null` if tracing is disabled, or if the address cannot be used. Never
 * throws.
 */
export function readTraceTarget(env: Environment): TraceTarget | null {
  const isDisabled = /^true$/i.test(env['OTEL_SDK_DISABLED'] ?? '')
  const exporters = (env['OTEL_TRACES_EXPORTER'] || 'otlp').split(',').map((name) => name.trim())
  if (isDisabled || !exporters.includes('otlp')) return null
  const [own, base] = TRACE_VARIABLES.map((name) => env[name])
  const url = URL.parse(own || (base ?? ''))
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  if (!own) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`
  const headers = {
    ...pairsIn(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
    ...pairsIn(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
  }
  const resource = pairsIn(env, 'OTEL_RESOURCE_ATTRIBUTES')
  const name = env['OTEL_SERVICE_NAME'] || resource['service.name'] || 'partner'
  return {
    url,
    headers: Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value])),
    resource: { ...resource, 'service.name': name },
  }
}

/** Parses `name=value,…`, with percent-encoded values. Ignores malformed pairs. */
function pairsIn(env: Environment, variable: string): Record<string, string> {
  const pairs = (env[variable] ?? '').split(',').flatMap((pair) => {
    const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    try {
      return name === '' ? [] : [[name, decodeURIComponent(value)] as const]
    } catch {
      return []
    }
  })
  return Object.fromEntries(pairs)
}

/** Encodes spans as the JSON of an `ExportTraceServiceRequest`. Source: OTLP 1.x, "JSON Protobuf Encoding". */
export function encodeSpans(spans: readonly Span[], resource: Attributes, version: string): string {
  const scope = { name: 'partner', version }
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes({ ...resource, 'service.version': version }) },
        scopeSpans: [{ scope, spans: spans.map(encodeSpan) }],
      },
    ],
  })
}

function encodeSpan({ traceId, spanId, parentId, name, kind, startMs, endMs, attributes, isFailed }: Span) {
  return {
    ...{ traceId, spanId, ...(parentId === null ? {} : { parentSpanId: parentId }), name, kind: KINDS[kind] },
    ...{ startTimeUnixNano: toNanoseconds(startMs), endTimeUnixNano: toNanoseconds(endMs) },
    attributes: encodeAttributes(attributes),
    status: isFailed ? { code: STATUS_ERROR } : {},
  }
}

/** Encodes attributes. Protobuf's JSON format represents 64-bit numbers as strings. */
function encodeAttributes(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
}

/** Converts a time to nanoseconds, rounded to whole microseconds, as a decimal string. */
function toNanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n)
}
