import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import type { ResourceName } from '../copy.ts'

export interface CopiedRecord {
  readonly resource: ResourceName
  readonly id: string
  readonly content: JsonObject
  /** Whether the record is flat, as in a CSV file: the member names are dotted paths, and the values are strings. */
  readonly isFlat: boolean
}

export type ReadCopy = { readonly resources: ReadonlySet<ResourceName>; readonly records: readonly CopiedRecord[] }

/** The path of the ID in each resource's records. Objects with an ID at this path belong to the resource. */
const ID_PATHS: readonly (readonly [resource: ResourceName, path: string])[] = [
  ['giftcards', 'cardNumber'],
  ['sales', 'saleDetail.transactionId'],
  ['bookings', 'bookingId'],
  ['customers', 'id'],
]

/** Recognizes a record by its ID member. Returns `null` if the object is not one of the service's records. */
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
 * Reads a list of records, a single record, or an object that contains lists (`{bookings: […]}`). Returns `null` for
 * any other JSON.
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

/**
 * Builds a copy from the objects that are records. Treats an empty list as bookings. Returns `null` if there are
 * objects but none of them is a record.
 */
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
