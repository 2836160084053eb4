import type { JsonObject } from '../../../base/json/exact.ts'
import type { CardChange, ResourceName } from '../../../sync/copy.ts'
import { textIn } from '../values.ts'

/** A record found in a copy. */
export interface FoundRecord {
  readonly kind: 'booking' | 'sale' | 'card'
  readonly record: JsonObject
  /** `bookings.ndjson:4`, with the line or row, or the name of a database. */
  readonly where: string
  /** The time up to which a database is complete, epoch milliseconds. Null for a file. */
  readonly asOfMs: number | null
}

/** The changes of one card in the snapshots of a database. */
export interface FoundChanges {
  readonly changes: readonly CardChange[]
  readonly where: string
}

/** IDs of bookings, sales or cards. */
export type SoughtIds = ReadonlySet<string>

/** The kind of a record, from its members, or null. */
export function kindOf(record: JsonObject): FoundRecord['kind'] | null {
  if (record['saleDetail'] !== undefined || record['saleDetail.transactionId'] !== undefined) return 'sale'
  if (record['cardNumber'] !== undefined) return 'card'
  return record['bookingId'] === undefined ? null : 'booking'
}

/** Whether a record has one of the IDs. */
export function isSought(record: JsonObject, kind: FoundRecord['kind'], ids: SoughtIds): boolean {
  if (kind === 'card') return ids.has((textIn(record, 'cardNumber') ?? '').toUpperCase())
  const paths = kind === 'sale' ? ['saleDetail.transactionId', 'bookingId'] : ['bookingId']
  return paths.some((path) => ids.has(textIn(record, path) ?? ''))
}

/** The resource for each kind. */
export const RESOURCE_OF: Readonly<Record<FoundRecord['kind'], ResourceName>> = {
  booking: 'bookings',
  sale: 'sales',
  card: 'giftcards',
}
