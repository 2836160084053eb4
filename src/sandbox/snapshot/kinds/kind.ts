import type { SQLInputValue } from 'node:sqlite'
import { parseExact } from '../../../base/json/exact.ts'
import type { Row, Store } from '../../store/store.ts'
import type { Member, Members, RecordData } from '../form/members.ts'

/** The IDs of all records that have been read, by kind. */
export type Seen = ReadonlyMap<string, ReadonlySet<string>>

/** A kind of record, and how its records are converted between snapshot lines and database rows. */
export interface Kind {
  /** The kind's name, in the singular. Each line's first member has the same name and contains the record's ID. */
  readonly name: string
  readonly select: string
  readonly members: Members
  /** Whether several lines can have the same ID. */
  readonly repeats?: boolean
  toRecord(row: Row): RecordData
  insert(store: Store, record: RecordData): void
  /** Describes the problem with a complete record. Returns `null` if the record is valid. */
  problem?(record: RecordData, seen: Seen): string | null
}

/** The database column for a member, and how to convert values between the two. */
export interface Column {
  readonly name: string
  toMember(value: unknown): unknown
  toColumn(value: unknown): SQLInputValue
}

/** Returns a column that stores strings, numbers and nulls unchanged. */
export function plainColumn(name: string): Column {
  return { name, toMember: (value) => value, toColumn: (value) => value as SQLInputValue }
}

/** Returns a column that stores an instant as milliseconds since 1970. In a snapshot, the instant is in ISO 8601. */
export function instantColumn(name: string): Column {
  return { name, toMember: (ms) => new Date(Number(ms)).toISOString(), toColumn: (iso) => Date.parse(String(iso)) }
}

/** Returns a column that stores a value as JSON. A `null` is stored as NULL. */
export function jsonColumn(name: string, parse: (text: string) => unknown = JSON.parse): Column {
  return {
    name,
    toMember: (text) => (text === null ? null : parse(String(text))),
    toColumn: (value) => (value === null ? null : JSON.stringify(value)),
  }
}

export function booleanColumn(name: string): Column {
  return { name, toMember: (bit) => bit === 1, toColumn: (flag) => (flag ? 1 : 0) }
}

interface TableKind extends Omit<Kind, 'select' | 'toRecord' | 'insert'> {
  readonly table: string
  /** The clauses of the SQL query that filter and sort the rows. */
  readonly rows: string
  readonly members: Readonly<Record<string, Member & { readonly column?: Column }>>
  /** Returns the members that come from the row's document instead of from columns. */
  readonly inDocument?: (document: RecordData) => RecordData
  /** Computes the values of columns that do not correspond to a member. */
  readonly derived?: (record: RecordData) => Readonly<Record<string, SQLInputValue>>
}

/** Creates a kind whose records are the rows of a single table. */
export function tableKind({ table, rows, inDocument, derived, ...kind }: TableKind): Kind {
  const columns = Object.entries(kind.members).flatMap(([member, { column }]) => (column ? [{ member, column }] : []))
  return {
    ...kind,
    select: `SELECT * FROM ${table} ${rows}`,
    toRecord: (row) => ({
      ...Object.fromEntries(columns.map(({ member, column }) => [member, column.toMember(row[column.name])])),
      ...inDocument?.(parseExact(String(row['document'])) as RecordData),
    }),
    insert: (store, record) =>
      store.insert(table, {
        ...Object.fromEntries(columns.map(({ member, column }) => [column.name, column.toColumn(record[member])])),
        ...derived?.(record),
      }),
  }
}
