import { isJsonObject } from '../../../base/json/exact.ts'
import { parseJsonOrNull } from '../../../base/json/parse.ts'

/** `duplicate`: the same event came within the window. `stale`: a creation came after another event. */
export type Verdict = 'new' | 'duplicate' | 'stale'

const VERDICTS: readonly unknown[] = ['new', 'duplicate', 'stale'] satisfies Verdict[]

/** A delivery as stored. `timeMs`: its arrival, epoch milliseconds. */
export interface Delivery {
  readonly timeMs: number
  /** Names in lower case; credentials are hidden. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly verdict: Verdict
}

/** The line of a delivery: `{"time":…,"headers":…,"bodyBase64":…,"verdict":…}`, with its line break. */
export function deliveryLine({ timeMs, headers, body, verdict }: Delivery): string {
  const time = new Date(timeMs).toISOString()
  const bodyBase64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  return `${JSON.stringify({ time, headers, bodyBase64, verdict })}\n`
}

/** Reads the line of a delivery; null if it is not one. */
export function readDelivery(text: string): Delivery | null {
  const value: unknown = parseJsonOrNull(text)
  if (!isJsonObject(value)) return null
  const { time, headers, bodyBase64, verdict } = value
  const timeMs = typeof time === 'string' ? Date.parse(time) : Number.NaN
  if (Number.isNaN(timeMs) || !isHeaders(headers) || typeof bodyBase64 !== 'string' || !isVerdict(verdict)) return null
  return { timeMs, headers, body: Buffer.from(bodyBase64, 'base64'), verdict }
}

function isHeaders(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((header) => typeof header === 'string')
}

function isVerdict(value: unknown): value is Verdict {
  return VERDICTS.includes(value)
}
