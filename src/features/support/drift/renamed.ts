import { findNearest } from '../../../base/failure/nearest.ts'
import type { Shape } from '../../../contract/answers/shape.ts'
import type { Expected } from '../../../contract/shapes/expected.ts'

/**
 * Finds the members that are never there while one that nobody knows is always there in their place, and looks as they should:
 * the contract's name, and the other one. A member that may be missing must have a similar name, too, or be the only one that is, and
the other one the only new one: else it is simply missing.
 */
export function findRenamed(
  expected: ReadonlyMap<string, Expected>,
  there: Readonly<Record<string, Shape>>,
  parents: number,
): ReadonlyMap<string, string> {
  const missing = [...expected].filter(([name]) => !Object.hasOwn(there, name))
  const unknown = Object.entries(there).filter(([name, { seen }]) => !expected.has(name) && seen === parents)
  const isAlone = missing.length === 1 && Object.keys(there).filter((name) => !expected.has(name)).length === 1
  const fits = ([name, due]: [string, Expected], [other, shape]: [string, Shape]) =>
    looksAs(due, shape) && (due.always || isAlone || isSimilar(name, other))
  const renamed = new Map<string, string>()
  for (const one of missing) {
    const [candidate, ...others] = unknown.filter((other) => fits(one, other))
    if (candidate === undefined || others.length > 0) continue
    if (missing.filter((other) => fits(other, candidate)).length === 1) renamed.set(one[0], candidate[0])
  }
  return renamed
}

function looksAs({ kinds, form, always }: Expected, shape: Shape): boolean {
  const seen = Object.keys(shape.kinds)
  if (seen.length === 0 || (always && shape.nulls > 0)) return false
  if (kinds && !seen.every((kind) => kinds.some((known) => known === kind))) return false
  const allowed = form?.documented ?? form?.assumed
  return !allowed || Object.keys(shape.forms).every((one) => allowed.some((known) => known === one))
}

function isSimilar(name: string, other: string): boolean {
  const [a, b] = [name, other].map((one) => one.toLowerCase().replace(/[^a-z0-9]/g, '')) as [string, string]
  return a.includes(b) || b.includes(a) || findNearest(a, [b]) !== null
}
