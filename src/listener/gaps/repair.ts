import { ANSWER_WITHIN_MS, eventBody } from '../../contract/events.ts'
import { isTaken, type Sent, type Target } from '../target.ts'
import { REPAIR_HEADER } from './arrivals.ts'
import type { Gap } from './compare.ts'

/** What became of a repair. `stopped`: it was not sent, as the receiver gave no answer to those before. */
export type Repaired = Sent | 'stopped'

/** How many in a row may go without an answer until no more are sent. */
const MOST_UNANSWERED = 3

/** The body of the delivery that never came. */
export function repairBody({ event, subject, locationId }: Gap): Uint8Array {
  return Buffer.from(JSON.stringify(eventBody(event, subject, locationId)))
}

/** The headers of a repair, with the credentials that the receiver asks for. */
export function repairHeaders(credentials: Readonly<Record<string, string>>): Record<string, string> {
  return { 'content-type': 'application/json', [REPAIR_HEADER]: '1', ...credentials }
}

/**
 * Sends what is missing, one after the other in the order given, each once, and gives what became of each. A receiver that does not
 * answer three times in a row gets no more. Fails: Interrupted.
 */
export async function* repair(
  missing: readonly Gap[],
  target: Target,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<{ readonly gap: Gap; readonly became: Repaired }> {
  let unanswered = 0
  for (const gap of missing) {
    signal.throwIfAborted()
    if (unanswered >= MOST_UNANSWERED) {
      yield { gap, became: 'stopped' }
      continue
    }
    const sent = await target.post(headers, repairBody(gap), ANSWER_WITHIN_MS, signal)
    unanswered = sent.status === null ? unanswered + 1 : 0
    yield { gap, became: sent }
  }
}

/** Whether a repair has arrived. */
export function isRepaired(became: Repaired | undefined): boolean {
  return became !== undefined && became !== 'stopped' && isTaken(became.status)
}
