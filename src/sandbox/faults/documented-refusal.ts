import { isJsonObject, type JsonObject, type JsonValue, numberText, parseExactOrNull } from '../../base/json/exact.ts'
import { type DocumentedFailure, fillMessage } from '../../contract/endpoint.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import type { Routed } from '../app/request.ts'
import type { PlaceholderValues } from '../endpoints/refusals.ts'

/**
 * Returns the documented failure with this status and, if given, this message, or `null` if no failure matches. Fills
 * in the placeholders and prefers a failure whose placeholders all have values.
 */
export function documentedRefusal(routed: Routed, status: number, message?: string): DocumentedFailure | null {
  const all = [...Object.values(routed.endpoint.failures), ...Object.values(COMMON_FAILURES)]
  const fitting = all.filter((one) => one.status === status && (message === undefined || one.message === message))
  const values = placeholderValues(routed)
  const isWhole = (one: DocumentedFailure) => !PLACEHOLDER.test(fillMessage(one, values))
  const chosen = fitting.find(isWhole) ?? fitting[0]
  return chosen ? { ...chosen, message: withoutPlaceholders(fillMessage(chosen, values)) } : null
}

const PLACEHOLDER = /\{\w+\}/

/** Removes placeholders that have no value. For example, `Sale '{saleId}' has` becomes `Sale has`. */
function withoutPlaceholders(text: string): string {
  return text
    .replace(/'\{\w+\}'|\{\w+\}/g, '')
    .replace(/ {2,}/g, ' ')
    .replace(/ (?=[.,]|$)/g, '')
    .trim()
}

function placeholderValues({ parameters, request }: Routed): PlaceholderValues {
  const body = readBody(request.body)
  const origin = isJsonObject(body['origin']) ? body['origin'] : {}
  const tables = Array.isArray(body['tables']) ? body['tables'] : []
  const [first] = tables
  return {
    // The rate limit that a 429 response reports if no limit is configured.
    count: 10,
    window: 1000,
    ...scalars({
      bookingTime: body['bookingTimeAsUtc'] ?? body['time'],
      ...(isJsonObject(first) ? first : { table: first }),
      ...origin,
      ...body,
      tables: tables.every((one) => typeof one === 'string') ? tables.join(', ') : undefined,
    }),
    ...parameters,
  }
}

function readBody(bytes: Uint8Array | null): JsonObject {
  const body = parseExactOrNull(Buffer.from(bytes ?? []).toString('utf8'))
  return isJsonObject(body) ? body : {}
}

function scalars(members: Readonly<Record<string, JsonValue | undefined>>): PlaceholderValues {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(members)) {
    const text = typeof value === 'string' ? value : numberText(value)
    if (text !== null && text !== '') texts[name] = text
  }
  return texts
}
