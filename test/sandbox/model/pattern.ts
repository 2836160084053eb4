/** A placeholder in an expected response for a value that the service chooses freely. */
export class Any {
  readonly what: string
  readonly holds: (value: unknown) => boolean

  constructor(what: string, holds: (value: unknown) => boolean) {
    this.what = what
    this.holds = holds
  }
}

/** Matches any non-empty string. Used for messages that the specification does not define. */
export const SOME_TEXT = new Any('a text that is not empty', (value) => typeof value === 'string' && value !== '')

export const ANYTHING = new Any('anything', () => true)

/**
 * Matches an object that has at least these members. Used for objects that the specification does not define
 * completely.
 */
export class AtLeast {
  readonly members: Readonly<Record<string, unknown>>

  constructor(members: Readonly<Record<string, unknown>>) {
    this.members = members
  }
}

export const atLeast = (members: Readonly<Record<string, unknown>>): AtLeast => new AtLeast(members)

/**
 * Returns a description of the first difference between two values, or `null` if they match. The expected value can
 * contain {@link Any} and {@link AtLeast}.
 */
export function difference(expected: unknown, actual: unknown, at = 'the body'): string | null {
  if (expected instanceof Any) return expected.holds(actual) ? null : differs(at, expected.what, actual)
  if (expected instanceof AtLeast) return membersDiffer(expected.members, actual, at, false)
  if (Array.isArray(expected)) return listsDiffer(expected, actual, at)
  if (typeof expected === 'object' && expected !== null)
    return membersDiffer(expected as Readonly<Record<string, unknown>>, actual, at, true)
  return Object.is(expected, actual) ? null : differs(at, shown(expected), actual)
}

function listsDiffer(expected: readonly unknown[], actual: unknown, at: string): string | null {
  if (!Array.isArray(actual)) return differs(at, `a list of ${expected.length}`, actual)
  for (const [index, item] of expected.entries()) {
    if (index >= actual.length) return differs(at, `${expected.length} items, next ${shown(item)}`, actual)
    const found = difference(item, actual[index], `${at}[${index}]`)
    if (found) return found
  }
  return actual.length > expected.length ? `${at} has one too many: ${shown(actual[expected.length])}` : null
}

function membersDiffer(
  expected: Readonly<Record<string, unknown>>,
  actual: unknown,
  at: string,
  isAll: boolean,
): string | null {
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return differs(at, 'an object', actual)
  for (const [member, value] of Object.entries(expected)) {
    const found = difference(value, (actual as Record<string, unknown>)[member], `${at}.${member}`)
    if (found) return found
  }
  const more = isAll ? Object.keys(actual).find((member) => !Object.hasOwn(expected, member)) : undefined
  return more === undefined ? null : `${at}.${more} should not be there`
}

function differs(at: string, expected: string, actual: unknown): string {
  return `${at} should be ${expected}, but is ${shown(actual)}`
}

function shown(value: unknown): string {
  const text = value instanceof Any ? value.what : (JSON.stringify(value) ?? 'not there')
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
