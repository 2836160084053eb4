import { usageFailure } from '../../../../base/failure/failure.ts'
import { findNearest } from '../../../../base/failure/nearest.ts'
import { MAP_KEYS, type MapKey } from '../ledger.ts'

export type ColumnMap = ReadonlyMap<MapKey, string>

const PAIR = /\s*([A-Za-z]+)\s*=\s*("(?:[^"]|"")*"\s*|[^,]*)(?:,|$)/y

/** Maps each key to the column with the same name, ignoring case. */
export function mapByName(columns: readonly string[]): ColumnMap {
  const named = MAP_KEYS.flatMap((key) => {
    const column = columns.find((one) => one.toLowerCase() === key.toLowerCase())
    return column === undefined ? [] : [[key, column] as const]
  })
  return new Map(named)
}

/** Parses `--map saleId=Bill,total="Total, gross"`. The flag may be repeated. Throws USAGE, listing all problems. */
export function parseMap(given: readonly string[]): ColumnMap {
  const map = new Map<MapKey, string>()
  const problems: string[] = []
  for (const text of given)
    for (const [key, column] of pairsOf(text, problems)) {
      const known = MAP_KEYS.find((one) => one === key)
      if (known === undefined) {
        const near = findNearest(key, MAP_KEYS)
        problems.push(`--map: there is no key ${JSON.stringify(key)}${near === null ? '' : `; did you mean ${near}?`}`)
      } else if (column === '') problems.push(`--map: ${key} has no column`)
      else if (map.has(known)) problems.push(`--map: ${key} is given twice`)
      else map.set(known, column)
    }
  if (problems.length === 0)
    for (const key of ['saleId', 'total'] as const)
      if (!map.has(key)) problems.push(`--map must name the column for ${key}`)
  if (problems.length > 0)
    throw usageFailure(problems, `such as --map saleId=Bill,total=Total; its keys are ${MAP_KEYS.join(', ')}`)
  return map
}

function pairsOf(text: string, problems: string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = []
  PAIR.lastIndex = 0
  for (let at = 0; at < text.length; at = PAIR.lastIndex) {
    PAIR.lastIndex = at
    const match = PAIR.exec(text)
    if (match === null) {
      problems.push(`--map must be KEY=COLUMN,KEY=COLUMN, not ${JSON.stringify(text.slice(at))}`)
      break
    }
    const [, key = '', written = ''] = match
    const column = written.trim()
    pairs.push([key, column.startsWith('"') ? column.slice(1, -1).replaceAll('""', '"').trim() : column])
  }
  return pairs
}
