import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure, usageFailure } from '../../failure/failure.ts'
import { describeSystemError } from '../../storage/system-error.ts'
import { databaseToRead } from '../../sync/open-target.ts'
import type { Dialect } from '../../sync/tables/ddl.ts'

/** A row of an answer, as text whatever the database: numbers are their digits. */
export type NightRow = Readonly<Record<string, string | null>>

/** A copy that is only looked at. All statements see it as it was at the first of them. */
export interface NightCopy {
  readonly dialect: Dialect
  /** Fails: as the database does, in words. */
  readonly rows: (sql: string) => Promise<readonly NightRow[]>
  readonly close: () => Promise<void>
}

/** Where the copy is, and how to get in. */
export interface NightPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

const MAKE_ONE = 'make it with partner bookings sync --to TARGET, and sales sync into the same'

/** Whether a copy is in PostgreSQL. Fails: USAGE for a target of no known kind, for one that is no database, and for a file that is not there. */
export function nightCopyKind(name: string): Dialect {
  const kind = databaseToRead(name, '--copy', MAKE_ONE)
  if (kind === 'postgres') return kind
  try {
    if (statSync(name).isDirectory()) throw usageFailure([`--copy ${name} is a directory`], MAKE_ONE)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw usageFailure([`--copy ${name} cannot be read: ${describeSystemError(error)}`], MAKE_ONE)
  }
  return kind
}

/** Opens a copy to look at it; nothing is made. Fails: USAGE, also when there are no tables of a sync in it; as the database does. */
export async function openNightCopy(name: string, place: NightPlace): Promise<NightCopy> {
  return nightCopyKind(name) === 'sqlite' ? openFile(name) : openServer(name, place)
}

async function openFile(name: string): Promise<NightCopy> {
  const [{ openToRead }, { databaseFailure }] = await Promise.all([
    import('../../sync/sqlite/database.ts'),
    import('../../sync/sqlite/trouble.ts'),
  ])
  const path = resolve(name)
  const database = openToRead(path)
  if (database === null) throw noCopy(name)
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

async function openServer(name: string, { env, signal }: NightPlace): Promise<NightCopy> {
  const [{ parseAddress }, { Connection, limitsFor }, { readForm }] = await Promise.all([
    import('../../sync/postgres/connection/address.ts'),
    import('../../sync/postgres/connection/connection.ts'),
    import('../../sync/postgres/schema.ts'),
  ])
  const connection = await Connection.open(parseAddress(name, env, '--copy'), limitsFor(READER_LEASE_MS), signal)
  try {
    if ((await readForm(connection)) === null) throw noCopy('the database')
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  } catch (error) {
    await connection.close()
    throw error
  }
  return { dialect: 'postgres', rows: (sql) => connection.query(sql), close: () => connection.close() }
}

function noCopy(name: string): Failure {
  return usageFailure([`--copy: ${name} has no copy in it`], MAKE_ONE)
}

function asText(row: Readonly<Record<string, unknown>>): NightRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]))
}
