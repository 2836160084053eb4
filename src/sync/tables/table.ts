/**
 * What a column holds. `cents`: money, whole cents of the currency. `instant`: a moment, UTC. `wall`: a time on the venue's clock,
 * no zone. `json`: the service's own JSON.
 */
export type ColumnType = 'text' | 'integer' | 'cents' | 'boolean' | 'instant' | 'wall' | 'json'

/** Where a value comes from: a member of the record (`status.code`), or what stands beside it. */
export type ColumnOrigin =
  | { readonly path: string }
  /** A member that holds a time on the venue's clock, as an instant; null when the venue's zone is not known. */
  | { readonly wallPath: string }
  | { readonly given: 'source' | 'id' | 'position' | 'extraOf' | 'changed' | 'digest' | 'raw' }
  /** The database's own bookkeeping: no record has it, and a new version of one leaves it alone. */
  | { readonly given: 'kept' }

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly origin: ColumnOrigin
  readonly required: boolean
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** Names of columns; the primary key. */
  readonly key: readonly string[]
  /** Lists of names of columns. */
  readonly indexes: readonly (readonly string[])[]
}

/** Rows that belong to a row of another table, by `booking_id`, and are replaced with it. */
export interface ChildTable extends Table {
  /** The member of the record that lists them. */
  readonly listPath: string
  /** The member of each that lists more of the same, which follow it as rows; null: none does. */
  readonly extrasPath: string | null
}

/** The table of a resource: a row for each record. */
export interface MainTable extends Table {
  /** Whether an older `last_modified` never replaces a newer one; false: what was read last counts. */
  readonly hasChangeDate: boolean
  readonly children: readonly ChildTable[]
}

/** A value of a row. Instants are `yyyy-MM-ddTHH:mm:ss.fffZ`, wall times `yyyy-MM-ddTHH:mm:ss`, cents safe integers. */
export type Value = string | number | boolean | null

/** The values of a row, in the order of the table's columns. */
export type Row = readonly Value[]

type Members = readonly (readonly [name: string, type: ColumnType, path: string])[]

/** Columns that hold members of the record. */
export function members(list: Members): Column[] {
  return list.map(([name, type, path]) => ({ name, type, origin: { path }, required: false }))
}

/** A column that is filled from beside the record. */
export function given(
  name: string,
  type: ColumnType,
  what: Extract<ColumnOrigin, { given: string }>['given'],
  required = false,
): Column {
  return { name, type, origin: { given: what }, required }
}

/** A column that the database keeps for itself. */
export function kept(name: string, type: ColumnType, required = false): Column {
  return given(name, type, 'kept', required)
}

/** `source` and `id`, which each table of records starts with. */
export const IDENTITY: readonly Column[] = [given('source', 'text', 'source', true), given('id', 'text', 'id', true)]

/** `digest` and `raw`, with which each table of records ends. The digest names a version that its change date does not name. */
export const VERSION_AND_RAW: readonly Column[] = [given('digest', 'text', 'digest'), given('raw', 'json', 'raw', true)]
