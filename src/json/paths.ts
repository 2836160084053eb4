import { isJsonObject, type JsonValue } from './exact.ts'

/**
 * The value at a dotted path (`customer.lastName`, `tables.0.tableName`); undefined when there is none.
 * A member whose name has dots wins over a path through its parts. Inherited members do not count.
 */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    const [head = '', ...rest] = path.split('.')
    const item = /^\d+$/.test(head) ? (value as readonly JsonValue[])[Number(head)] : undefined
    return rest.length === 0 ? item : valueAt(item, rest.join('.'))
  }
  if (!isJsonObject(value)) return undefined
  if (Object.hasOwn(value, path)) return value[path]
  const dot = path.indexOf('.')
  if (dot < 0) return undefined
  const head = path.slice(0, dot)
  return Object.hasOwn(value, head) ? valueAt(value[head], path.slice(dot + 1)) : undefined
}

/** Makes an object of the values at some paths, with the paths as its names. A missing value becomes null. */
export function project(value: JsonValue, paths: readonly string[]): JsonValue {
  return Object.fromEntries(paths.map((path) => [path, valueAt(value, path) ?? null]))
}
