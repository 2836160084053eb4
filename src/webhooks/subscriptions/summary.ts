import { formatCount } from '../../base/counted.ts'
import { Failure } from '../../base/failure/failure.ts'
import type { JsonObject } from '../../base/json/exact.ts'
import type { ChangeResult } from './apply.ts'
import type { Action, Change } from './plan.ts'

/** Formats a planned change for output. The outcome is `planned`, or `unchanged` if there is nothing to do. */
export function planRecord(change: Change): JsonObject {
  const outcome = change.action === 'unchanged' ? 'unchanged' : 'planned'
  return resultRecord({ change, outcome, status: null, message: change.why, hint: null })
}

/** Formats a change's result for output. */
export function resultRecord({ change, outcome, status, message, hint }: RowResult): JsonObject {
  const { event, action, presentUrl, webhookUrl, credentials } = change
  return { event, action, presentUrl, webhookUrl, credentials, outcome, status, message, hint }
}

type RowResult = Omit<ChangeResult, 'outcome'> & { readonly outcome: ChangeResult['outcome'] | 'planned' }

const ACTIONS: readonly (readonly [action: Action, toDo: string, done: string])[] = [
  ['create', 'to create', 'created'],
  ['update', 'to update', 'updated'],
  ['rotate', 'to rotate', 'rotated'],
  ['delete', 'to delete', 'deleted'],
  ['unchanged', 'unchanged', 'unchanged'],
]

/** Counts a plan's changes, such as `1 to create, 2 unchanged`. */
export function planCounts(changes: readonly Change[]): string {
  return countsOf(ACTIONS.map(([action, toDo]) => [changes.filter((one) => one.action === action).length, toDo]))
}

/** Counts the results of changes, such as `1 created, 1 failed`. */
export function resultCounts(results: readonly ChangeResult[]): string {
  const withOutcome = (...outcomes: string[]) => results.filter(({ outcome }) => outcomes.includes(outcome))
  const well = withOutcome('done', 'unchanged')
  return countsOf([
    ...ACTIONS.map(([action, , done]) => [well.filter(({ change }) => change.action === action).length, done] as const),
    [withOutcome('failed').length, 'failed'],
    [withOutcome('unknown').length, 'unknown'],
    [withOutcome('not-done').length, 'not done'],
  ])
}

function countsOf(parts: readonly (readonly [count: number, words: string])[]): string {
  const some = parts.filter(([count]) => count > 0)
  return some.map(([count, words]) => `${count} ${words}`).join(', ') || 'nothing to do'
}

const AGAIN = 'run the command again; completed changes are not repeated'

/**
 * Returns the failure of a run, or `null` if all subscriptions have the desired state. An unknown outcome is a failure.
 * `stoppedBy` is the reason why the run was stopped, or `null` if it was not.
 */
export function failureOf(results: readonly ChangeResult[], stoppedBy: string | null): Failure | null {
  const asked = results.filter(({ outcome }) => outcome !== 'unchanged')
  const withOutcome = (...outcomes: string[]) => asked.filter(({ outcome }) => outcomes.includes(outcome))
  const [done, unknown, failed] = [withOutcome('done'), withOutcome('unknown'), withOutcome('failed', 'unknown')]
  const ofAll = `of ${formatCount(asked.length, 'change')}`
  const isInDoubt = unknown.length > 0
  const doubt = isInDoubt ? `; the outcome is unknown for ${eventsOf(unknown)}` : ''
  const failedWords = `failed: ${eventsOf(failed)}${doubt}`
  const about = {
    outcome: isInDoubt ? 'unknown' : 'none',
    details: { failed: failed.length, of: asked.length, done: done.length, unknown: unknown.length },
  } as const
  if (stoppedBy !== null && (isInDoubt || done.length + failed.length < asked.length)) {
    const more = failed.length > 0 ? `, ${failed.length} ${failedWords}` : ''
    const words = `${stoppedBy}: ${done.length} ${ofAll} ${done.length === 1 ? 'was' : 'were'} made${more}`
    return new Failure(isInDoubt ? 'OUTCOME_UNKNOWN' : 'INTERRUPTED', words, { hint: AGAIN, ...about })
  }
  if (failed.length === 0) return null
  const [hint, ...others] = new Set(failed.map((one) => one.hint))
  return new Failure('PARTIAL_FAILURE', `${failed.length} ${ofAll} ${failedWords}`, {
    hint: hint && others.length === 0 ? hint : `fix the problems in the result lines, then ${AGAIN}`,
    ...about,
  })
}

function eventsOf(results: readonly ChangeResult[]): string {
  return results.map(({ change }) => change.event).join(', ')
}
