import { formatDuration } from '../../base/time/duration.ts'
import type { FaultEffect } from './fault.ts'

/** Returns the text of a member of an effect, empty if it has none. */
type TextOf = (member: string) => string

const WORDS: Readonly<Record<FaultEffect['kind'], (of: TextOf) => string>> = {
  status: (of) => `status ${of('status')}${of('message') === '' ? '' : `: ${of('message')}`}`,
  latency: (of) => `${lengthIn(of)} late`,
  reset: () => 'connection reset',
  close: () => 'connection closed',
  hang: () => 'no answer',
  truncate: (of) => `cut off after ${of('bytes')} bytes`,
  malformed: () => 'malformed JSON',
  dribble: () => 'body in dribbles',
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

/** Describes the effect of a fault: `2s late`. Returns an unknown kind, from another version, as it is. */
export function effectWords(of: TextOf): string {
  const kind = of('kind')
  return Object.hasOwn(WORDS, kind) ? WORDS[kind as FaultEffect['kind']](of) : kind
}
