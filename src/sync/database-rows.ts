import { resolve } from 'node:path'
import { type Failure, usageFailure } from '../base/failure/failure.ts'
import type { Dialect } from './tables/ddl.ts'

/** A row of an answer, as text whatever the database: numbers are their digits. */
export type TextRow = Readonly<Record<string, string | null>>

/** A copy in a database that is only looked at. All statements see it as it was at the first of them. */
export interface DatabaseRows {
  readonly dialect: Dialect
  /** Fails: as the database does, in words. */
  readonly rows: (sql: string) => Promise<readonly TextRow[]>
  readonly close: () => Promise<void>
}

/** How to get at it, and which flag names it. */
export interface RowsPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  /** `--copy` */
  readonly flag: string
  /** How to make a copy, for a database that has none. */
  readonly hint: string
}

/** Opens a copy to look at it; nothing is made. Fails: USAGE, also when there are no tables of a sync in it; as the database does. */
export async function openRows(name: string, kind: Dialect, place: RowsPlace): Promise<DatabaseRows> {
  return kind === 'sqlite' ? openFile(name, place) : openServer(name, place)
}

async function openFile(name: string, place: RowsPlace): Promise<DatabaseRows> {
  const [{ openToRead }, { databaseFailure }] = await Promise.all([
    import('./sqlite/database.ts'),
    import('./sqlite/trouble.ts'),
  ])
  const path = resolve(name)
  const database = openToRead(path)
  if (database === null) throw noCopy(name, place)
  database.exec('BEGIN')
  return {
    dialect: 'sqlite',
    rows: (sql) => {
      try {
        const statement = database.prepare(sql)
        statement.setReadBigInts(true)
        return Promise.resolve(statement.all().map(asText))
      } catch (error) {
        return Promise.reject(databaseFailure(path, error))
      }
    },
    close: () => Promise.resolve(database.close()),
  }
}

/** A reader holds nothing; its limits are those of a long lease. */
const READER_LEASE_MS = 60_000

async function openServer(name: string, place: RowsPlace): Promise<DatabaseRows> {
  const [{ parseAddress }, { Connection, limitsFor }, { readForm }] = await Promise.all([
    import('./postgres/connection/address.ts'),
    import('./postgres/connection/connection.ts'),
    import('./postgres/schema.ts'),
  ])
  const { env, signal, flag } = place
  const connection = await Connection.open(parseAddress(name, env, flag), limitsFor(READER_LEASE_MS), signal)
  try {
    if ((await readForm(connection)) === null) throw noCopy('the database', place)
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  } catch (error) {
    await connection.close()
    throw error
  }
  return { dialect: 'postgres', rows: (sql) => connection.query(sql), close: () => connection.close() }
}

function noCopy(name: string, { flag, hint }: RowsPlace): Failure {
  return usageFailure([`${flag}: ${name} has no copy in it`], hint)
}

function asText(row: Readonly<Record<string, unknown>>): TextRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]))
}
