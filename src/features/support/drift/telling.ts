import { isJsonObject, type JsonValue } from '../../../base/json/exact.ts'

/**
 * Chooses the few records of a list that together have most of their members filled in, and gives their IDs: with so few requests,
 * an empty member shows nothing.
 */
export function tellingIds(records: readonly JsonValue[], idMember: string, most: number): string[] {
  const left = records.flatMap((record) => {
    const id = isJsonObject(record) ? record[idMember] : null
    return typeof id === 'string' ? [{ id, filled: filledPaths(record) }] : []
  })
  const told = new Set<string>()
  const chosen: string[] = []
  while (chosen.length < most) {
    let best: (typeof left)[number] | null = null
    let bestGain = 0
    for (const one of left) {
      const gain = [...one.filled].filter((path) => !told.has(path)).length
      if (gain > bestGain) [best, bestGain] = [one, gain]
    }
    if (best === null) break
    chosen.push(best.id)
    for (const path of best.filled) told.add(path)
  }
  return chosen
}

/** No record of ours is nested deeper. */
const MOST_DOTS = 200

/** The paths of all members that hold something. */
function filledPaths(value: JsonValue, path = '', into: Set<string> = new Set()): Set<string> {
  if (path.length > MOST_DOTS) return into
  if (Array.isArray(value)) for (const one of value) filledPaths(one, `${path}[]`, into)
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value)) filledPaths(member ?? null, `${path}.${name}`, into)
  else if (value !== null && value !== '') into.add(path)
  return into
}
