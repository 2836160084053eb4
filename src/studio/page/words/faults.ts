import type { Fault, FaultEffect } from '../../../sandbox/faults/fault.ts'
import { phaseOf } from '../../../sandbox/faults/fault.ts'

/** The kinds of faults, as `sandbox faults add` calls them, and what a client meets. */
export const KINDS: Readonly<Record<FaultEffect['kind'], string>> = {
  status: 'answer with a status',
  latency: 'answer late',
  reset: 'reset the connection',
  close: 'close the connection',
  hang: 'never answer',
  truncate: 'end the body after some bytes',
  malformed: 'end the JSON in its middle',
  dribble: 'send a few bytes at a time',
  oversize: 'make the body larger',
  redirect: 'answer with a 307',
  skew: 'shift the Date header',
  'duplicate-webhook': 'deliver webhooks several times',
  'late-webhook': 'deliver webhooks late',
  'lost-webhook': 'never deliver webhooks',
}

/** Which requests it strikes, and how many it has struck. */
export function strikesWords(fault: Fault): string {
  const { next, nth, share, seen, fired } = fault
  const so = `affected ${fired} of ${seen} so far`
  const phase = phaseOf(fault) === 'after' ? 'after the change is made' : 'before the change is made'
  if (nth !== undefined) return `request ${nth} only${seen >= nth ? ' (over)' : ''}, ${phase}; ${so}`
  if (next !== undefined) return `the next ${next}${fired >= next ? ' (over)' : ''}, ${phase}; ${so}`
  return `${share === undefined ? 'every request' : `${share}% of requests`}, ${phase}; ${so}`
}
