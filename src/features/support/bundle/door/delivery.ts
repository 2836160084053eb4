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

/** Cleans a delivery. Returns a line of a journal for our other commands; `body` repeats `bodyBase64` for people. */
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
