import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../scripts/openapi/document.ts'
import type { HarEntry, OpenApi } from '../../../scripts/openapi/openapi.ts'
import { judgeTraffic, readTraffic } from '../../../scripts/openapi/traffic.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointId } from '../../../src/contract/endpoints.ts'
import { openControl } from '../../../src/sandbox/control/open.ts'
import { SANDBOX_KEYS } from '../../../src/sandbox/credentials.ts'
import { type Sandbox, startSandbox } from '../../../src/studio/start.ts'
import { everyCommand } from '../../hostile/every-command.ts'
import { goodCall, perform } from '../../sandbox/endpoints/good-calls.ts'
import { senderTo } from '../../sandbox/fresh-sandbox.ts'
import { freshHome, runPartner } from '../../support/partner.ts'

const document = openApiDocument() as unknown as OpenApi

const kept = process.env['PARTNER_SANDBOX_HAR']
const directory = kept ? join(kept, 'every-answer') : mkdtempSync(join(tmpdir(), 'partner-traffic-'))
afterAll(() => {
  if (!kept) rmSync(directory, { recursive: true, force: true })
})

/**
 * Triggers every response that the OpenAPI document describes and runs every command that calls the service. Returns
 * the recorded traffic.
 */
async function record(): Promise<HarEntry[]> {
  const sandbox = await startSandbox({ data: ':memory:', background: true, har: directory })
  try {
    for (const [id, endpoint] of Object.entries(ENDPOINTS) as [EndpointId, Endpoint][])
      await requestEachStatus(id, endpoint, sandbox)
    await runCommands(sandbox)
  } finally {
    await sandbox.close()
  }
  return [...readTraffic(directory)]
}

async function requestEachStatus(id: EndpointId, endpoint: Endpoint, sandbox: Sandbox): Promise<void> {
  const send = senderTo(sandbox)
  const control = await openControl({ baseUrl: sandbox.baseUrl })
  const refused =
    endpoint.auth === 'api-key' ? { 'x-api-key': SANDBOX_KEYS.unknownApp } : { [sandbox.signatureHeader]: '0' }
  const headers: Readonly<Record<number, Readonly<Record<string, string>>>> = {
    400: refused,
    401: { 'x-api-key': 'nobody' },
    415: { 'content-type': 'text/plain' },
  }
  const { responses = {} } = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()] ?? {}
  for (const status of Object.keys(responses).map(Number)) {
    const call = await goodCall(id, send)
    // Inject a fault for each status that no request can provoke.
    const isFault = status >= 400 && headers[status] === undefined
    if (isFault)
      await control.addFault({
        endpoint: `${endpoint.method} ${endpoint.path}`,
        effect: { kind: 'status', status },
        next: 1,
      })
    const reply = await perform(send, sandbox, endpoint, call, headers[status])
    expect(reply.status, `${id}: ${reply.text.slice(0, 200)}`).toBe(status)
  }
}

/** Commands that are not run here, because they do not call the service or do not exit by themselves. */
const ELSEWHERE = /^(sandbox|webhooks (apply|gaps|inbox|listen|replay|torture|trigger|work))\b/

async function runCommands({ baseUrl, apiKey, signingSecret, signatureHeader, partnerName, locationId }: Sandbox) {
  const env = {
    ...freshHome(),
    PARTNER_BASE_URL: baseUrl,
    PARTNER_API_KEY: apiKey,
    PARTNER_SIGNING_SECRET: signingSecret,
    PARTNER_SIGNATURE_HEADER: signatureHeader,
    PARTNER_NAME: partnerName,
    PARTNER_LOCATION_ID: locationId,
    PARTNER_TIMEZONE: 'Australia/Sydney',
    HOOK_KEY: 'hook-key-4711',
    HOOK_TOKEN: 'hook-token-4711',
  }
  for (const { id, args, flags } of everyCommand())
    if (flags.has('har') && !ELSEWHERE.test(id))
      await runPartner(args, { env, cwd: env.PARTNER_DATA_DIR.replace(/data$/, '') })
}

const judged = (entries: Iterable<HarEntry>, by: OpenApi = document) => judgeTraffic(by, entries)

test("the sandbox's traffic matches the OpenAPI document and contains every documented response", async () => {
  const { differences, unseen, counts } = judged(await record())
  expect(differences).toEqual([])
  expect(unseen).toEqual([])
  expect(counts.entries - counts.struck).toBeGreaterThan(100)
})

const BODY = { type: 'application/json; charset=utf-8' }
const SPENT = { amountRedeemed: 1.5, status: 'Active', isSuccess: true, errorMessage: null }
const CARD = { cardNumber: 'GIFT1-00000100-AAAA', ...SPENT }

interface Made {
  readonly method?: string
  readonly path?: string
  readonly headers?: readonly string[]
  readonly sent?: unknown
  readonly status?: number
  readonly answer?: unknown
  readonly faults?: readonly number[]
}

