import { Failure } from '../failure/failure.ts'
import { findNearest } from '../failure/nearest.ts'
import { SANDBOX_PROFILE } from './profile.ts'

/** No leading hyphen, which would be read as a flag, and not dots only, which is no name of a file. */
const PROFILE_NAME = /^(?!-)(?!\.+$)[A-Za-z0-9._-]{1,64}$/

/** Checks the name of a profile that is to be added. Fails: USAGE for a bad form or the reserved name `sandbox`. */
export function checkNewName(name: string): void {
  if (name === SANDBOX_PROFILE) {
    throw new Failure('USAGE', 'the profile "sandbox" is built in, and its name is taken', {
      hint: 'use it with --profile sandbox, or choose another name',
    })
  }
  if (!PROFILE_NAME.test(name)) {
    throw new Failure('USAGE', 'the name of a profile is 1 to 64 letters, digits, dots, hyphens or underscores', {
      hint: 'use a name such as dev: it cannot start with a hyphen, and is never a key',
    })
  }
}

/** The refusal of a name that no profile has: exit 4, with the nearest name and the list. */
export function unknownProfileFailure(name: string, names: Iterable<string>, from?: string): Failure {
  const known = [...names].sort(compareByCodeUnit)
  // A text that cannot be a name is perhaps a key in the wrong place, so it is not repeated.
  const shown = PROFILE_NAME.test(name) ? `"${name}"` : 'of that name'
  const suggestion = findNearest(name, [...known, SANDBOX_PROFILE])
  const list = known.length === 0 ? 'there are none yet: partner profiles add NAME' : `there are: ${known.join(', ')}`
  return new Failure('NO_PROFILE', `there is no profile ${shown}${from === undefined ? '' : ` (from ${from})`}`, {
    hint: suggestion === null ? list : `did you mean ${suggestion}? ${list}`,
    details: { profiles: known, suggestion },
  })
}

/** Orders names the same way on every machine; comparing by language costs 11 ms to load. */
export function compareByCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
