import { Failure } from '../../../base/failure/failure.ts'
import type { JsonValue } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import type { Named } from '../../../client/named.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import { dateOf, type Occasion } from '../../shared/look-up.ts'

/**
 * Says what a person should know when a booking has other tables than were asked for; null when it has them, or when the answer
 * does not say.
 */
export function otherTables(answer: JsonValue, asked: readonly Named[]): string | null {
  const has = valueAt(answer, 'tableNames')
  if (asked.length === 0 || !Array.isArray(has)) return null
  const names = has.map(plainText)
  const isKnown = asked.every((table) => table.names.length > 0)
  const isMissing = (table: Named) => !names.some((name) => table.names.includes(name) || name === table.id)
  if (names.length === asked.length && !(isKnown && asked.some(isMissing))) return null
  const wanted = asked.map(({ id, names: [name = id] }) => name).join(', ')
  return `${wanted} was asked for, but the booking has ${names.length === 0 ? 'no table' : names.join(', ')}`
}

/** Runs a write; the hint of a refusal gets the day and party that were asked for instead of the usual ones. */
export async function withRealHints<T>(occasion: Occasion, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.hint === undefined) throw error
    const { people } = occasion
    const hint = error.hint
      .replace(/(?<=--date )today\b/, dateOf(occasion) ?? 'today')
      .replace(/(?<=--people )2\b/, typeof people === 'number' ? String(people) : '2')
    throw error.withHint(hint)
  }
}
