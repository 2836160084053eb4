import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { findNearest } from '../../base/failure/nearest.ts'
import { type Profiles, SANDBOX_PROFILE } from './profile.ts'

/**
 * Matches valid names. A name with a leading hyphen would look like a flag, and a name that consists only of dots
 * cannot be a file name.
 */
const PROFILE_NAME = /^(?!-)(?!\.+$)[A-Za-z0-9._-]{1,64}$/

/** Checks the name of a new profile. Throws USAGE if the name is malformed or, ignoring case, is `sandbox`. */
export function checkNewName(name: string): void {
  if (name.toLowerCase() === SANDBOX_PROFILE)
    throw new Failure('USAGE', 'the profile "sandbox" is built in, and its name is reserved', {
      hint: 'use it with --profile sandbox, or choose another name',
    })
  if (!PROFILE_NAME.test(name))
    throw new Failure('USAGE', 'a profile name must be 1 to 64 letters, digits, dots, hyphens or underscores', {
      hint: 'use a name such as dev; it must not start with a hyphen and must not be a key',
    })
}

/**
 * Creates the failure (exit code 4) for an unknown profile. Its hint suggests the most similar name and lists the
 * profiles. `from` says where the name was set, such as a variable.
 */
export function unknownProfileFailure(name: string, names: Iterable<string>, from?: string): Failure {
  const known = [...names].sort(compareByCodeUnit)
  // The message does not repeat text that is not a valid name, because it may be a misplaced key.
  const shown = PROFILE_NAME.test(name) ? `"${name}"` : 'with that name'
  const suggestion = findNearest(name, [...known, SANDBOX_PROFILE])
  const list =
    known.length === 0 ? 'you have no profiles yet: partner profiles add --help' : `your profiles: ${known.join(', ')}`
  return new Failure('NO_PROFILE', `there is no profile ${shown}${from === undefined ? '' : ` (from ${from})`}`, {
    hint: suggestion === null ? list : `did you mean ${suggestion}? ${list}`,
    details: { profiles: known, suggestion },
  })
}

/** Compares strings in the same way on every machine. Loading a locale-aware comparison would take 11 ms. */
export function compareByCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const ALL = 'all'
const TAGGED = 'tag:'

/**
 * Returns the profiles that `--profiles` selects with `all`, `tag:NAME` or a list of names. Throws NO_PROFILE if a
 * profile is unknown, or USAGE if an item in the list is empty.
 */
export function chooseProfiles(choice: string, profiles: Profiles): readonly string[] {
  const known = [...profiles.byName.keys()].filter((name) => name !== SANDBOX_PROFILE).sort(compareByCodeUnit)
  const parts = choice.split(',').map((part) => part.trim())
  if (parts.includes(''))
    throw usageFailure(
      [`--profiles must not contain an empty name: ${JSON.stringify(choice)}`],
      'use --profiles all, --profiles tag:NAME, or names such as --profiles city,harbour',
    )
  return [...new Set(parts.flatMap((part) => selectByPart(part, known, profiles)))]
}

function selectByPart(part: string, known: readonly string[], profiles: Profiles): readonly string[] {
  if (part === ALL) {
    if (known.length > 0) return known
    throw usageFailure(['--profiles all: you have no profiles'], 'add one first: partner profiles add --help')
  }
  if (part.startsWith(TAGGED)) {
    const tag = part.slice(TAGGED.length)
    const tagged = known.filter((name) => profiles.byName.get(name)?.tags?.includes(tag))
    if (tagged.length > 0) return tagged
    throw unusedTagFailure(tag, profiles)
  }
  if (part === SANDBOX_PROFILE || profiles.byName.has(part)) return [part]
  const { message, hint, details } = unknownProfileFailure(part, known, '--profiles')
  const asTag = `${part} is a tag, so use --profiles ${TAGGED}${part}`
  throw new Failure('NO_PROFILE', message, { hint: tagsOf(profiles).includes(part) ? asTag : hint, details })
}

function unusedTagFailure(tag: string, profiles: Profiles): Failure {
  const tags = tagsOf(profiles)
  const near = findNearest(tag, tags)
  const list =
    tags.length === 0 ? 'tag a profile with --tag: partner profiles set --help' : `your tags: ${tags.join(', ')}`
  return usageFailure(
    [`--profiles: no profile has the tag ${JSON.stringify(tag)}`],
    near === null ? list : `did you mean ${TAGGED}${near}? ${list}`,
  )
}

function tagsOf({ byName }: Profiles): string[] {
  return [...new Set([...byName.values()].flatMap(({ tags }) => tags ?? []))].sort(compareByCodeUnit)
}
