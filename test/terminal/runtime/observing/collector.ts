import { expect } from 'vitest'
import { type Act, answers, startRawServer } from '../../../support/raw-server.ts'

/** A span, with its attributes as plain values. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Readonly<Record<string, string>>
  readonly status: { readonly code?: number }
}

/** Starts an OpenTelemetry collector that records the spans that it receives. */
export async function startCollector(act: Act = answers(200, {})) {
  const server = await startRawServer([act])
  return {
    server,
    url: server.baseUrl,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: server.baseUrl },
    requests: server.requests,
    /** Returns the spans in each request. Fails if a request is not valid OTLP/JSON. */
    traces: () => server.requests.map(({ body }) => spansIn(body)),
    /** Expects a single export request. Returns the command's span (`root`) and the spans of its requests. */
    trace: () => {
      expect(server.requests).toHaveLength(1)
      const [root, ...requests] = spansIn(server.requests[0]?.body ?? '')
      if (root === undefined) throw new Error('the collector received no spans')
      return { root, requests }
    },
  }
}

/**
 * Checks the JSON of an `ExportTraceServiceRequest`. Returns its spans. IDs are lower-case hexadecimal, times and
 * integers are decimal strings, enums are numbers, and names are in camel case.
 */
export function spansIn(text: string): ReceivedSpan[] {
  const { resourceSpans, ...others } = JSON.parse(text)
  expect(others).toEqual({})
  expect(resourceSpans).toHaveLength(1)
  const [{ resource, scopeSpans, ...more }] = resourceSpans
  expect(more).toEqual({})
  plainAttributes(resource.attributes)
  expect(scopeSpans).toEqual([
    { scope: { name: 'partner', version: expect.stringMatching(/^\d+\.\d+\.\d+/) }, spans: expect.any(Array) },
  ])
  return scopeSpans[0].spans.map((span: Record<string, unknown>) => {
    expect(span).toEqual({
      traceId: expect.stringMatching(/^(?!0+$)[\da-f]{32}$/),
      spanId: expect.stringMatching(/^(?!0+$)[\da-f]{16}$/),
      ...('parentSpanId' in span ? { parentSpanId: expect.stringMatching(/^(?!0+$)[\da-f]{16}$/) } : {}),
      name: expect.any(String),
      kind: expect.any(Number),
      startTimeUnixNano: expect.stringMatching(/^1[5-9]\d{17}$|^2\d{18}$/),
      endTimeUnixNano: expect.stringMatching(/^1[5-9]\d{17}$|^2\d{18}$/),
      attributes: expect.any(Array),
      status: expect.toSatisfy((status) => ['{}', '{"code":2}'].includes(JSON.stringify(status))),
    })
    expect(BigInt(span['startTimeUnixNano'] as string)).toBeLessThanOrEqual(BigInt(span['endTimeUnixNano'] as string))
    return { ...span, attributes: plainAttributes(span['attributes']) }
  }) as ReceivedSpan[]
}

/** Returns the resource attributes in a request body. */
export function resourceIn(text: string): Record<string, string> {
  return plainAttributes(JSON.parse(text).resourceSpans[0].resource.attributes)
}

function plainAttributes(attributes: unknown): Record<string, string> {
  const list = attributes as { key: string; value: { stringValue?: string; intValue?: string } }[]
  for (const { value } of list) {
    expect(Object.keys(value)).toHaveLength(1)
    expect(value.intValue ?? '0').toMatch(/^-?\d+$/)
  }
  return Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']))
}
