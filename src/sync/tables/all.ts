import { literal } from '../../postgres/literal.ts'
import type { CopyKey, ResourceName } from '../copy.ts'
import { BOOKINGS } from './bookings.ts'
import { SCHEMA_VERSION_TABLE, SYNC_STATE } from './bookkeeping.ts'
import { CUSTOMERS } from './customers.ts'
import { GIFT_CARD_CHANGES, GIFT_CARD_SNAPSHOTS, GIFT_CARDS } from './giftcards.ts'
import { SALES } from './sales.ts'
import type { MainTable, Table } from './table.ts'

export const MAIN_TABLES: Readonly<Record<ResourceName, MainTable>> = {
  bookings: BOOKINGS,
  customers: CUSTOMERS,
  giftcards: GIFT_CARDS,
  sales: SALES,
}

/** Returns a table and a WHERE clause that select a copy's records, except gift cards that are no longer listed. */
export function presentRows({ source, resource }: CopyKey): string {
  const present = resource === 'giftcards' ? ' AND gone_at IS NULL' : ''
  return `${MAIN_TABLES[resource].name} WHERE source = ${literal(source)}${present}`
}

/** All tables, in the order they are created. */
export const TABLES: readonly Table[] = [
  BOOKINGS,
  ...BOOKINGS.children,
  CUSTOMERS,
  GIFT_CARDS,
  GIFT_CARD_SNAPSHOTS,
  GIFT_CARD_CHANGES,
  SALES,
  SYNC_STATE,
  SCHEMA_VERSION_TABLE,
]

/** The schema version that this release reads and writes. */
export const SCHEMA_VERSION = 1
