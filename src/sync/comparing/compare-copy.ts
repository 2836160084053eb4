import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import type { ResourceName } from '../copy.ts'
import { type CopiedRecord, idOf, type ReadCopy } from './copied-record.ts'

/** Selects the members to compare. Other members can change without the service reporting a change to the record. */
const COMPARED: Readonly<Partial<Record<ResourceName, (path: string) => boolean>>> = {
  // When a customer changes, the change dates of the customer's bookings are not updated.
  bookings: (path) => !path.startsWith('customer.') || path === 'customer.id',
  // When a booking changes, the service does not list its sale again.
  sales: (path) => path.startsWith('saleDetail.'),
}

export type AllRecords = Readonly<Record<ResourceName, readonly JsonObject[]>>

/** The service's records, at an earlier time and now. */
export type Truths = { readonly before: AllRecords; readonly now: AllRecords }

/** A record that a copy lacks, has in an outdated version, or should not have. */
export type WrongRecord = { readonly resource: ResourceName; readonly id: string }

export interface CopyReport {
  readonly agrees: boolean
  readonly compared: number
  readonly resources: readonly ResourceName[]
  readonly missing: readonly WrongRecord[]
  readonly extra: readonly WrongRecord[]
  /** Records that differ, with the dotted paths of the members that differ. */
  readonly stale: readonly (WrongRecord & { readonly fields: readonly string[] })[]
}

/**
 * Compares a copy with the service. Reports a missing record if it changed since `before`. If the copy lacks only a few
 * other records, reports them too. If it lacks many, the copy was probably limited to a period, so only those between
 * its first and last record are reported.
 */
export function compareCopy({ resources, records }: ReadCopy, { before, now }: Truths): CopyReport {
  const missing: WrongRecord[] = []
  const extra: WrongRecord[] = []
  const stale: CopyReport['stale'][number][] = []
  let compared = 0
  for (const resource of resources) {
    const copied = newestById(records.filter((record) => record.resource === resource))
    const truth = new Map(now[resource].map((record) => [idOf(resource, record), record]))
    const earlier = new Map(before[resource].map((record) => [idOf(resource, record), JSON.stringify(record)]))
    const isTouched = (id: string, record: JsonObject) => earlier.get(id) !== JSON.stringify(record)
    compared += copied.size
    for (const [id, record] of copied) {
      const known = truth.get(id)
      if (known === undefined) extra.push({ resource, id })
      else {
        const fields = differingFields(record, known)
        if (fields.length > 0) stale.push({ resource, id, fields })
      }
    }
    const lacking = [...truth].filter(([id]) => !copied.has(id))
    const touched = lacking.filter(([id, record]) => isTouched(id, record))
    const untouched = [...truth].filter(([id, record]) => !isTouched(id, record))
    for (const [id] of [...touched, ...findGaps(resource, untouched, copied)]) missing.push({ resource, id })
  }
  const agrees = missing.length + extra.length + stale.length === 0
  return { agrees, compared, resources: [...resources], missing, extra, stale }
}

/** Returns the newest version of each record by change date. Among versions with equal dates, the last one wins. */
function newestById(records: readonly CopiedRecord[]): ReadonlyMap<string, CopiedRecord> {
  const newest = new Map<string, CopiedRecord>()
  for (const record of records) {
    const known = newest.get(record.id)
    if (known === undefined || changeOf(record.content) >= changeOf(known.content)) newest.set(record.id, record)
  }
  return newest
}

function changeOf({ lastModifiedDate }: JsonObject): string {
  return typeof lastModifiedDate === 'string' ? lastModifiedDate : ''
}

type Entry = readonly [id: string, record: JsonObject]

/**
 * The dotted paths of the timestamps by which a copy may have been limited to a period. Sorting them as strings sorts
 * them by time.
 */
const TIMES: Readonly<Record<ResourceName, readonly string[]>> = {
  bookings: ['bookingTime', 'lastModifiedDate'],
  customers: ['lastModifiedDate'],
  giftcards: ['issuedDate'],
  sales: ['saleDetail.transactionDateTime'],
}

/** The maximum share of missing records with which a copy still counts as complete. */
const MAX_MISSING_SHARE = 0.1

/**
 * Returns the missing records. If there are many, returns only those between the copy's first and last record, ordered
 * by the timestamp for which the fewest are missing.
 */
function findGaps(resource: ResourceName, all: readonly Entry[], copied: ReadonlyMap<string, unknown>) {
  const due = resource === 'giftcards' ? all.filter(([, { status }]) => status === 'Active') : all
  const lacking = due.filter(([id]) => !copied.has(id))
  if (lacking.length <= due.length * MAX_MISSING_SHARE) return lacking
  const explained = TIMES[resource].map((path) => {
    const timeOf = (record: JsonObject) => String(valueAt(record, path) ?? '')
    const times = due.filter(([id]) => copied.has(id)).map(([, record]) => timeOf(record))
    const [first, last] = [times.toSorted()[0], times.toSorted().at(-1)]
    if (first === undefined || last === undefined) return []
    return lacking.filter(([, record]) => timeOf(record) >= first && timeOf(record) <= last)
  })
  return explained.toSorted((one, other) => one.length - other.length)[0] ?? []
}

function differingFields({ resource, content, isFlat }: CopiedRecord, truth: JsonObject): string[] {
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
    // Ignore empty customer columns. A CSV file has these columns even if it has no customer data.
    if (value === undefined || (text === '' && path.startsWith('customer.'))) return []
    return textOf(value) === text ? [] : [path]
  })
}

function textOf(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
