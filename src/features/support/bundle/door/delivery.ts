import type { JsonObject } from '../../../../base/json/exact.ts'
import { cleanBody } from './body.ts'
import type { Door } from './door.ts'
import { cleanHeaders } from './headers.ts'

/** A delivery that a listener kept. */
export interface KeptDelivery {
  readonly timeMs: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly verdict?: string
}

/**
 * A delivery through the door, as a line of a journal that our other commands read: `body` is what `bodyBase64` holds, for
 * whoever reads it with their own eyes.
 */
export function cleanDelivery({ timeMs, headers, body, verdict = 'new' }: KeptDelivery, door: Door): JsonObject {
  const pairs = Object.entries(headers).map(([name, value]) => ({ name, value }))
  const { text } = cleanBody(Buffer.from(body).toString('utf8'), door)
  return {
    time: new Date(timeMs).toISOString(),
    headers: Object.fromEntries(cleanHeaders(pairs, door).map(({ name, value }) => [name, value])),
    bodyBase64: Buffer.from(text).toString('base64'),
    verdict: /^(?:new|duplicate|stale)$/.test(verdict) ? verdict : 'new',
    body: text,
  }
}
