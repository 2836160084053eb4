import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import type { ResourceName } from '../copy.ts'
import type { CopiedRecord } from './copied-record.ts'

/** The members that a copy can have another version of, without the service having told of a change: those of others. */
const COMPARED: Readonly<Partial<Record<ResourceName, (path: string) => boolean>>> = {
  // The date of change of a booking is not moved when its guest changes.
  bookings: (path) => !path.startsWith('customer.') || path === 'customer.id',
  // Nor does a sale come again when its booking changes.
  sales: (path) => path.startsWith('saleDetail.'),
}

/** The dotted paths at which a copied record says something else than the service. What it does not have, or has besides, does not count. */
export function differingFields({ resource, content, isFlat }: CopiedRecord, truth: JsonObject): string[] {
  const counts = COMPARED[resource] ?? (() => true)
  const paths = isFlat ? flatDifferences(content, truth) : differences(content, truth, '')
  return paths.filter(counts)
}

function differences(copied: JsonValue | undefined, truth: JsonValue | undefined, path: string): string[] {
  if (copied === undefined || truth === undefined) return []
  if (isJsonObject(copied) && isJsonObject(truth))
    return Object.keys(copied).flatMap((name) =>
      differences(copied[name], truth[name], path === '' ? name : `${path}.${name}`),
    )
  if (Array.isArray(copied) && Array.isArray(truth)) {
    if (copied.length !== truth.length) return [path]
    return copied.some((item, at) => differences(item, truth[at], path).length > 0) ? [path] : []
  }
  return copied === truth ? [] : [path]
}

function flatDifferences(row: JsonObject, truth: JsonObject): string[] {
  return Object.entries(row).flatMap(([path, text]) => {
    const value = valueAt(truth, path)
    // A list without guests has their columns all the same.
    if (value === undefined || (text === '' && path.startsWith('customer.'))) return []
    return textOf(value) === text ? [] : [path]
  })
}

/** A value as a field of CSV has it. */
function textOf(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
