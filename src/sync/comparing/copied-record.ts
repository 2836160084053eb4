import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import type { ResourceName } from '../copy.ts'

export interface CopiedRecord {
  readonly resource: ResourceName
  readonly id: string
  readonly content: JsonObject
  /** Whether the members are strings under dotted paths, as in a CSV file. */
  readonly isFlat: boolean
}

export type ReadCopy = { readonly resources: ReadonlySet<ResourceName>; readonly records: readonly CopiedRecord[] }

/** The ID member of each resource. Its path also distinguishes the resources. */
const ID_PATHS: readonly (readonly [resource: ResourceName, path: string])[] = [
  ['giftcards', 'cardNumber'],
  ['sales', 'saleDetail.transactionId'],
  ['bookings', 'bookingId'],
  ['customers', 'id'],
]

/** Recognizes a record by its ID member. Returns `null` if the object is not a record of the service. */
export function recognize(content: JsonObject, isFlat = false): CopiedRecord | null {
  const read = (path: string) => (isFlat ? content[path] : valueAt(content, path))
  for (const [resource, path] of ID_PATHS) {
    const id = read(path)
    if (typeof id === 'string' && id !== '') return { resource, id, content, isFlat }
  }
  return null
}

/** Returns a record's ID, or an empty string if it has none. */
export function idOf(resource: ResourceName, content: JsonObject): string {
  const path = ID_PATHS.find(([one]) => one === resource)?.[1] ?? ''
  const id = valueAt(content, path)
  return typeof id === 'string' ? id : ''
}

/**
 * Reads a list of records or an object that contains such lists (`{bookings: […]}`). Returns `null` if the JSON is
 * neither.
 */
export function copyFromJson(value: JsonValue): ReadCopy | null {
  if (Array.isArray(value)) return copyOf(value.filter(isJsonObject))
  if (!isJsonObject(value)) return null
  const alone = recognize(value)
  if (alone !== null && !Object.values(value).some(Array.isArray)) return copyOf([value])
  const lists = Object.entries(value).filter((member): member is [string, readonly JsonValue[]] =>
    Array.isArray(member[1]),
  )
  if (lists.length === 0) return alone === null ? null : copyOf([value])
  const named = ID_PATHS.map(([resource]) => resource).filter((resource) =>
    lists.some(([name]) => name.toLowerCase() === resource),
  )
  const objects = lists.flatMap(([, list]) => list.filter(isJsonObject))
  return copyOf(objects, named)
}

/** Makes a copy of recognized records. An empty list is a copy of bookings. Returns `null` if no object is a record. */
export function copyOf(
  objects: readonly JsonObject[],
  named: readonly ResourceName[] = [],
  isFlat = false,
): ReadCopy | null {
  const records = objects.flatMap((content) => recognize(content, isFlat) ?? [])
  if (objects.length > 0 && records.length === 0) return null
  const resources = new Set([...named, ...records.map(({ resource }) => resource)])
  return { records, resources: resources.size === 0 ? new Set(['bookings']) : resources }
}
