import type { EndpointId } from '../../../src/contract/endpoints.ts'
import { Difference, type ExpectedResponse, malformed, respond } from './expected-response.ts'
import { ANYTHING, difference } from './pattern.ts'
import {
  KEYS,
  type KeyName,
  PARTNER,
  rejectKey,
  rejectOverLimit,
  rejectSignature,
  type SignatureKind,
  signatureOf,
} from './rules/callers.ts'
import { RULES } from './rules/endpoints.ts'
import { cloneModel, type Model } from './state.ts'
import type { Reply, WireRequest } from './wire.ts'

/** A request to an endpoint. The body can contain `JSON.rawJSON`, which determines the digits of a number. */
export interface ApiRequest {
  readonly endpoint: EndpointId
  readonly parameters?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

export interface SendMode {
  readonly key: KeyName
  readonly signed: SignatureKind
  /**
   * The flaw in the body. `type` means a wrong Content-Type, `broken` means invalid JSON, `empty` means no body, and
   * `list` means an array instead of an object. Ignored if the request has no body.
   */
  readonly flaw: 'none' | 'type' | 'broken' | 'empty' | 'list'
}

export const VALID: SendMode = { key: 'good', signed: 'right', flaw: 'none' }

export function buildRequest(
  { endpoint, parameters = {}, query, body }: ApiRequest,
  mode: SendMode,
  origin: string,
): WireRequest {
  const { method, path, isSigned } = RULES[endpoint]
  const partnerName = mode.signed === 'otherPartner' ? 'somebody-else' : PARTNER.name
  const values: Readonly<Record<string, string>> = { partnerName, ...parameters }
  const filled = path.replace(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(values[name] ?? ''))
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
  const text = body === undefined ? null : textOf(body, mode)
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['content-type'] = mode.flaw === 'type' ? 'text/plain' : 'application/json'
  const key = isSigned ? null : KEYS[mode.key]
  if (key !== null) headers['x-api-key'] = key
  const signature = isSigned ? signatureOf(mode.signed, text ?? '', origin + filled + search) : null
  if (signature !== null) headers[PARTNER.header] = signature
  return { method, path: filled + search, headers, body: text }
}

function textOf(body: unknown, { flaw }: SendMode): string {
  if (flaw === 'empty') return ''
  if (flaw === 'list') return '[]'
  const text = JSON.stringify(body)
  return flaw === 'broken' ? text.slice(0, -1) : text
}

/** Compares a response with the one that the model expects, and updates the model. Throws Difference if they differ. */
export function checkReply(
  model: Model,
  apiRequest: ApiRequest,
  mode: SendMode,
  httpRequest: WireRequest,
  reply: Reply,
): void {
  const expected = expectResponse(model, apiRequest, mode, httpRequest, reply)
  const found =
    expected.status === reply.status
      ? expected.body === undefined
        ? reply.text === ''
          ? null
          : `the body should be empty, but is ${reply.text}`
        : difference(expected.body, reply.body)
      : `the status should be ${expected.status} ${JSON.stringify(expected.body)?.slice(0, 200)}, but is ${reply.status} ${reply.text.slice(0, 300)}`
  if (found) throw new Difference(`${httpRequest.method} ${httpRequest.path}: ${found}`)
}

/**
 * Returns the expected response. The model assumes that the service checks the caller first, then the form of the
 * request, and then the rule for the endpoint.
 */
function expectResponse(
  model: Model,
  apiRequest: ApiRequest,
  mode: SendMode,
  httpRequest: WireRequest,
  reply: Reply,
): ExpectedResponse {
  const { rule, isSigned } = RULES[apiRequest.endpoint]
  const refused =
    rejectOverLimit(model, apiRequest.endpoint, isSigned ? '' : (KEYS[mode.key] ?? '')) ??
    (isSigned ? rejectSignature(mode.signed, httpRequest.body) : rejectKey(mode.key, apiRequest.endpoint)) ??
    rejectFlaw(apiRequest, mode)
  if (refused) return refused
  const text = httpRequest.body === null || mode.flaw === 'list' ? '{}' : httpRequest.body
  const digits: Record<string, string> = {}
  const body: unknown = JSON.parse(text, (name, value, { source }) => {
    if (typeof value === 'number' && source !== undefined) digits[name] = source
    return value
  })
  return rule({
    model,
    parameters: apiRequest.parameters ?? {},
    query: new URLSearchParams(apiRequest.query),
    body,
    digits,
    reply,
  })
}

function rejectFlaw({ body, endpoint }: ApiRequest, { flaw }: SendMode): ExpectedResponse | null {
  if (body === undefined || flaw === 'none') return null
  // The specification says "Requests with a body require Content-Type: application/json". The status 415 is an
  // assumption.
  if (flaw === 'type') return respond(415, { message: ANYTHING })
  // The partner decides what an event contains, so the service accepts any JSON.
  return flaw === 'list' && endpoint === 'inbound.event' ? null : malformed()
}

export interface Exchange {
  readonly apiRequest: ApiRequest
  readonly mode: SendMode
  readonly httpRequest: WireRequest
  readonly reply: Reply
}

/**
 * Checks the responses to simultaneous requests. Throws Difference unless the model expects these responses for at
 * least one order of the requests.
 */
export function checkAnyOrder(model: Model, exchanges: readonly Exchange[]): void {
  let first: unknown
  for (const order of ordersOf(exchanges)) {
    const trial = cloneModel(model)
    try {
      for (const { apiRequest, mode, httpRequest, reply } of order)
        checkReply(trial, apiRequest, mode, httpRequest, reply)
      Object.assign(model, trial)
      return
    } catch (error) {
      first ??= error
    }
  }
  throw new Difference(
    `no order of the ${exchanges.length} simultaneous requests explains their responses: ${String(first)}`,
  )
}

function ordersOf<T>(list: readonly T[]): T[][] {
  if (list.length <= 1) return [[...list]]
  return list.flatMap((one, at) => ordersOf(list.toSpliced(at, 1)).map((rest) => [one, ...rest]))
}
