import type { JsonValue } from './exact.ts'

/** Reads one member of a value: undefined when there is none. */
export type Reader = (value: JsonValue | undefined) => JsonValue | undefined

/**
 * The value at a dotted path (`customer.lastName`, `tables.0.tableName`); undefined when there is none.
 * A member whose name has dots wins over a path through its parts. Inherited members do not count.
 */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return readerOf(path)(value)
}

const known = new Map<string, Reader>()
/** Paths stand in the code, or were typed; more than these are made up by a program. */
const MOST_KNOWN = 1000

/** Reads the value at a dotted path, as {@link valueAt}. */
export function readerOf(path: string): Reader {
  let reader = known.get(path)
  if (!reader) {
    if (known.size >= MOST_KNOWN) known.clear()
    reader = pathReader(path)
    known.set(path, reader)
  }
  return reader
}

function pathReader(path: string): Reader {
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

function memberReader(name: string): Reader {
  const index = /^\d+$/.test(name) ? Number(name) : -1
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value)) return index < 0 ? undefined : (value as readonly JsonValue[])[index]
    const member = (value as { readonly [name: string]: JsonValue | undefined })[name]
    // Most members that are asked for are own ones, or absent.
    if (member === undefined) return undefined
    return Object.hasOwn(value, name) && (name !== 'rawJSON' || !JSON.isRawJSON(value)) ? member : undefined
  }
}

/** Makes an object of the values at some paths, with the paths as its names. A missing value becomes null. */
export function project(value: JsonValue, paths: readonly string[]): JsonValue {
  return Object.fromEntries(paths.map((path) => [path, valueAt(value, path) ?? null]))
}
