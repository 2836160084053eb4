import { hostname } from 'node:os'
import { quoteShellWord } from '../../base/failure/shell-word.ts'
import { centsText, centsTextOrNull } from '../amount.ts'
import { balanceBefore } from '../card-reading.ts'
import type { Moment } from './moment.ts'
import type { Intent, Operation } from './operation.ts'

/** The members of an operation that are printed. */
export type ShownOperation = Pick<Operation, 'id' | keyof Intent | 'state' | 'startedAt' | 'before' | 'how'> & {
  readonly ended: Pick<Moment, 'wallMs'> | null
}

/** Converts an operation for output, with times as instants and amounts in currency units. `once`: its key, or `null`. */
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
    host: hostname(),
    repeat: getRepeatCommand(operation, once),
  }
}

/** Formats the reading before a write. Returns `null` for a sale, which stores only its identifying values there. */
function formatBefore(before: string | null): string | null {
  const balance = balanceBefore(before)
  if (balance !== null) return centsText(balance)
  return before?.startsWith('{') ? null : before
}

const REPEATABLE = /^(?:giftcards (?:redeem|cancel)|inbound redeem)$/

/** Returns the command that repeats a write, or `null` if it may have been done or not all of its input is stored. */
function getRepeatCommand({ command, target, cents, profile, state }: ShownOperation, once: string | null) {
  if (state !== 'not-applied' || !REPEATABLE.test(command)) return null
  const amount = cents === null ? [] : ['--amount', centsText(cents)]
  const named = profile === null ? [] : ['--profile', profile]
  const keyed = once === null ? [] : ['--once', once]
  return ['partner', command, quoteShellWord(target), ...amount, ...keyed, ...named.map(quoteShellWord)].join(' ')
}
