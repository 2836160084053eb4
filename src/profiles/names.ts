import { Failure } from '../failure/failure.ts'
import { findNearest } from '../failure/nearest.ts'
import { SANDBOX_PROFILE } from './profile.ts'

/** No leading hyphen, which would look like a flag, and not only dots, which cannot name a file. */
const PROFILE_NAME = /^(?!-)(?!\.+$)[A-Za-z0-9._-]{1,64}$/

/** Checks the name of a new profile. Fails: USAGE for a malformed name, or for `sandbox`, which is reserved in any case of its letters. */
export function checkNewName(name: string): void {
  if (name.toLowerCase() === SANDBOX_PROFILE) {
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

/** The failure (exit 4) for a name that no profile has, with the nearest name and the list. `from`: who gave the name. */
export function unknownProfileFailure(name: string, names: Iterable<string>, from?: string): Failure {
  const known = [...names].sort(compareByCodeUnit)
  // A text that cannot be a name may be a key in the wrong place, so the message does not repeat it.
  const shown = PROFILE_NAME.test(name) ? `"${name}"` : 'of that name'
  const suggestion = findNearest(name, [...known, SANDBOX_PROFILE])
  const list = known.length === 0 ? 'there are none yet: partner profiles add NAME' : `there are: ${known.join(', ')}`
  return new Failure('NO_PROFILE', `there is no profile ${shown}${from === undefined ? '' : ` (from ${from})`}`, {
    hint: suggestion === null ? list : `did you mean ${suggestion}? ${list}`,
    details: { profiles: known, suggestion },
  })
}

/** Compares names for sorting, the same way on every machine. Comparing by language would take 11 ms to load. */
export function compareByCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
