import { hostname } from 'node:os'
import { quoteShellWord } from '../../base/failure/shell-word.ts'
import type { Owner } from '../../base/storage/owner.ts'
import { centsText, centsTextOrNull } from '../amount.ts'
import { balanceBefore } from '../card-reading.ts'
import type { Moment } from './moment.ts'
import type { Intent, Operation } from './operation.ts'

/** The members of an operation that are printed. */
export type ShownOperation = Pick<Operation, 'id' | keyof Intent | 'state' | 'startedAt' | 'before' | 'how'> & {
  readonly owner?: Owner | undefined
  readonly ended: Pick<Moment, 'wallMs'> | null
}

/**
 * Converts an operation for output. Times become ISO 8601 strings, and amounts are in currency units. `once` is the
 * operation's key, or `null`.
 */
export function describeOperation(operation: ShownOperation, once: string | null) {
  const { id, command, target, cents, state, profile, service, how } = operation
  return {
    id,
    command,
    target,
    amount: centsTextOrNull(cents),
    state,
    startedAt: new Date(operation.startedAt).toISOString(),
    profile,
    service,
    before: formatBefore(operation.before),
    how,
    endedAt: operation.ended && new Date(operation.ended.wallMs).toISOString(),
    once,
    host: operation.owner?.otherHost ?? hostname(),
    repeat: getRepeatCommand(operation, once),
  }
}

/**
 * Formats the balance or status from before the write. Returns `null` for a sale, for which the stored text contains
 * the identifying values instead.
 */
function formatBefore(before: string | null): string | null {
  const balance = balanceBefore(before)
  if (balance !== null) return centsText(balance)
  return before?.startsWith('{') ? null : before
}

const REPEATABLE = /^(?:giftcards (?:redeem|cancel)|inbound redeem)$/

/**
 * Returns a command that repeats the write. Returns `null` if the write might have taken effect, or if part of its
 * input was not stored.
 */
function getRepeatCommand({ command, target, cents, profile, state }: ShownOperation, once: string | null) {
  if (state !== 'not-applied' || !REPEATABLE.test(command)) return null
  const amount = cents === null ? [] : ['--amount', centsText(cents)]
  const named = profile === null ? [] : ['--profile', profile]
  const keyed = once === null ? [] : ['--once', once]
  return ['partner', command, quoteShellWord(target), ...amount, ...keyed, ...named.map(quoteShellWord)].join(' ')
}
