import { Failure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { getLiveness } from '../../base/storage/owner.ts'
import { formatInZone, isKnownZone } from '../../base/time/zone.ts'
import { isSameService } from '../../client/same-service.ts'
import { centsText } from '../amount.ts'
import type { Moment } from './moment.ts'
import type { Intent, Operation } from './operation.ts'
import type { Row } from './row.ts'
import { mayBeInProgress } from './settling.ts'

/**
 * Creates the failure for a write that is refused because the outcome of an identical write is unknown. `zone` is
 * `null` for UTC.
 */
export function alreadyOpen(open: Operation, now: Moment, zone: string | null = null): Failure {
  const hint = `find out its outcome: ${formatCommand`operations resolve ${open.id}`}; or send it anyway with --force`
  return outcomeUnknown(open.id, `${describeOpenWrite(open, now, zone)}; nothing was sent`, hint)
}

/** Creates the failure for a command that was given an unknown operation ID. */
export function noSuchOperation(id: string): Failure {
  const hint = 'see all operations: partner operations list'
  return new Failure('NOT_FOUND', `there is no operation ${JSON.stringify(id)}`, { hint })
}

/** Creates the failure for a command that stops because an operation's outcome is unknown. */
export function outcomeUnknown(operation: string, message: string, hint: string): Failure {
  return new Failure('OUTCOME_UNKNOWN', message, { hint, outcome: 'unknown', details: { operation } })
}

/** Throws OUTCOME_UNKNOWN if another process might still be sending the write. */
export function refuseWhileInProgress(row: Row, now: Moment): void {
  if (!mayBeInProgress(row, now)) return
  const hint = `wait until that process has exited, then run partner operations resolve ${row.id}`
  throw outcomeUnknown(row.id, `process ${row.owner.pid} may still be sending operation ${row.id}`, hint)
}

/** Returns a warning about other open writes on the same card or sale, or `null` if there are none. */
export function describeOtherOpenWrites(
  operations: readonly Operation[],
  { service, target }: Intent,
  now: Moment,
  zone: string | null,
): string | null {
  const [open, ...more] = operations.filter(
    (one) =>
      one.state === 'open' &&
      isSameService(one.service, service) &&
      one.target === target &&
      !mayBeInProgress(one, now),
  )
  if (!open) return null
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return `${describeOpenWrite(open, now, zone)}${others}; the new write is not a repetition of it. Find out its outcome: ${formatCommand`operations resolve ${open.id}`}`
}

function describeOpenWrite(open: Operation, now: Moment, zone: string | null): string {
  const { command, target, cents, owner } = open
  const what = cents === null ? `${command} ${target}` : `${command} ${target} --amount ${centsText(cents)}`
  const since = formatInZone(open.startedAt, zone !== null && isKnownZone(zone) ? zone : null)
  if (getLiveness(owner) === 'out-of-sight' && (open.phase === 'claimed' || mayBeInProgress(open, now)))
    return `the same write may be in progress in process ${owner.pid} ${owner.otherHost === undefined ? 'of another container' : `on ${owner.otherHost}`}: ${what}, since ${since}`
  if (open.phase === 'claimed' || mayBeInProgress(open, now))
    return `the same write is in progress in process ${owner.pid}: ${what}, since ${since}`
  const place = owner.otherHost === undefined ? '' : ` on ${owner.otherHost}`
  return `it is not known whether this earlier write was done: ${what}, at ${since}${place}`
}
