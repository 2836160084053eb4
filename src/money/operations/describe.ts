import { shellWord } from '../../base/failure/shell-word.ts'
import { centsText } from '../amount.ts'
import { balanceBefore } from '../card-reading.ts'
import type { Moment } from './moment.ts'
import type { Operation } from './operation.ts'

/** An operation as people and programs see it: times as instants, amounts in currency units. */
export function describeOperation(operation: Operation) {
  const { id, command, target, cents, state, profile, service, how } = operation
  return {
    id,
    command,
    target,
    amount: cents === null ? null : centsText(cents),
    state,
    startedAt: new Date(operation.startedAt).toISOString(),
    profile,
    service,
    before: beforeText(operation.before),
    how,
    endedAt: endText(operation.ended),
    repeat: repeatingCommand(operation),
  }
}

/** The balance or the status before a write. Null for a sale: its operation only keeps what to look for. */
function beforeText(before: string | null): string | null {
  const balance = balanceBefore(before)
  if (balance !== null) return centsText(balance)
  return before?.startsWith('{') ? null : before
}

function endText(ended: Moment | null): string | null {
  return ended === null ? null : new Date(ended.wallMs).toISOString()
}

/** The writes whose command line is known from their operation. A sale has more to it. */
const REPEATABLE = /^(?:giftcards (?:redeem|cancel)|inbound redeem)$/

/** The command that makes a write again; null while it may have been done, and for one of which not all is known. */
function repeatingCommand({ command, target, cents, profile, state }: Operation): string | null {
  if (state !== 'not-applied' || !REPEATABLE.test(command)) return null
  const amount = cents === null ? [] : ['--amount', centsText(cents)]
  const named = profile === null ? [] : ['--profile', profile]
  return ['partner', command, shellWord(target), ...amount, ...named.map(shellWord)].join(' ')
}
