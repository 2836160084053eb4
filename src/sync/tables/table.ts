/** `cents`: whole cents. `instant`: UTC. `wall`: a time on the venue's clock. `json`: the JSON of the service. */
export type ColumnType = 'text' | 'integer' | 'cents' | 'boolean' | 'instant' | 'wall' | 'json'

/** Where a value comes from: a member of the record (`status.code`), or one of {@link given}. */
export type ColumnOrigin =
  | { readonly path: string }
  /** The instant of a member with a time on the venue's clock; null if the zone is unknown. */
  | { readonly wallPath: string }
  | { readonly given: 'source' | 'id' | 'position' | 'extraOf' | 'changed' | 'digest' | 'raw' }
  /** Set by the database; new versions of the record leave it alone. */
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

/** Rows that belong to a booking, by `booking_id`, and are replaced with it. */
export interface ChildTable extends Table {
  /** The member of the record with the list. */
  readonly listPath: string
  /** The member of an item with more items, which follow it as rows; null if there is none. */
  readonly extrasPath: string | null
}

export interface MainTable extends Table {
  /** Whether an older `last_modified` never replaces a newer one. If false, the last read wins. */
  readonly hasChangeDate: boolean
  readonly children: readonly ChildTable[]
}

/** Instants are `yyyy-MM-ddTHH:mm:ss.fffZ`, wall times `yyyy-MM-ddTHH:mm:ss`, cents safe integers. */
export type Value = string | number | boolean | null

/** Values in the order of the table's columns. */
export type Row = readonly Value[]

/** Makes columns of one type for members of the record, whose paths are given by the names of the columns. */
export function members(type: ColumnType, paths: Readonly<Record<string, string>>): Column[] {
  return Object.entries(paths).map(([name, path]) => ({ name, type, origin: { path }, required: false }))
}

type Given = Extract<ColumnOrigin, { given: string }>['given']

/** Makes a column whose value is not a member. */
export function given(name: string, type: ColumnType, what: Given, required = false): Column {
  return { name, type, origin: { given: what }, required }
}

/** Makes columns that the database sets, and that may be null. */
export function kept(type: ColumnType, ...names: readonly string[]): Column[] {
  return names.map((name) => given(name, type, 'kept'))
}

/** Makes columns that the database sets, and that are never null. */
export function required(type: ColumnType, ...names: readonly string[]): Column[] {
  return names.map((name) => given(name, type, 'kept', true))
}

/** The first columns of each table of records. */
export const IDENTITY: readonly Column[] = [given('source', 'text', 'source', true), given('id', 'text', 'id', true)]

/** The last columns of each table of records. The digest identifies versions that the change date does not. */
export const VERSION_AND_RAW: readonly Column[] = [given('digest', 'text', 'digest'), given('raw', 'json', 'raw', true)]