/** Returns a recorded redemption that matches the OpenAPI document, except for the given changes. */
function entry(made: Made = {}): HarEntry {
  const { method = 'POST', path = '/GiftCards/redeem', headers = ['x-api-key'], status = 200, answer = CARD } = made
  const { sent = { cardNumber: CARD.cardNumber, amount: 1.5 }, faults = [] } = made
  return {
    request: {
      method,
      url: `http://127.0.0.1:4321${path}`,
      headers: headers.map((name) => ({ name, value: '••••' })),
      ...(method === 'GET' ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    response: { status, content: { mimeType: BODY.type, text: JSON.stringify(answer) } },
    _faults: faults,
  }
}

const without = (name: string) => Object.fromEntries(Object.entries(CARD).filter(([member]) => member !== name))
const RANGE = '?StartDate=2026-01-01T00:00:00.000Z&EndDate=2026-01-02T00:00:00.000Z'
const PAGE = { from: 0, to: 0, length: 0, items: [] }
const sales = (query: string): Made => ({ method: 'GET', path: `/Sales${query}`, answer: PAGE })

describe('judgeTraffic with recorded traffic', () => {
  test('judgeTraffic reports nothing if the traffic matches the OpenAPI document', () => {
    expect(judged([entry()])).toMatchObject({ differences: [], seen: new Set(['giftcards.redeem 200']) })
    expect(judged([entry(sales(RANGE))]).differences).toEqual([])
  })

  test.each<[string, Made, RegExp]>([
    ['a renamed member', { answer: { ...without('isSuccess'), success: true } }, /required property 'isSuccess'/],
    ['a renamed optional member', { answer: { ...without('errorMessage'), error: null } }, /\(error\)/],
    ['a missing member', { answer: without('status') }, /required property 'status'/],
    ['a new member', { answer: { ...CARD, tip: 1 } }, /\(tip\)/],
    ['a member of the wrong type', { answer: { ...CARD, amountRedeemed: '1.50' } }, /amountRedeemed must be number/],
    ['an unexpected null', { answer: { ...CARD, status: null } }, /status must be string/],
    ['an unlisted value', { answer: { ...CARD, status: 'Spent' } }, /status must be equal to one of/],
    ['a value in the wrong format', { answer: { ...CARD, cardNumber: 'GIFT1' } }, /cardNumber must match pattern/],
    ['an unknown status', { status: 202 }, /does not list this status/],
    ['an error without its message', { status: 404, answer: { error: 'no' } }, /required property 'message'/],
    ['an unknown path', { path: '/GiftCards/refund' }, /no such operation/],
    ['an unknown method', { method: 'PUT' }, /no such operation/],
    ['a request without its key', { headers: [] }, /no x-api-key/],
    ['a request with a renamed member', { sent: { card: 'x', amount: 1 } }, /request body: .*'cardNumber'/],
    [
      'a request with a member of the wrong type',
      { sent: { cardNumber: CARD.cardNumber, amount: '1' } },
      /amount must be number/,
    ],
    ['a missing body', { answer: null }, /must be object/],
    ['a renamed parameter', sales(RANGE.replace('StartDate', 'From')), /StartDate: is missing/],
    ['a parameter of the wrong type', sales(`${RANGE}&Limit=many`), /Limit: .*integer/],
  ])('judgeTraffic reports %s', (_what, made, says) => {
    const { differences, seen } = judged([entry(made)])
    expect(differences.join('\n')).toMatch(says)
    expect(seen.size).toBe(0)
  })

  test('judgeTraffic reports traffic that does not match a changed OpenAPI document', () => {
    const changed = structuredClone(document) as { components: { schemas: Record<string, { properties: object }> } }
    const { RedeemResult } = changed.components.schemas
    if (RedeemResult) RedeemResult.properties = { ...RedeemResult.properties, amountRedeemed: { type: 'string' } }
    expect(judged([entry()], changed as unknown as OpenApi).differences).toHaveLength(1)
  })
})

test('judgeTraffic ignores responses that were changed by a fault', () => {
  const { differences, seen, counts } = judged([entry({ faults: [1], answer: { half: true } }), entry({ faults: [2] })])
  expect({ differences, seen: [...seen] }).toEqual({ differences: [], seen: ['giftcards.redeem 200'] })
  expect(counts).toEqual({ entries: 2, struck: 2 })
})

test('judgeTraffic accepts an invalid request or an unknown path if the sandbox rejects it', () => {
  const refused = entry({ sent: { nonsense: true }, status: 400, answer: { message: 'cardNumber is required' } })
  expect(judged([refused]).differences).toEqual([])
  const nowhere = entry({ path: '/Nope', status: 404, answer: { message: 'No endpoint has the path /Nope' } })
  expect(judged([nowhere]).differences).toEqual([])
})
