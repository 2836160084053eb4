import { Failure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { getLiveness, type Owner } from '../../base/storage/owner.ts'
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
  if (mayBeInProgress(row, now)) throw mayStillSend(row)
}

/** Creates the failure for a write whose outcome cannot be recorded, because its process might still be sending it. */
export function mayStillSend({ id, owner }: Pick<Operation, 'id' | 'owner'>): Failure {
  const hint = `wait until that process has exited, then run partner operations resolve ${id}`
  return outcomeUnknown(id, `process ${owner.pid}${placeOf(owner)} may still be sending operation ${id}`, hint)
}

/**
 * Returns the start of a sentence about the process that is sending a write, such as `process 4711 on till-2 may still
 * be`.
 */
export function describeProcess(owner: Owner): string {
  return `process ${owner.pid}${placeOf(owner)} ${getLiveness(owner) === 'out-of-sight' ? 'may still be' : 'is still'}`
}

function placeOf(owner: Owner): string {
  if (owner.otherHost !== undefined) return ` on ${owner.otherHost}`
  return getLiveness(owner) === 'out-of-sight' ? ' of another container' : ''
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
  return `${describeOpenWrite(open, now, zone)}${others}; the new write is not a retry. Find out the outcome of the earlier write: ${formatCommand`operations resolve ${open.id}`}`
}

function describeOpenWrite(open: Operation, now: Moment, zone: string | null): string {
  const { command, target, cents, owner } = open
  const what = cents === null ? `${command} ${target}` : `${command} ${target} --amount ${centsText(cents)}`
  const since = formatInZone(open.startedAt, zone !== null && isKnownZone(zone) ? zone : null)
  if (open.phase === 'claimed' || mayBeInProgress(open, now))
    return `the same write ${getLiveness(owner) === 'out-of-sight' ? 'may be' : 'is'} in progress in process ${owner.pid}${placeOf(owner)}: ${what}, since ${since}`
  const place = owner.otherHost === undefined ? '' : ` on ${owner.otherHost}`
  return `it is not known whether this earlier write was done: ${what}, at ${since}${place}`
}
