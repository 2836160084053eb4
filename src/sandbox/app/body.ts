import { isJsonObject, type JsonObject, type JsonValue, parseExact } from '../../base/json/exact.ts'
import { refuseTooDeep, TooDeepError } from '../../base/json/parse.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { anything } from '../../contract/shapes/scalars.ts'
import type { WireReply, WireRequest } from '../../http/transport.ts'
import { Malformed } from '../endpoints/refusals.ts'
import { messageReply } from './replies.ts'
import type { Call, Service } from './request.ts'

/** A call whose request body has been read and checked. If the endpoint takes no body, `body` is an empty object. */
export type CallWithBody = Call & { readonly body: JsonObject }

/** The maximum nesting depth of a request body. The deepest documented body has fewer than half as many levels. */
const MAX_DEPTH = 64

/**
 * Reads request bodies. Throws Malformed if a body is not JSON, or if the type of a member does not match the contract.
 */
export function withBody(next: Service<CallWithBody, WireReply>): Service<Call, WireReply> {
  return async (call) => {
    const { request, endpoint } = call
    if (!endpoint.body) return next({ ...call, body: {} })
    if (!isJsonType(request.headers['content-type']))
      return messageReply(415, 'The request needs the header Content-Type: application/json.')
    const body = readJson(request)
    if (isJsonObject(body)) {
      await checkTypes(endpoint, body)
      return next({ ...call, body })
    }
    if (endpoint.body === anything) return next({ ...call, body: {} })
    throw new Malformed({ '': ['The request body must be a JSON object.'] })
  }
}

function isJsonType(header: string | undefined): boolean {
  return header?.split(';')[0]?.trim().toLowerCase() === 'application/json'
}

function readJson({ body }: WireRequest): JsonValue {
  if (body === null || body.byteLength === 0) throw new Malformed({ '': ['A non-empty request body is required.'] })
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new Malformed({ '': ['The request body is not valid UTF-8.'] })
  }
  try {
    refuseTooDeep(text, MAX_DEPTH)
    return parseExact(text)
  } catch (error) {
    const why = error instanceof TooDeepError ? `is nested deeper than ${MAX_DEPTH} levels` : 'is not valid JSON'
    throw new Malformed({ '': [`The request body ${why}.`] })
  }
}

type Issue = { readonly code?: string | undefined; readonly path: readonly PropertyKey[]; readonly message: string }

/**
 * The issue codes that Zod uses for wrong types. Missing values, empty values and values that are too small have their
 * own documented messages.
 */
const TYPE_ISSUES = new Set(['invalid_type', 'too_big', 'custom', 'invalid_union'])

/** Loads Zod only when the first request body arrives, because Zod takes longer to load than any other module. */
const loadZod = () => import('zod')
let zod: Awaited<ReturnType<typeof loadZod>> | undefined

/** Throws Malformed if a member of the body has a JSON type that does not match the contract. */
async function checkTypes(endpoint: Endpoint, body: JsonObject): Promise<void> {
  zod ??= await loadZod()
  const result = endpoint.body?.(zod).safeParse(body)
  if (!result || result.success) return
  const complaints: Record<string, string[]> = Object.create(null)
  for (const issue of result.error.issues as readonly Issue[]) {
    if (!TYPE_ISSUES.has(issue.code ?? '') || isMissing(body, issue.path) || isIgnored(body, issue.path)) continue
    const member = issue.path.map(String).join('.')
    const why = issue.code === 'too_big' ? 'it is too large' : 'it has the wrong type'
    complaints[member] = [...(complaints[member] ?? []), `The value of ${member} is not valid: ${why}.`]
  }
  if (Object.keys(complaints).length > 0) throw new Malformed(complaints)
}

/**
 * Whether the service ignores a member. It ignores `time` if `bookingTimeAsUtc` is given. Source: "POST /Reservations".
 */
function isIgnored(body: JsonObject, [member]: readonly PropertyKey[]): boolean {
  return member === 'time' && Boolean(body['bookingTimeAsUtc'])
}

function isMissing(body: JsonObject, path: readonly PropertyKey[]): boolean {
  let value: unknown = body
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return true
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value === null || value === undefined
}
