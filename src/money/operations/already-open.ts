import { Failure } from '../../base/failure/failure.ts'
import { suggest } from '../../base/failure/suggested.ts'
import { livenessOf } from '../../base/storage/owner.ts'
import { formatInZone, isKnownZone } from '../../base/time/zone.ts'
import { isSameService } from '../../client/same-service.ts'
import { centsText } from '../amount.ts'
import type { Moment } from './moment.ts'
import type { Intent, Operation } from './operation.ts'
import type { Row } from './row.ts'
import { mayBeUnderWay } from './settling.ts'

/** Refuses a write because the same one is open. `zone` is that of the venue; null: UTC. */
export function alreadyOpen(open: Operation, now: Moment, zone: string | null = null): Failure {
  const hint = `find out: ${suggest`operations resolve ${open.id}`}; or send it anyway with --force`
  return inDoubt(open.id, `${whatIsOpen(open, now, zone)}; nothing was sent`, hint)
}

/** The failure of a command that stops because the outcome of an operation is not known. */
export function inDoubt(operation: string, message: string, hint: string): Failure {
  return new Failure('OUTCOME_UNKNOWN', message, { hint, outcome: 'unknown', details: { operation } })
}

/** Refuses to settle a write that another process may still be sending. Fails: OUTCOME_UNKNOWN. */
export function refuseWhileUnderWay(row: Row, now: Moment): void {
  if (!mayBeUnderWay(row, now)) return
  const hint = `wait until that process has ended, then run partner operations resolve ${row.id}`
  throw inDoubt(row.id, `process ${row.owner.pid} may still be sending operation ${row.id}`, hint)
}

/** Warns of other open writes on the same card or sale; null if there are none. */
export function othersOpen(
  operations: readonly Operation[],
  { service, target }: Intent,
  now: Moment,
  zone: string | null,
): string | null {
  const [open, ...more] = operations.filter(
    (one) =>
      one.state === 'open' && isSameService(one.service, service) && one.target === target && !mayBeUnderWay(one, now),
  )
  if (!open) return null
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return `${whatIsOpen(open, now, zone)}${others}; this one is another. To find out: ${suggest`operations resolve ${open.id}`}`
}

function whatIsOpen(open: Operation, now: Moment, zone: string | null): string {
  const { command, target, cents, owner } = open
  const what = cents === null ? `${command} ${target}` : `${command} ${target} --amount ${centsText(cents)}`
  const since = formatInZone(open.startedAt, zone !== null && isKnownZone(zone) ? zone : null)
  if (livenessOf(owner) === 'out-of-sight' && (open.phase === 'claimed' || mayBeUnderWay(open, now)))
    return `the same write may be under way in process ${owner.pid} of another container: ${what}, since ${since}`
  if (open.phase === 'claimed' || mayBeUnderWay(open, now))
    return `the same write is under way in process ${owner.pid}: ${what}, since ${since}`
  return `it is not known whether this was done before: ${what}, at ${since}`
}
