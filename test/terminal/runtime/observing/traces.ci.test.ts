import { describe, expect, test } from 'vitest'
import { listBookings } from '../../../../src/contract/bookings/booking.ts'
import { Tracer } from '../../../../src/terminal/runtime/observing/tracer.ts'
import { freshHome, runPartner } from '../../../support/partner.ts'
import { type Act, answers, hangs, RAW_KEY, resets, startRawServer } from '../../../support/raw-server.ts'
import { startPartner } from '../../../support/running.ts'
import { until } from '../../../support/until.ts'
import { words } from '../../../support/words.ts'
import { resourceIn, startCollector } from './collector.ts'
import { BAD_MONITORS, expectSame, HANGING_MONITORS, openPlace, SINCE } from './unattended.ts'

const BOOKING = { bookingId: 'BK-1', status: { code: 'CONFIRMED', name: 'Confirmed' }, people: 2 }
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const GET = 'bookings get BK-1 --json'

async function service(...acts: readonly Act[]) {
  const server = await startRawServer(acts.length > 0 ? acts : [answers(200, BOOKING)])
  return { server, env: { ...freshHome(), ...server.env } }
}

/** Runs a command that uses a service and sends spans to a collector. */
async function traced(line: string | readonly string[], acts: readonly Act[] = [], more = {}) {
  const [collector, { server, env }] = [await startCollector(), await service(...acts)]
  const run = await runPartner(line, { env: { ...env, ...collector.env, ...more } })
  return { run, collector, server }
}

describe('spans sent by a command', () => {
  test('a command sends its own span, with a child span for its request, to OTEL_EXPORTER_OTLP_ENDPOINT/v1/traces', async () => {
    const { run, collector } = await traced(GET)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(collector.requests).toMatchObject([
      { method: 'POST', target: '/v1/traces', headers: { 'content-type': 'application/json' } },
    ])
    const { root, requests } = collector.trace()
    expect(root).toMatchObject({ name: 'bookings get', kind: 1, status: {} })
    expect(root).not.toHaveProperty('parentSpanId')
    expect(root.attributes).toEqual({ 'partner.command': 'bookings get', 'partner.exit_code': '0' })
    const child = { traceId: root.traceId, parentSpanId: root.spanId, kind: 3, status: {} }
    expect(requests).toMatchObject([{ ...child, name: 'GET /Bookings/{id}' }])
    expect(requests[0]?.attributes).toEqual({
      'http.request.method': 'GET',
      'url.template': '/Bookings/{id}',
      'http.response.status_code': '200',
    })
    expect(resourceIn(collector.requests[0]?.body ?? '')).toMatchObject({ 'service.name': 'partner' })
  })

  test("a request's span starts and ends within the command's span", async () => {
    const { root, requests } = (await traced(GET)).collector.trace()
    const [begin, end] = [BigInt(root.startTimeUnixNano), BigInt(root.endTimeUnixNano)]
    for (const { startTimeUnixNano, endTimeUnixNano } of requests) {
      expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(begin)
      expect(BigInt(endTimeUnixNano)).toBeLessThanOrEqual(end)
    }
  })

  test('a retried request has a single span, which contains the number of retries', async () => {
    const acts = [answers(503), resets, answers(200, BOOKING)]
    const { run, collector } = await traced(GET, acts)
    expect(run.code).toBe(0)
    const [request, ...others] = collector.trace().requests
    expect(others).toEqual([])
    expect(request?.status).toEqual({})
    expect(request?.attributes).toMatchObject({
      'http.response.status_code': '200',
      'http.request.resend_count': '2',
    })
  })

  test.each([
    ['the service rejects the key', answers(401, { message: 'Wrong key of Ada Ng' }), '401', '4'],
    ['the service fails', answers(500, 'secret stack'), '500', '8'],
    ['no response arrives', resets, undefined, '8'],
  ])('if %s, the spans have the status error, but no message', async (_what, act, status, code) => {
    const { run, collector } = await traced(`${GET} --retries 0`, [act])
    expect(String(run.code)).toBe(code)
    const { root, requests } = collector.trace()
    expect([root.status, ...requests.map((request) => request.status)]).toEqual([{ code: 2 }, { code: 2 }])
    expect(root.attributes['partner.exit_code']).toBe(code)
    expect(requests[0]?.attributes['http.response.status_code']).toBe(status)
    expect(collector.requests[0]?.body).not.toMatch(/Ada|secret|message/)
  })

  test('after a usage error, a span is sent for the command but none for requests', async () => {
    const { collector } = await traced('bookings get')
    expect(collector.trace()).toMatchObject({
      root: { name: 'bookings get', status: { code: 2 }, attributes: { 'partner.exit_code': '2' } },
      requests: [],
    })
    const unknown = (await traced('bookings gte secret-word')).collector
    expect(unknown.trace().root).toMatchObject({ name: 'partner', attributes: { 'partner.command': 'partner' } })
    expect(unknown.requests[0]?.body).not.toContain('secret-word')
  })

  test.each([
    ['bookings get BK-SECRET', 'GET /Bookings/{id}'],
    ['bookings update-pax BK-SECRET 3', 'PATCH /Bookings/{bookingId}/updatepax'],
    ['giftcards get SECRE-SECRET00-SECR', 'GET /GiftCards/{cardNumber}'],
    ['customers list --search secret --param x=secret', 'GET /Customers'],
    ['api GET /Bookings/SECRET?note=secret', 'GET /Bookings/{id}'],
    ['api POST /Secret/secret --data {"name":"secret"} --header x-secret:secret', 'POST /{unknown}'],
    ['api SECRET /Bookings', '_OTHER /{unknown}'],
  ])('partner %s sends no ID, value or text of the request to the collector', async (line, name) => {
    const { collector } = await traced(line, [answers(200, { items: [], bookings: [], note: 'secret' })])
    const { requests } = collector.trace()
    expect(requests.map((request) => request.name)).toContain(name)
    const { body, headers } = collector.requests[0] ?? {}
    expect(`${body}${JSON.stringify(headers)}`).not.toMatch(/secret/i)
    expect(body).not.toContain(RAW_KEY)
  })

  test('a command that is stopped sends its span with exit code 130', async () => {
    const [collector, { server, env }] = [await startCollector(), await service(hangs)]
    const running = startPartner(words(GET), { env: { ...env, ...collector.env } })
    await until(() => server.requests.length === 1)
    running.process.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 130 })
    const { root, requests } = collector.trace()
    expect(root.attributes['partner.exit_code']).toBe('130')
    expect(requests).toMatchObject([{ name: 'GET /Bookings/{id}', status: { code: 2 } }])
  })

  test('with --every, each run has its own trace', async () => {
    const [collector, { env }] = [await startCollector(), await service(answers(200, { bookings: [] }))]
    const args = words(`bookings sync --to - --every 1s ${SINCE.replace(/\S+$/, '-1h')}`)
    const running = startPartner(args, { env: { ...env, ...collector.env } })
    await until(() => collector.requests.length === 2)
    running.process.kill('SIGTERM')
    await running.ended
    const traces = collector.traces()
    expect(traces.slice(0, 2)).toMatchObject(Array(2).fill([{ name: 'bookings sync' }, { name: 'GET /Bookings' }]))
    expect(new Set(traces.map(([root]) => root?.traceId)).size).toBe(traces.length)
  })

  test('a run keeps the spans of its first 1,000 requests and only counts the others', async () => {
    const collector = await startCollector()
    const target = { url: new URL(collector.url), headers: {}, resource: { 'service.name': 'partner' } }
    const parts = { command: 'sales import', context: null, target, tellsService: false }
    const tracer = new Tracer({ ...parts, version: '1.0.0', env: {}, now: Date.now })
    tracer.begin()
    for (let count = 0; count < 1234; count++) tracer.traceRequest(listBookings).end(200, 1)
    tracer.end(0)
    await tracer.settle(false)
    const { root, requests } = collector.trace()
    expect(requests).toHaveLength(1000)
    expect(root.attributes['partner.dropped_requests']).toBe('234')
  })
})

