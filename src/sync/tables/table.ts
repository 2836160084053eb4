/**
 * A column's type. `cents` are whole numbers, an `instant` is in UTC, a `wall` time is local, and `json` is the
 * service's JSON.
 */
export type ColumnType = 'text' | 'integer' | 'cents' | 'boolean' | 'instant' | 'wall' | 'json'

/**
 * The source of a column's value: a member of the record, such as `status.code`, or a value from elsewhere, named in
 * `given`.
 */
export type ColumnOrigin =
  | { readonly path: string }
  /**
   * A member with a venue's local time, which is converted to an instant. The instant is `null` if the time zone is
   * unknown.
   */
  | { readonly wallPath: string }
  | { readonly given: 'source' | 'id' | 'position' | 'extraOf' | 'changed' | 'digest' | 'raw' }
  /** A value that is kept when a new version of the record is written. It does not come from the record. */
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
  readonly key: readonly string[]
  readonly indexes: readonly (readonly string[])[]
}

/** A table whose rows belong to a booking (`booking_id`) and are replaced together with it. */
export interface ChildTable extends Table {
  /** The member of the record that contains the list. */
  readonly listPath: string
  /**
   * The member that contains an item's extras, which become the rows after the item. `null` if items have no extras.
   */
  readonly extrasPath: string | null
}

export interface MainTable extends Table {
  /**
   * Whether a row is replaced only by a row whose `last_modified` is not earlier. If false, the row that was read last
   * wins.
   */
  readonly hasChangeDate: boolean
  readonly children: readonly ChildTable[]
}

/**
 * A column's value. Instants have the format `yyyy-MM-ddTHH:mm:ss.fffZ`, wall times have the format
 * `yyyy-MM-ddTHH:mm:ss`, and cents are safe integers.
 */
export type Value = string | number | boolean | null

/** The values of a row, in the order of the table's columns. */
export type Row = readonly Value[]

/** Creates columns of one type for members of the record. `paths` maps column names to the members' paths. */
export function members(type: ColumnType, paths: Readonly<Record<string, string>>): Column[] {
  return Object.entries(paths).map(([name, path]) => ({ name, type, origin: { path }, required: false }))
}

type Given = Extract<ColumnOrigin, { given: string }>['given']

/** Creates a column whose value is not a member of the record. */
export function given(name: string, type: ColumnType, what: Given, required = false): Column {
  return { name, type, origin: { given: what }, required }
}

/** Creates nullable columns that are not filled from a record. */
export function kept(type: ColumnType, ...names: readonly string[]): Column[] {
  return names.map((name) => given(name, type, 'kept'))
}

/** Creates NOT NULL columns that are not filled from a record. */
export function required(type: ColumnType, ...names: readonly string[]): Column[] {
  return names.map((name) => given(name, type, 'kept', true))
}

/** The first columns of every table that contains records. */
export const IDENTITY: readonly Column[] = [given('source', 'text', 'source', true), given('id', 'text', 'id', true)]

/**
 * The last columns of every table that contains records. The digest is null if the change date identifies the version.
 */
export const VERSION_AND_RAW: readonly Column[] = [given('digest', 'text', 'digest'), given('raw', 'json', 'raw', true)]
