import { Failure } from '../failure/failure.ts'
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
      hint: 'it starts with no hyphen, and a key never belongs here; for example: dev',
    })
  }
}

/** The refusal of a name that no profile has: exit 4, with the nearest name and the list. */
export function unknownProfile(name: string, names: Iterable<string>, from?: string): Failure {
  const known = [...names].sort(byCodeUnit)
  // A text that cannot be a name is perhaps a key in the wrong place, so it is not repeated.
  const shown = PROFILE_NAME.test(name) ? `"${name}"` : 'of that name'
  const nearest = nearestName(name, [...known, SANDBOX_PROFILE])
  const list = known.length === 0 ? 'there are none yet: partner profiles add NAME' : `there are: ${known.join(', ')}`
  return new Failure('NO_PROFILE', `there is no profile ${shown}${from === undefined ? '' : ` (from ${from})`}`, {
    hint: nearest === null ? list : `did you mean ${nearest}? ${list}`,
    details: { profiles: known, suggestion: nearest },
  })
}

/** The candidate that a mistyped name most likely meant, or null when none is near. Upper and lower case count as near. */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(name.length / 3))
  let best: string | null = null
  let bestDistance = limit + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > limit) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Orders names the same way on every machine; comparing by language costs 11 ms to load. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Letters added, left out, changed, or two neighbours swapped. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const changed = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? (beforeLast[column - 2] ?? 0) + 1
          : changed
      line.push(Math.min(changed, swapped, (last[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1))
    }
    beforeLast = last
    last = line
  }
  return last[b.length] ?? 0
}
