import { usageFailure } from '../base/failure/failure.ts'
import { findNearest } from '../base/failure/nearest.ts'

/** Something at a venue that has an ID and names, such as a table. */
export type Named = { readonly id: string; readonly names: readonly string[] }

/** Matches text that is certainly an ID. */
const CERTAIN_ID = /^(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Matches text that looks like an ID (`svc-dinner`) but that a venue could also use as a name. */
const LIKELY_ID = /^[a-z0-9]+(?:[-_:.][a-z0-9]+)+$/

/** Returns whether the text is an ID. With `likely`, text that only looks like an ID also counts. */
export function isId(typed: string, surety: 'certain' | 'likely'): boolean {
  return CERTAIN_ID.test(typed.trim()) || (surety === 'likely' && LIKELY_ID.test(typed.trim()))
}

/** Finds an item by its ID or name, ignoring case. Returns `null` if none matches. Throws USAGE if several match. */
export function findNamed<N extends Named>(typed: string, flag: string, all: readonly N[]): N | null {
  const same = (text: string) => fold(text) === fold(typed)
  const exact = all.find(({ id }) => id === typed.trim())
  if (exact) return exact
  const found = new Map(all.filter(({ id, names }) => same(id) || names.some(same)).map((one) => [one.id, one]))
  const [first, ...others]: readonly N[] = [...found.values()]
  if (first === undefined || others.length === 0) return first ?? null
  const choices = [first, ...others].map(formatNamed).join(', ')
  throw usageFailure([`${flag} ${JSON.stringify(typed)} could be ${choices}`], 'pass the ID; nothing was sent')
}

/** Returns the item whose name or ID is most similar to mistyped text, or `null` if none is similar. */
export function findNearestNamed<N extends Named>(typed: string, all: readonly N[]): N | null {
  const known = all.flatMap(({ id, names }) => [...names, id])
  const near = findNearestName(typed, known)
  return all.find(({ id, names }) => near !== null && (names.includes(near) || id === near)) ?? null
}

/** Returns a name that contains the text as a word, otherwise the most similar name, or `null` if none is similar. */
export function findNearestName(typed: string, names: readonly string[]): string | null {
  const word = fold(typed)
  return names.find((name) => fold(name).split(/[ /]/).includes(word)) ?? findNearest(typed.trim(), names)
}

/** Formats an item as a name and an ID, such as `Dinner (svc-dinner)`. */
export function formatNamed({ id, names: [name] }: Named): string {
  return name === undefined || name === '' || name === id ? id : `${name} (${id})`
}

/**
 * Describes the item that a typed name matched, such as `--service "dinner" is Dinner (svc-dinner)`. Returns `null` if
 * the user typed the ID.
 */
export function describeMatch(flag: string, typed: string, meant: Named): string | null {
  return typed.trim() === meant.id ? null : `${flag} ${JSON.stringify(typed)} is ${formatNamed(meant)}`
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}
