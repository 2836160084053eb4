import { Failure } from '../failure/failure.ts'
import type { Operation } from './operation.ts'
import { isAlive } from './owner.ts'

/** The refusal of a write that is open already, and what to do about it. */
export function alreadyOpen(open: Operation): Failure {
  const what =
    open.amount === null ? `${open.command} ${open.target}` : `${open.command} ${open.target} --amount ${open.amount}`
  const since = new Date(open.startedAt).toISOString()
  const message =
    open.phase === 'claimed' || isAlive(open)
      ? `the same write is under way in process ${open.pid}: ${what}, since ${since}; nothing was sent`
      : `it is not known whether this was done before: ${what}, at ${since}; nothing was sent`
  return new Failure('OUTCOME_UNKNOWN', message, {
    hint: `find out: partner operations resolve ${open.id}; or do it all the same with --force`,
    outcome: 'unknown',
    details: { operation: open.id },
  })
}