describe('TRACEPARENT', () => {
  test('a command continues the trace in a valid TRACEPARENT', async () => {
    const { collector } = await traced(GET, [], { TRACEPARENT: `00-${TRACE}-${PARENT}-01` })
    const { root, requests } = collector.trace()
    expect(root).toMatchObject({ traceId: TRACE, parentSpanId: PARENT })
    expect(requests).toMatchObject([{ traceId: TRACE, parentSpanId: root.spanId }])
  })

  test('a command continues the trace in a TRACEPARENT that uses a later version of the format', async () => {
    const { collector } = await traced(GET, [], { TRACEPARENT: `cc-${TRACE}-${PARENT}-01-what-comes-later` })
    expect(collector.trace().root).toMatchObject({ traceId: TRACE, parentSpanId: PARENT })
  })

  test.each([
    '',
    'hello',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${PARENT}-01`,
  ])('an invalid TRACEPARENT is ignored: %j', async (TRACEPARENT) => {
    const { run, collector } = await traced(GET, [], { TRACEPARENT })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const { root } = collector.trace()
    expect(root).not.toHaveProperty('parentSpanId')
    expect(root.traceId).not.toBe(TRACE)
  })

  test('no spans are sent if TRACEPARENT marks the trace as not sampled', async () => {
    const { run, collector } = await traced(GET, [], { TRACEPARENT: `00-${TRACE}-${PARENT}-00` })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(collector.requests).toEqual([])
  })
})

describe('OpenTelemetry variables', () => {
  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '/otlp/', '/otlp/v1/traces'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', '/own/path', '/own/path'],
  ])('%s with the path %s sends spans to %s', async (variable, path, target) => {
    const [collector, { env }] = [await startCollector(), await service()]
    const away = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
    await runPartner(GET, { env: { ...env, ...away, [variable]: collector.url + path } })
    expect(collector.requests.map((request) => request.target)).toEqual([target])
  })

  test('OpenTelemetry variables set the headers, the service name and the resource attributes', async () => {
    const { collector } = await traced(GET, [], {
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abc, x-tenant=one,malformed,x-bad=%zz',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=two',
      OTEL_SERVICE_NAME: 'night-sync',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment=prod',
    })
    expect(collector.requests[0]?.headers).toMatchObject({ authorization: 'Bearer abc', 'x-tenant': 'two' })
    expect(collector.requests[0]?.headers).not.toHaveProperty('x-bad')
    expect(resourceIn(collector.requests[0]?.body ?? '')).toMatchObject({
      'service.name': 'night-sync',
      'deployment.environment': 'prod',
    })
  })

  test.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }, { OTEL_TRACES_EXPORTER: 'console' }])(
    'no spans are sent with %j',
    async (more) => {
      const { run, collector } = await traced(GET, [], more)
      expect(run).toMatchObject({ code: 0, stderr: '' })
      expect(collector.requests).toEqual([])
    },
  )

  test('partner config shows where spans are sent, without a password', async () => {
    const shown = async (env: Record<string, string>) => {
      const { stdout } = await runPartner('config --json', { env: { ...freshHome(), ...env } })
      return JSON.parse(stdout).find(({ setting }: { setting: string }) => setting === 'tracesUrl')
    }
    expect(await shown({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://a:sesame@collector.example' })).toMatchObject({
      value: 'https://••••@collector.example/v1/traces',
      from: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    })
    expect(await shown({})).toMatchObject({ value: null, from: null })
    expect(await shown({ OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense' })).toMatchObject({ value: null, from: null })
  })
})

describe('--trace-service', () => {
  const header = (server: { requests: readonly { headers: Readonly<Record<string, string>> }[] }) =>
    server.requests.map(({ headers }) => headers['traceparent'])

  test('a request sends its span ID to the service only with --trace-service', async () => {
    const with_ = await traced(`${GET} --trace-service`)
    const { requests } = with_.collector.trace()
    expect(header(with_.server)).toEqual([`00-${requests[0]?.traceId}-${requests[0]?.spanId}-01`])
    const without = await traced(GET, [], { TRACEPARENT: `00-${TRACE}-${PARENT}-01` })
    expect(header(without.server)).toEqual([undefined])
  })

  test('--trace-service works without a collector and continues the trace in TRACEPARENT', async () => {
    const { server, env } = await service()
    await runPartner(`${GET} --trace-service`, { env: { ...env, TRACEPARENT: `00-${TRACE}-${PARENT}-00` } })
    await runPartner(`--trace-service ${GET}`, { env })
    expect(header(server)).toEqual([
      expect.stringMatching(new RegExp(`^00-${TRACE}-(?!${PARENT})[\\da-f]{16}-00$`)),
      expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-00$/),
    ])
  })

  test('a signed request can carry a traceparent header, because the signature does not cover it', async () => {
    const { server, env } = await service(answers(200, { isSuccess: true }))
    const signing = { PARTNER_SIGNING_SECRET: 'k'.repeat(20), PARTNER_NAME: 'pos', PARTNER_SIGNATURE_HEADER: 'X-Sign' }
    const line = 'inbound send /partners/pos/bookings --data {"a":1} --trace-service'
    expect(await runPartner(line, { env: { ...env, ...signing } })).toMatchObject({ code: 0 })
    expect(server.requests[0]?.headers).toMatchObject({ traceparent: expect.any(String), 'x-sign': expect.any(String) })
  })
})

describe('broken collectors', () => {
  const COMMANDS = [
    { id: 'bookings sync', rest: `--to b.ndjson ${SINCE}`, code: 0 },
    { id: 'bookings get', rest: 'BK-1 --json', code: 0 },
    { id: 'sales import', rest: 'sales.ndjson', code: 11 },
    { id: 'bookings get', rest: '--no-such-flag', code: 2 },
  ]

  test.each(COMMANDS)(
    'a broken or hanging collector changes neither the exit code nor the output of partner $id $rest',
    async (given) => {
      const place = await openPlace()
      const expected = await place.run(given, runPartner)
      expect(expected.code, expected.stderr).toBe(given.code)
      const collectors = {
        ...BAD_MONITORS,
        ...HANGING_MONITORS,
        'is not a URL': async () => 'nonsense',
        'has another protocol': async () => 'grpc://127.0.0.1:4317',
      }
      await expectSame(expected, collectors, (OTEL_EXPORTER_OTLP_ENDPOINT) =>
        place.run(given, (args, at) => runPartner(args, { ...at, env: { ...at.env, OTEL_EXPORTER_OTLP_ENDPOINT } })),
      )
    },
  )

  test('the result is printed before spans are sent', async () => {
    const [collector, { env }] = [await startCollector(hangs), await service()]
    const running = startPartner(words(GET), { env: { ...env, ...collector.env } })
    await until(() => collector.requests.length === 1)
    expect(JSON.parse(running.said.stdout)).toMatchObject(BOOKING)
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
  })
})
