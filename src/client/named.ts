import { usageFailure } from '../base/failure/failure.ts'
import { findNearest } from '../base/failure/nearest.ts'

/** Something in the venue that has an ID and names. */
export type Named = { readonly id: string; readonly names: readonly string[] }

/** An ID that nobody would type as a name, so no lookup is needed. */
const CERTAIN_ID = /^(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Looks like an ID (svc-dinner), but a venue may use it as a name. */
const LIKELY_ID = /^[a-z0-9]+(?:[-_:.][a-z0-9]+)+$/

/** Whether the text is certainly or likely an ID, which needs no lookup. */
export function isId(typed: string, surety: 'certain' | 'likely'): boolean {
  return CERTAIN_ID.test(typed.trim()) || (surety === 'likely' && LIKELY_ID.test(typed.trim()))
}

/** Finds an item by ID or by name in any case; null if there is none. Fails: USAGE if several match. */
export function findNamed<N extends Named>(typed: string, flag: string, all: readonly N[]): N | null {
  const same = (text: string) => fold(text) === fold(typed)
  const exact = all.find(({ id }) => id === typed.trim())
  if (exact) return exact
  const found = new Map(all.filter(({ id, names }) => same(id) || names.some(same)).map((one) => [one.id, one]))
  const [first, ...others]: readonly N[] = [...found.values()]
  if (first === undefined || others.length === 0) return first ?? null
  const choices = [first, ...others].map(shownNamed).join(', ')
  throw usageFailure([`${flag} ${JSON.stringify(typed)} could be ${choices}`], 'give the ID; nothing was sent')
}

/** The item that a mistyped text most likely means; null if none is near. */
export function nearestNamed<N extends Named>(typed: string, all: readonly N[]): N | null {
  const known = all.flatMap(({ id, names }) => [...names, id])
  const near = nearestName(typed, known)
  return all.find(({ id, names }) => near !== null && (names.includes(near) || id === near)) ?? null
}

/** The name that contains the text as a word, else the nearest one; null if none is near. */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const word = fold(typed)
  return names.find((name) => fold(name).split(/[ /]/).includes(word)) ?? findNearest(typed.trim(), names)
}

/** Formats `Dinner (svc-dinner)`. */
export function shownNamed({ id, names: [name] }: Named): string {
  return name === undefined || name === '' || name === id ? id : `${name} (${id})`
}

/** Says which ID a typed name stands for; null if the ID was typed. */
export function meantText(flag: string, typed: string, meant: Named): string | null {
  return typed.trim() === meant.id ? null : `${flag} ${JSON.stringify(typed)} is ${shownNamed(meant)}`
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}
