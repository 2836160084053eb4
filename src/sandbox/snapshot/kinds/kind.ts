import type { SQLInputValue } from 'node:sqlite'
import { parseExact } from '../../../base/json/exact.ts'
import type { Row, Store } from '../../store/store.ts'
import type { Member, Members, Whole } from '../form/members.ts'

/** The IDs of the records that a file has so far, by kind. */
export type Seen = ReadonlyMap<string, ReadonlySet<string>>

/** A kind of records: how they stand in a snapshot and in the store. */
export interface Kind {
  /** What one is called; the first member of its lines, whose value tells records of the kind apart. */
  readonly name: string
  /** Reads the rows that a snapshot has, in its order. */
  readonly select: string
  readonly members: Members
  /** True when several lines may have the same first member. */
  readonly repeats?: boolean
  /** Makes the whole record of a row. */
  toRecord(row: Row): Whole
  /** Stores a whole record. */
  insert(store: Store, record: Whole): void
  /** What is wrong with a record as a whole; null when nothing is. */
  problem?(record: Whole, seen: Seen): string | null
}

/** The column that keeps a member, and how it writes the member's values. */
export interface Column {
  readonly name: string
  toMember(value: unknown): unknown
  toColumn(value: unknown): SQLInputValue
}

/** A column that keeps a text, a number or null as it is. */
export function plain(name: string): Column {
  return { name, toMember: (value) => value, toColumn: (value) => value as SQLInputValue }
}

/** A column that keeps an instant, which is ISO 8601 in a snapshot, in milliseconds since 1970. */
export function inMs(name: string): Column {
  return { name, toMember: (ms) => new Date(Number(ms)).toISOString(), toColumn: (iso) => Date.parse(String(iso)) }
}

/** A column that keeps a value as JSON text, and null as null. */
export function asJson(name: string, parse: (text: string) => unknown = JSON.parse): Column {
  return {
    name,
    toMember: (text) => (text === null ? null : parse(String(text))),
    toColumn: (value) => (value === null ? null : JSON.stringify(value)),
  }
}

/** A column that keeps true as 1. */
export function asBit(name: string): Column {
  return { name, toMember: (bit) => bit === 1, toColumn: (flag) => (flag ? 1 : 0) }
}

/** A kind of records that are the rows of one table. */
interface TableKind extends Omit<Kind, 'select' | 'toRecord' | 'insert'> {
  readonly table: string
  /** Which rows a snapshot has, in its order, as the end of a query. */
  readonly rows: string
  readonly members: Readonly<Record<string, Member & { readonly column?: Column }>>
  /** Reads the members that are in the row's document; they count more than those of the columns. */
  readonly inDocument?: (document: Whole) => Whole
  /** The columns that no member has. */
  readonly derived?: (record: Whole) => Readonly<Record<string, SQLInputValue>>
}

/** Makes a kind whose records are stored, and read again, column by column. */
export function rowsOf({ table, rows, inDocument, derived, ...kind }: TableKind): Kind {
  const columns = Object.entries(kind.members).flatMap(([member, { column }]) => (column ? [{ member, column }] : []))
  return {
    ...kind,
    select: `SELECT * FROM ${table} ${rows}`,
    toRecord: (row) => ({
      ...Object.fromEntries(columns.map(({ member, column }) => [member, column.toMember(row[column.name])])),
      ...inDocument?.(parseExact(String(row['document'])) as Whole),
    }),
    insert: (store, record) =>
      store.insert(table, {
        ...Object.fromEntries(columns.map(({ member, column }) => [column.name, column.toColumn(record[member])])),
        ...derived?.(record),
      }),
  }
}
