import type { Endpoint } from '../../contract/endpoint.ts'
import { type JsonObject, type JsonValue, parseExact } from '../../json/exact.ts'
import { type Complaints, Malformed } from '../endpoints/handler.ts'

const MAX_DEPTH = 64

/**
 * Reads a request body as JSON, digit for digit.
 * Fails: Malformed when it is empty, not JSON in UTF-8, or too deep.
 */
export function readJsonBody(bytes: Uint8Array | null): JsonValue {
  if (bytes === null || bytes.byteLength === 0) throw new Malformed({ '': ['A non-empty request body is required.'] })
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Malformed({ '': ['The request body is not valid UTF-8.'] })
  }
  if (isTooDeep(text)) throw new Malformed({ '': [`The request body is nested deeper than ${MAX_DEPTH} levels.`] })
  try {
    return parseExact(text)
  } catch {
    throw new Malformed({ '': ['The request body is not valid JSON.'] })
  }
}

/** Looks at the text, as a parser would already have run out of stack on what this is to keep away. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (inString) {
      if (character === 92) at++
      else if (character === 34) inString = false
    } else if (character === 34) inString = true
    else if (character === 91 || character === 123) {
      if (++depth > MAX_DEPTH) return true
    } else if (character === 93 || character === 125) depth--
  }
  return false
}

type Issue = { readonly code?: string | undefined; readonly path: readonly PropertyKey[]; readonly message: string }

/** Issues that speak of what a value is; what is missing, empty or too small has documented words of its own. */
const TYPE_ISSUES = new Set(['invalid_type', 'too_big', 'custom', 'invalid_union'])

/**
 * Loads what checks bodies. Once a process, at the first body: it is the costliest module of all.
 * Returns a function that throws Malformed when a member that is there has another JSON type than the contract says.
 */
export async function loadTypeCheck(): Promise<(endpoint: Endpoint, body: JsonObject) => void> {
  const zod = await import('zod')
  return (endpoint, body) => {
    if (!endpoint.body) return
    const result = endpoint.body(zod).safeParse(body)
    if (result.success) return
    const complaints: Record<string, string[]> = Object.create(null)
    for (const issue of result.error.issues as readonly Issue[]) {
      if (!TYPE_ISSUES.has(issue.code ?? '') || isMissing(body, issue.path)) continue
      const member = issue.path.map(String).join('.')
      complaints[member] = [
        ...(complaints[member] ?? []),
        `The value of ${member} is not valid${issue.code === 'too_big' ? ': it is too large' : ': it has the wrong type'}.`,
      ]
    }
    if (Object.keys(complaints).length > 0) throw new Malformed(complaints as Complaints)
  }
}

function isMissing(body: JsonObject, path: readonly PropertyKey[]): boolean {
  let value: unknown = body
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return true
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value === null || value === undefined
}
