import type { JsonValue } from './exact.ts'

export type PathReader = (value: JsonValue | undefined) => JsonValue | undefined

/**
 * Returns the value at a path such as `tables.0.tableName`, if any. A member whose name is the path itself, with its
 * dots, takes precedence.
 */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return getPathReader(path)(value)
}

const known = new Map<string, PathReader>()
/** The cache is cleared when it reaches this size, which happens only if a script uses that many different paths. */
const MOST_KNOWN = 1000

/** Returns a cached function that reads the value at a path in the same way as {@link valueAt}. */
export function getPathReader(path: string): PathReader {
  let reader = known.get(path)
  if (!reader) {
    if (known.size >= MOST_KNOWN) known.clear()
    reader = pathReader(path)
    known.set(path, reader)
  }
  return reader
}

function pathReader(path: string): PathReader {
  const dot = path.indexOf('.')
  if (dot < 0) return memberReader(path)
  const [head, rest] = [path.slice(0, dot), pathReader(path.slice(dot + 1))]
  const [whole, first] = [memberReader(path), memberReader(head)]
  return (value) => {
    if (Array.isArray(value)) return rest(first(value))
    const own = whole(value)
    return own === undefined ? rest(first(value)) : own
  }
}

function memberReader(name: string): PathReader {
  const index = /^\d+$/.test(name) ? Number(name) : -1
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value)) return index < 0 ? undefined : (value as readonly JsonValue[])[index]
    const member = (value as { readonly [name: string]: JsonValue | undefined })[name]
    // Check the value first, because Object.hasOwn is slower and most members are absent or own properties.
    if (member === undefined) return undefined
    return Object.hasOwn(value, name) && (name !== 'rawJSON' || !JSON.isRawJSON(value)) ? member : undefined
  }
}

/** Returns an object that maps each path to its value, or to `null` if no value is present. */
export function project(value: JsonValue, paths: readonly string[]): JsonValue {
  return Object.fromEntries(paths.map((path) => [path, valueAt(value, path) ?? null]))
}
