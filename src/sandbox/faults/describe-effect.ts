import { formatDuration } from '../../base/time/duration.ts'
import type { FaultEffect } from './fault.ts'

/** A function that formats a member of an effect. Returns an empty string if the effect does not have the member. */
type TextOf = (member: string) => string

const WORDS: Readonly<Record<FaultEffect['kind'], (of: TextOf) => string>> = {
  status: (of) => `status ${of('status')}${of('message') === '' ? '' : `: ${of('message')}`}`,
  latency: (of) => `${lengthIn(of)} late`,
  reset: () => 'connection reset',
  close: () => 'connection closed',
  hang: () => 'no response',
  truncate: (of) => `truncated after ${of('bytes')} bytes`,
  malformed: () => 'malformed JSON',
  dribble: () => 'body sent in pieces',
  oversize: (of) => `${of('bytes')} bytes larger`,
  redirect: (of) => `redirect to ${of('url')}`,
  skew: (of) => `Date off by ${lengthIn(of)}`,
  'duplicate-webhook': (of) => `webhooks ${of('times')} times`,
  'late-webhook': (of) => `webhooks ${lengthIn(of)} late`,
  'lost-webhook': () => 'webhooks lost',
}

function lengthIn(of: TextOf): string {
  return formatDuration(Number(of('ms')))
}

/**
 * Describes a fault's effect, such as `2s late`. If this version does not know the kind of fault, returns the kind
 * itself.
 */
export function describeEffect(of: TextOf): string {
  const kind = of('kind')
  return Object.hasOwn(WORDS, kind) ? WORDS[kind as FaultEffect['kind']](of) : kind
}
