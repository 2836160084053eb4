import type { JsonObject } from '../../../base/json/exact.ts'
import type { CardChange, ResourceName } from '../../../sync/copy.ts'
import { textIn } from '../values.ts'

/** A record of a copy that is about what is looked for. */
export interface FoundRecord {
  readonly kind: 'booking' | 'sale' | 'card'
  readonly record: JsonObject
  /** `bookings.ndjson:4`, with the line or row; of a database its name. */
  readonly where: string
  /** Up to when a database has all changes, epoch milliseconds; null: a file does not say. */
  readonly asOfMs: number | null
}

/** What snapshots of gift cards in a database found of one card. */
export interface FoundChanges {
  readonly changes: readonly CardChange[]
  readonly where: string
}

/** What is looked for in copies: records that have one of these IDs, as booking, sale or card. */
export type SoughtIds = ReadonlySet<string>

/** What a record is, by its members; null: neither booking nor sale nor gift card. */
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

/** Which resource has records of a kind. */
export const RESOURCE_OF: Readonly<Record<FoundRecord['kind'], ResourceName>> = {
  booking: 'bookings',
  sale: 'sales',
  card: 'giftcards',
}
