import { Failure } from '../../failure/failure.ts'
import { centsText } from '../amount.ts'
import type { Moment } from './moment.ts'
import type { Operation } from './operation.ts'
import { livenessOf } from './owner.ts'
import { mayBeUnderWay } from './settling.ts'

/** The refusal of a write because the same one is open, and what to do about it. */
export function alreadyOpen(open: Operation, now: Moment): Failure {
  return new Failure('OUTCOME_UNKNOWN', `${whatIsOpen(open, now)}; nothing was sent`, {
    hint: `find out: partner operations resolve ${open.id}; or send it anyway with --force`,
    outcome: 'unknown',
    details: { operation: open.id },
  })
}

function whatIsOpen(open: Operation, now: Moment): string {
  const { command, target, cents, owner } = open
  const what = cents === null ? `${command} ${target}` : `${command} ${target} --amount ${centsText(cents)}`
  const since = new Date(open.startedAt).toISOString()
  if (livenessOf(owner) === 'out-of-sight' && (open.phase === 'claimed' || mayBeUnderWay(open, now)))
    return `the same write may be under way in process ${owner.pid} of another container: ${what}, since ${since}`
  if (open.phase === 'claimed' || mayBeUnderWay(open, now))
    return `the same write is under way in process ${owner.pid}: ${what}, since ${since}`
  return `it is not known whether this was done before: ${what}, at ${since}`
}
