import type { Failure } from '../../../../base/failure/failure.ts'
import { command, type Examination } from '../examination.ts'
import { type Finding, fail, failureLine, ok, skipAfter, warn } from '../finding.ts'
import type { Heard } from './heard.ts'

/** Nobody but the partner manager can do something about it. */
const ASK = 'ask the partner manager'

/**
 * Tells the states of a key apart: refused, of no app, of an app without a venue, good.
 * Source: "API key (all REST endpoints)".
 */
export function* keyRows(
  [key, venue, statuses]: readonly ['key', 'venue', 'statuses'],
  { answer, failure }: Heard,
  given: Examination,
): Generator<Finding> {
  const lost = keyFault(key, failure, given)
  if (lost !== null) {
    yield lost
    yield* [venue, statuses].map((name) => skipAfter(name, key))
    return
  }
  yield ok(key, 'the service knows it')
  if (failure?.code === 'VENUE_NOT_LINKED') {
    yield fail(
      venue,
      `${failureLine(failure)} The key is good, but no venue is linked to its app`,
      `${ASK} to link the venue to the app of this key`,
    )
    yield skipAfter(statuses, venue)
    return
  }
  if (answer === null) {
    yield ok(venue, 'not refused')
    yield fail(statuses, failure ? failureLine(failure) : 'refused', failure?.hint ?? null)
    return
  }
  yield ok(venue, 'a venue is linked to the app of the key')
  const count = Array.isArray(answer.value) ? answer.value.length : 0
  yield count > 0
    ? ok(statuses, `the venue has ${count} booking statuses`)
    : warn(statuses, 'the venue has no booking statuses, so none can be set', command('bookings statuses', given))
}

/** What is wrong with the key itself; null: nothing. */
function keyFault(name: string, failure: Failure | null, given: Examination): Finding | null {
  if (failure?.code === 'UNAUTHORIZED')
    return fail(
      name,
      `${failureLine(failure)} (401): the service does not know this key: it is wrong, was replaced, or is for the other environment`,
      command('config', given),
    )
  if (failure?.code !== 'UNKNOWN_APP') return null
  return fail(
    name,
    `${failureLine(failure)}: the key belongs to no partner app here; is it for the other environment (development or production)?`,
    command('config', given),
  )
}
