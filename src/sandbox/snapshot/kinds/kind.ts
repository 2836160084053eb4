import type { Row, Store } from '../../store/store.ts'
import type { Member, Whole } from '../form/members.ts'

/** The IDs of the records that a file has so far, by kind. */
export type Seen = ReadonlyMap<string, ReadonlySet<string>>

/** A kind of records: how they stand in a snapshot and in the store. */
export interface Kind {
  /** What one is called; the first member of its lines, whose value tells records of the kind apart. */
  readonly name: string
  /** Reads the rows that a snapshot has, in its order. */
  readonly select: string
  readonly members: readonly Member[]
  /** True when several lines may have the same first member. */
  readonly repeats?: boolean
  /** Makes the whole record of a row. */
  toRecord(row: Row): Whole
  /** Stores a whole record. */
  insert(store: Store, record: Whole): void
  /** What is wrong with a record as a whole; null when nothing is. */
  problem?(record: Whole, seen: Seen): string | null
}

/** Reads the document of a row. */
export function documentOf(row: Row): string {
  return String(row['document'])
}

/** Writes an instant of a row as ISO 8601. */
export function isoOf(row: Row, column: string): string {
  return new Date(Number(row[column])).toISOString()
}

/** The instant that a record has as ISO 8601, in milliseconds since 1970. */
export function msOf(record: Whole, member: string): number {
  return Date.parse(String(record[member]))
}
