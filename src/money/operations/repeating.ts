import { centsText } from '../amount.ts'
import type { Operation } from './operation.ts'

/** The writes whose command line is known from their operation. A sale has more to it. */
const REPEATABLE = /^(?:giftcards (?:redeem|cancel)|inbound redeem)$/

/** The command that makes a write again; null while it may have been done, and for one of which not all is known. */
export function repeatingCommand({ command, target, cents, profile, state }: Operation): string | null {
  if (state !== 'not-applied' || !REPEATABLE.test(command)) return null
  const amount = cents === null ? [] : ['--amount', centsText(cents)]
  const named = profile === null ? [] : ['--profile', profile]
  return ['partner', command, quoted(target), ...amount, ...named.map(quoted)].join(' ')
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
