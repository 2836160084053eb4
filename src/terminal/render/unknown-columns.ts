import { findNearest } from '../../base/failure/nearest.ts'
import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import type { WireRecord } from '../../base/json/list/wire-record.ts'
import { valueAt } from '../../base/json/paths.ts'
import { terminalSafe } from './text/safe-text.ts'
import type { ListView } from './view.ts'

/** The number of records whose member names are collected for suggestions. */
const SAMPLED_RECORDS = 100
/** How many nesting levels to search for member names. */
const DEPTH = 4
const MAX_QUOTED_CHARACTERS = 100

/**
 * Watches a list for requested columns that no record has, because such names are probably misspelled. `paths` is
 * `null` if no columns were requested.
 */
export function watchForUnknownColumns(paths: readonly string[] | null, { one, csvPaths, columns, flagFor }: ListView) {
  const missing = new Set(paths ?? [])
  const names = new Set<string>()
  let records = 0
  const warningOf = (path: string): string => {
    const quoted = path.length > MAX_QUOTED_CHARACTERS ? `${path.slice(0, MAX_QUOTED_CHARACTERS)}…` : path
    const text = `no ${one} here has '${quoted}' (from --columns)`
    const flag = flagFor?.(path) ?? null
    if (flag !== null) return `${text}; add ${flag}`
    if (csvPaths.includes(path)) return text
    const titled = columns.find(({ header }) => titleOf(header) === titleOf(path))
    const near = titled?.path ?? findNearest(path, [...names, ...csvPaths])
    return near === null ? `${text}; -o json shows all members` : `${text}; did you mean ${near}?`
  }
  return {
    see: (record: WireRecord): void => {
      // Check this first, because reading `value` parses the record, which most lists do not need.
      if (missing.size === 0) return
      const { value } = record
      for (const path of missing) if (valueAt(value, path) !== undefined) missing.delete(path)
      if (missing.size > 0 && records < SAMPLED_RECORDS) for (const name of namesIn(value)) names.add(name)
      records++
    },
    /** Returns a warning for each requested column that no record has, or '' if there are none. */
    remark: (): string =>
      records === 0 ? '' : [...missing].map((path) => `warning: ${terminalSafe(warningOf(path))}\n`).join(''),
  }
}

function titleOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function namesIn(value: JsonValue, depth = DEPTH): string[] {
  if (depth === 0) return []
  const members: readonly (readonly [string, JsonValue | undefined])[] = isJsonObject(value)
    ? Object.entries(value)
    : Array.isArray(value)
      ? [['0', (value as readonly JsonValue[])[0]]]
      : []
  return members.flatMap(([name, member]) => [
    name,
    ...(member === undefined ? [] : namesIn(member, depth - 1).map((inner) => `${name}.${inner}`)),
  ])
}
