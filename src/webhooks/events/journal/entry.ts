import { isJsonObject } from '../../../base/json/exact.ts'
import { parseJsonOrNull } from '../../../base/json/parse.ts'

/**
 * How a delivery relates to earlier ones. `duplicate` means that the event was already delivered within the window.
 * `stale` means that a creation arrived after another event for the same booking or card.
 */
export type Verdict = 'new' | 'duplicate' | 'stale'

const VERDICTS: readonly unknown[] = ['new', 'duplicate', 'stale'] satisfies Verdict[]

/** A stored delivery. */
export interface Delivery {
  /** When the delivery arrived, in epoch milliseconds. */
  readonly timeMs: number
  /** The headers. Names are in lower case, and credentials are hidden. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly verdict: Verdict
}

const NOT_HANDLED = '"handled":0}'
const HANDLED = '"handled":1}'

/** The offset of the "handled" digit from the end of a line, including its line break. */
export const HANDLED_OFFSET = '0}\n'.length
/** The digit that replaces the 0 once the delivery has been handled. */
export const HANDLED_DIGIT = '1'

/**
 * Formats a delivery as a line, `{"time":…,"headers":…,"bodyBase64":…,"verdict":…}`, including the line break. With
 * `isTracked`, the line ends with `"handled":0`, so that the 0 can be overwritten later.
 */
export function deliveryLine({ timeMs, headers, body, verdict }: Delivery, isTracked = false): string {
  const time = new Date(timeMs).toISOString()
  const bodyBase64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  const text = JSON.stringify({ time, headers, bodyBase64, verdict })
  return isTracked ? `${text.slice(0, -1)},${NOT_HANDLED}\n` : `${text}\n`
}

/** Returns whether a line, without its line break, is marked as handled. */
export function isHandledLine(line: Uint8Array): boolean {
  const end = Buffer.from(line.buffer, line.byteOffset, line.byteLength).subarray(-HANDLED.length)
  return end.toString('latin1') === HANDLED
}

/** Parses a line of a journal. Returns `null` if the line is not a delivery. */
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
