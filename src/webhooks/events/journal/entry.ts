import { isJsonObject } from '../../../base/json/exact.ts'
import { parseJsonOrNull } from '../../../base/json/parse.ts'

/** `duplicate`: the event was already delivered within the window. `stale`: a creation arrived after another event. */
export type Verdict = 'new' | 'duplicate' | 'stale'

const VERDICTS: readonly unknown[] = ['new', 'duplicate', 'stale'] satisfies Verdict[]

/** A stored delivery. */
export interface Delivery {
  /** The arrival, epoch milliseconds. */
  readonly timeMs: number
  /** Names in lower case; credentials are hidden. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly verdict: Verdict
}

/** Formats a delivery as a line, `{"time":…,"headers":…,"bodyBase64":…,"verdict":…}`, including the line break. */
export function deliveryLine({ timeMs, headers, body, verdict }: Delivery): string {
  const time = new Date(timeMs).toISOString()
  const bodyBase64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  return `${JSON.stringify({ time, headers, bodyBase64, verdict })}\n`
}

/** Parses the line of a delivery. Returns `null` if the line is not a delivery. */
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
