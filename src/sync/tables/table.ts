/** A column's type: `cents` are whole, an `instant` is in UTC, a `wall` time is local, `json` is the service's JSON. */
export type ColumnType = 'text' | 'integer' | 'cents' | 'boolean' | 'instant' | 'wall' | 'json'

/** The origin of a column's value: a member of the record (`status.code`), or a value for {@link given}. */
export type ColumnOrigin =
  | { readonly path: string }
  /** The instant of a member that contains a venue's local time; `null` if the time zone is unknown. */
  | { readonly wallPath: string }
  | { readonly given: 'source' | 'id' | 'position' | 'extraOf' | 'changed' | 'digest' | 'raw' }
  /** A value that the database sets and that new versions of the record do not change. */
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

/** A table of rows that belong to a booking, by `booking_id`, and are replaced together with it. */
export interface ChildTable extends Table {
  /** The member of the record that contains the list. */
  readonly listPath: string
  /** The member that contains an item's extra items, which become the rows after it; `null` if there is none. */
  readonly extrasPath: string | null
}

export interface MainTable extends Table {
  /** Whether a row never replaces one with a newer `last_modified`. If false, the last row read wins. */
  readonly hasChangeDate: boolean
  readonly children: readonly ChildTable[]
}

/**
 * A column's value: instants as `yyyy-MM-ddTHH:mm:ss.fffZ`, wall times as `yyyy-MM-ddTHH:mm:ss`, cents as safe
 * integers.
 */
export type Value = string | number | boolean | null

/** A row's values, in the order of the table's columns. */
export type Row = readonly Value[]

/** Makes columns of one type for members of the record. `paths` maps column names to the members' paths. */
export function members(type: ColumnType, paths: Readonly<Record<string, string>>): Column[] {
  return Object.entries(paths).map(([name, path]) => ({ name, type, origin: { path }, required: false }))
}

type Given = Extract<ColumnOrigin, { given: string }>['given']

/** Makes a column whose value is not a member of the record. */
export function given(name: string, type: ColumnType, what: Given, required = false): Column {
  return { name, type, origin: { given: what }, required }
}

/** Makes columns that the database sets and that may be null. */
export function kept(type: ColumnType, ...names: readonly string[]): Column[] {
  return names.map((name) => given(name, type, 'kept'))
}

/** Makes columns that the database sets and that are never null. */
export function required(type: ColumnType, ...names: readonly string[]): Column[] {
  return names.map((name) => given(name, type, 'kept', true))
}

/** The first columns of each table of records. */
export const IDENTITY: readonly Column[] = [given('source', 'text', 'source', true), given('id', 'text', 'id', true)]

/** The last columns of each table of records. The digest identifies versions where the change date does not. */
export const VERSION_AND_RAW: readonly Column[] = [given('digest', 'text', 'digest'), given('raw', 'json', 'raw', true)]
