import type { EndpointId } from '../../../src/contract/endpoints.ts'
import { type Answer, answer, Difference, malformed } from './answer.ts'
import { ANYTHING, difference } from './pattern.ts'
import {
  KEYS,
  type KeyName,
  PARTNER,
  refuseKey,
  refuseSignature,
  refuseTooMany,
  type SignedHow,
  signatureOf,
} from './rules/callers.ts'
import { RULES } from './rules/endpoints.ts'
import { cloneModel, type Model } from './state.ts'
import type { Asked, Reply } from './wire.ts'

/** A request to an endpoint. `JSON.rawJSON` determines the digits of the numbers in its body. */
export interface Want {
  readonly endpoint: EndpointId
  readonly parameters?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

export interface How {
  readonly key: KeyName
  readonly signed: SignedHow
  /**
   * A flaw of the body: `type` is a wrong Content-Type, `broken` is invalid JSON, `empty` is no body, and `list` is an
   * array instead of an object. Ignored if the request has no body.
   */
  readonly flaw: 'none' | 'type' | 'broken' | 'empty' | 'list'
}

export const RIGHT: How = { key: 'good', signed: 'right', flaw: 'none' }

export function ask({ endpoint, parameters = {}, query, body }: Want, how: How, origin: string): Asked {
  const { method, path, isSigned } = RULES[endpoint]
  const partnerName = how.signed === 'otherPartner' ? 'somebody-else' : PARTNER.name
  const values: Readonly<Record<string, string>> = { partnerName, ...parameters }
  const filled = path.replace(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(values[name] ?? ''))
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
  const text = body === undefined ? null : textOf(body, how)
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['content-type'] = how.flaw === 'type' ? 'text/plain' : 'application/json'
  const key = isSigned ? null : KEYS[how.key]
  if (key !== null) headers['x-api-key'] = key
  const signature = isSigned ? signatureOf(how.signed, text ?? '', origin + filled + search) : null
  if (signature !== null) headers[PARTNER.header] = signature
  return { method, path: filled + search, headers, body: text }
}

function textOf(body: unknown, { flaw }: How): string {
  if (flaw === 'empty') return ''
  if (flaw === 'list') return '[]'
  const text = JSON.stringify(body)
  return flaw === 'broken' ? text.slice(0, -1) : text
}

/** Compares a response with the one that the model expects, and updates the model. Fails: Difference. */
export function hold(model: Model, want: Want, how: How, asked: Asked, reply: Reply): void {
  const expected = answerTo(model, want, how, asked, reply)
  const found =
    expected.status === reply.status
      ? expected.body === undefined
        ? reply.text === ''
          ? null
          : `the body should be empty, but is ${reply.text}`
        : difference(expected.body, reply.body)
      : `the status should be ${expected.status} ${JSON.stringify(expected.body)?.slice(0, 200)}, but is ${reply.status} ${reply.text.slice(0, 300)}`
  if (found) throw new Difference(`${asked.method} ${asked.path}: ${found}`)
}

/**
 * Returns the expected response. The service first checks the caller, then the form of the request, then the rule of
 * the endpoint. Assumed: this order.
 */
function answerTo(model: Model, want: Want, how: How, asked: Asked, reply: Reply): Answer {
  const { rule, isSigned } = RULES[want.endpoint]
  const refused =
    refuseTooMany(model, want.endpoint, isSigned ? '' : (KEYS[how.key] ?? '')) ??
    (isSigned ? refuseSignature(how.signed, asked.body) : refuseKey(how.key, want.endpoint)) ??
    refuseFlaw(want, how)
  if (refused) return refused
  const text = asked.body === null || how.flaw === 'list' ? '{}' : asked.body
  const digits: Record<string, string> = {}
  const body: unknown = JSON.parse(text, (name, value, { source }) => {
    if (typeof value === 'number' && source !== undefined) digits[name] = source
    return value
  })
  return rule({ model, parameters: want.parameters ?? {}, query: new URLSearchParams(want.query), body, digits, reply })
}

function refuseFlaw({ body, endpoint }: Want, { flaw }: How): Answer | null {
  if (body === undefined || flaw === 'none') return null
  // "Requests with a body require Content-Type: application/json." Assumed: 415.
  if (flaw === 'type') return answer(415, { message: ANYTHING })
  // The partner defines the payload of an event, so any JSON is accepted.
  return flaw === 'list' && endpoint === 'inbound.event' ? null : malformed()
}

export interface Exchange {
  readonly want: Want
  readonly how: How
  readonly asked: Asked
  readonly reply: Reply
}

/**
 * Checks the responses to simultaneous requests: some order in which the service could have processed them must explain
 * all of them. Fails: Difference.
 */
export function holdAnyOrder(model: Model, exchanges: readonly Exchange[]): void {
  let first: unknown
  for (const order of ordersOf(exchanges)) {
    const trial = cloneModel(model)
    try {
      for (const { want, how, asked, reply } of order) hold(trial, want, how, asked, reply)
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
