import { existsSync } from 'node:fs'
import { describe } from 'vitest'
import type { DatabaseRows } from '../../../src/sync/database-rows.ts'
import { openRows } from '../../../src/sync/open-target.ts'
import { needs } from '../../support/needs.ts'
import { POSTGRES, postgresServer } from '../../support/postgres.ts'
import { freshDatabase } from '../sqlite/copies.ts'

/** A kind of database. Some tests run against every kind. */
export interface Kind {
  /** Creates a database without tables. Returns its name for `--to`. */
  readonly fresh: () => Promise<string>
  /** Runs a query and returns the rows. Values are returned as strings. */
  readonly query: (to: string, sql: string) => ReturnType<DatabaseRows['rows']>
  /** Returns whether a database is still empty. */
  readonly isUntouched: (to: string) => Promise<boolean>
}

/** Runs tests against SQLite, and against PostgreSQL if it is available. */
export function describeDatabases(what: string, tests: (kind: Kind) => void): void {
  describe(`${what} in SQLite`, () => {
    const query = async (to: string, sql: string) => {
      const place = { env: {}, signal: new AbortController().signal, flag: '--to', hint: '' }
      const database = await openRows(to, 'sqlite', place)
      return database.rows(sql).finally(database.close)
    }
    tests({ fresh: async () => freshDatabase(), query, isUntouched: async (to) => !existsSync(to) })
  })
  describe(`${what} in PostgreSQL`, () => {
    needs(POSTGRES)
    const server = postgresServer()
    const tablesIn = (to: string) => server.query(to, "SELECT to_regclass('sync_state') AS made")
    tests({
      fresh: () => server.database(),
      query: (to, sql) => server.query(to, sql),
      isUntouched: async (to) => (await tablesIn(to))[0]?.['made'] === null,
    })
  })
}
