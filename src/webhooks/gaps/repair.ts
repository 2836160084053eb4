import { ANSWER_TIMEOUT_MS, eventBody } from '../../contract/events.ts'
import type { WireRequest } from '../../http/transport.ts'
import { isAccepted, type Sent, type Target } from '../listener/target.ts'
import { REPAIR_HEADER } from './arrivals.ts'
import type { Gap } from './compare.ts'

/** The result of repairing a gap. `stopped` means that nothing was sent, because the receiver no longer responds. */
export type RepairResult = Sent | 'stopped'

const MOST_UNANSWERED = 3

/**
 * Returns an object that sends missing deliveries, with `credentials` as headers. It stops sending after three
 * consecutive deliveries without a response. `send` throws the signal's reason if the signal is aborted, but never
 * fails because of the receiver.
 */
export function openRepairer(target: Target, credentials: WireRequest['headers'], signal: AbortSignal) {
  const headers = { 'content-type': 'application/json', [REPAIR_HEADER]: '1', ...credentials }
  const results: RepairResult[] = []
  let unanswered = 0
  return {
    results,
    send: async ({ event, subject, locationId }: Gap) => {
      signal.throwIfAborted()
      let sent: RepairResult = 'stopped'
      if (unanswered < MOST_UNANSWERED) {
        const body = Buffer.from(JSON.stringify(eventBody(event, subject, locationId)))
        sent = await target.post(headers, body, ANSWER_TIMEOUT_MS, signal)
        unanswered = sent.status === null ? unanswered + 1 : 0
      }
      results.push(sent)
      return sent
    },
  }
}

/** Returns whether the receiver accepted the repair. */
export function isRepaired(repair: RepairResult): boolean {
  return repair !== 'stopped' && isAccepted(repair.status)
}

/**
 * Formats a gap as a line of JSON: `{class, event, subject, changedAfter, changed, delivered, lateSeconds, line,
 * repaired, answer}`.
 */
export function gapLine({ class: found, event, subject, change, arrival }: Gap, repair: RepairResult | null): string {
  return JSON.stringify({
    class: found,
    event,
    subject,
    // The exact time of a change to a card is unknown. Only the times of the snapshots before and after it are known.
    changedAfter: change !== null && change.afterMs < change.byMs ? iso(change.afterMs) : null,
    changed: change && iso(change.byMs),
    delivered: arrival && iso(arrival.timeMs),
    lateSeconds: found === 'late' && change && arrival ? Math.round((arrival.timeMs - change.byMs) / 1000) : null,
    line: arrival?.line ?? null,
    repaired: repair && isRepaired(repair),
    answer: repair === 'stopped' ? 'not sent' : repair && (repair.status ?? repair.error ?? 'no answer'),
  })
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
