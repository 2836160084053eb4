import { usageFailure } from '../base/failure/failure.ts'
import { findNearest } from '../base/failure/nearest.ts'

/** Something of the venue that has an ID, and names by which people know it. */
export interface Named {
  readonly id: string
  /** The first is the one that is shown. */
  readonly names: readonly string[]
}

/** An ID that no person would type as a name: there is no need to look it up. */
const CERTAIN_ID = /^(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** An ID by the look of it, such as svc-dinner; most are, but a venue may use such a name too. */
const LIKELY_ID = /^[a-z0-9]+(?:[-_:.][a-z0-9]+)+$/

/** Whether the text is an ID, so that nothing needs to be asked: it can only be one, or a likely one will do. */
export function isId(typed: string, surety: 'certain' | 'likely'): boolean {
  return CERTAIN_ID.test(typed.trim()) || (surety === 'likely' && LIKELY_ID.test(typed.trim()))
}

/** Finds what is meant, by ID or name in any case; `null` if there is none. Fails: USAGE if several have that name. */
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

/** The one that a mistyped text most likely means; null when none is near. */
export function nearestNamed<N extends Named>(typed: string, all: readonly N[]): N | null {
  const near = nearestName(
    typed,
    all.flatMap(({ id, names }) => [...names, id]),
  )
  return all.find(({ id, names }) => near !== null && (names.includes(near) || id === near)) ?? null
}

/** The name that has the text as a word of it, else the one that it is a mistyped form of; null when there is none. */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const word = fold(typed)
  return names.find((name) => fold(name).split(/[ /]/).includes(word)) ?? findNearest(typed.trim(), names)
}

/** Its name and its ID: `Dinner (svc-dinner)`. */
export function shownNamed({ id, names: [name] }: Named): string {
  return name === undefined || name === '' || name === id ? id : `${name} (${id})`
}

/** Says which ID a name that was typed became; null when the ID itself was typed. */
export function meantText(flag: string, typed: string, meant: Named): string | null {
  return typed.trim() === meant.id ? null : `${flag} ${JSON.stringify(typed)} is ${shownNamed(meant)}`
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}
