import type { Column, ColumnType, MainTable, Table } from './table.ts'

export type Dialect = 'sqlite' | 'postgres'

const TYPES: Readonly<Record<ColumnType, Readonly<Record<Dialect, string>>>> = {
  text: { sqlite: 'TEXT', postgres: 'text' },
  integer: { sqlite: 'INTEGER', postgres: 'integer' },
  cents: { sqlite: 'INTEGER', postgres: 'bigint' },
  boolean: { sqlite: 'INTEGER', postgres: 'boolean' },
  instant: { sqlite: 'TEXT', postgres: 'timestamptz' },
  wall: { sqlite: 'TEXT', postgres: 'timestamp' },
  json: { sqlite: 'TEXT', postgres: 'jsonb' },
}

export function sqlType(column: Column, dialect: Dialect): string {
  return TYPES[column.type][dialect]
}

/** Returns SQL that formats an instant as ISO 8601 text with milliseconds. */
export function isoText(expression: string, dialect: Dialect): string {
  return dialect === 'sqlite'
    ? expression
    : `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

export function createStatements(table: Table, dialect: Dialect): string[] {
  const columns = table.columns.map(
    (column) => `${column.name} ${sqlType(column, dialect)}${column.required ? ' NOT NULL' : ''}`,
  )
  const key = `PRIMARY KEY (${table.key.join(', ')})`
  return [
    `CREATE TABLE ${table.name} (\n  ${[...columns, key].join(',\n  ')}\n)${dialect === 'sqlite' ? sqliteForm(table) : ''}`,
    ...indexesOf(table).map(({ create }) => create),
  ]
}

/** Returns a table's indexes, except the primary key, with the statements that create them. */
export function indexesOf(table: Table): { readonly name: string; readonly create: string }[] {
  return table.indexes.map((names) => {
    const name = `${table.name}_by_${names.join('_')}`
    return { name, create: `CREATE INDEX IF NOT EXISTS ${name} ON ${table.name} (${names.join(', ')})` }
  })
}

/**
 * Returns the table options for SQLite. WITHOUT ROWID is inefficient for rows that contain whole records. STRICT would
 * require SQLite 3.37.
 */
function sqliteForm(table: Table): string {
  return table.columns.some(({ type }) => type === 'json') ? '' : ' WITHOUT ROWID'
}

/** Returns the columns that a record fills, in table order. */
export function filledColumns(table: Table): readonly Column[] {
  return table.columns.filter(({ origin }) => !('given' in origin && origin.given === 'kept'))
}

/**
 * Returns an ON CONFLICT clause for an INSERT of {@link filledColumns}. It replaces an existing row, unless the new
 * version is the same or older.
 */
export function onConflictReplace(table: MainTable): string {
  const others = filledColumns(table).filter(({ name }) => !table.key.includes(name))
  const sets = others.map(({ name }) => `${name} = excluded.${name}`)
  return `ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${sets.join(', ')} WHERE ${replaces(table, 'excluded')}`
}

/**
 * Returns an SQL condition that is true if the row with the alias `newer` is a different version than the table's row
 * and is not older.
 */
export function replaces(table: MainTable, newer: string): string {
  const { name } = table
  const isOther = `${name}.digest IS DISTINCT FROM ${newer}.digest`
  if (!table.hasChangeDate) return isOther
  const isNotOlder = `coalesce(${newer}.last_modified >= ${name}.last_modified, true)`
  return `${isNotOlder} AND (${isOther} OR ${name}.last_modified IS DISTINCT FROM ${newer}.last_modified)`
}
