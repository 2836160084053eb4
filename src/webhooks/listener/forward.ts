import { setTimeout as delay } from 'node:timers/promises'
import { monotonicMs } from '../../base/stopwatch.ts'
import type { Mark } from './mark.ts'
import { headersToPassOn, type Sent, type Target } from './target.ts'

/** The first waits between two attempts to connect are short: a target that is restarted is soon back. Milliseconds. */
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 1000

/** What became of a forwarded delivery, and the status to answer with. */
export interface Forwarded extends Sent {
  /** The target's; 502 when it could not be reached, 504 when it did not answer in time. */
  readonly answer: number
  readonly attempts: number
}

/**
 * Passes a delivery on, byte for byte, with its headers and our mark. Only what certainly never reached the target is sent again, with growing
 * waits, as long as the service waits for our answer.
 * @param deadline when that ends, by `monotonicMs`.
 */
export async function forward(
  target: Target,
  mark: Mark,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  deadline: number,
): Promise<Forwarded> {
  const passed = mark.addTo(headersToPassOn(headers))
  for (let attempts = 1; ; attempts++) {
    const sent = await target.post(passed, body, Math.max(1, deadline - monotonicMs()))
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS)
    const mayRetry = sent.status === null && !sent.maybeSent && monotonicMs() + waitMs < deadline
    if (!mayRetry) return { ...sent, attempts, answer: sent.status ?? (monotonicMs() < deadline ? 502 : 504) }
    await delay(waitMs)
  }
}
