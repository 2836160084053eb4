import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { TABLES } from '../../../src/sync/tables/all.ts'
import type { Column, ColumnType, Table } from '../../../src/sync/tables/table.ts'
import { needs } from '../../support/needs.ts'
import { freshDirectory, freshHome, ROOT, runPartner } from '../../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../../support/postgres.ts'
import { venueOfThisFile } from '../../support/venue.ts'

needs(POSTGRES)
const server = postgresServer()
const venue = await venueOfThisFile()

async function syncAll(to: string): Promise<void> {
  for (const resource of ['bookings', 'customers', 'sales', 'giftcards']) {
    const more = resource === 'bookings' ? ['--include-customer'] : []
    const env = { ...freshHome(), ...venue.env, ...POSTGRES_ENV }
    const done = await runPartner([resource, 'sync', '--to', to, '--source', 'venue', ...more], { env })
    expect(done, done.stderr).toMatchObject({ code: 0, stdout: '' })
  }
}

/** SQL that converts a PostgreSQL value to the form that SQLite stores. */
const AS_IN_SQLITE: Readonly<Record<ColumnType, (name: string) => string>> = {
  text: (name) => name,
  integer: (name) => name,
  cents: (name) => name,
  json: (name) => `${name}::text`,
  boolean: (name) => `${name}::int`,
  instant: (name) => `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  wall: (name) => `to_char(${name}, 'YYYY-MM-DD"T"HH24:MI:SS')`,
}

/** Returns the columns whose values do not depend on when the sync ran. */
function columnsOf(table: Table): readonly Column[] {
  return table.columns.filter(({ name }) => name !== 'taken_at')
}

/** Returns the rows of a table as sorted lines of text, with normalized JSON. */
function linesOf(table: Table, rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const value = ({ name, type }: Column, row: Readonly<Record<string, unknown>>) => {
    const found = row[name] ?? null
    if (found === null) return null
    return type === 'json' ? sorted(JSON.parse(String(found))) : String(found)
  }
  return rows.map((row) => JSON.stringify(columnsOf(table).map((column) => value(column, row)))).sort()
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}

test('PostgreSQL and SQLite copies have the same rows and can run every query in docs/database.md', async () => {
  const path = join(freshDirectory(), 'venue.db')
  const url = await server.database()
  await syncAll(path)
  await syncAll(url)
  const sqlite = new DatabaseSync(path, { readOnly: true })
  try {
    for (const table of TABLES.filter(({ name }) => name !== 'sync_state' && name !== 'schema_version')) {
      const names = columnsOf(table).map(({ name }) => name)
      const selected = columnsOf(table).map(({ name, type }) => `${AS_IN_SQLITE[type](name)} AS ${name}`)
      const here = linesOf(table, sqlite.prepare(`SELECT ${names.join(', ')} FROM ${table.name}`).all())
      const there = linesOf(table, await server.query(url, `SELECT ${selected.join(', ')} FROM ${table.name}`))
      const at = there.findIndex((line, index) => line !== here[index])
      expect([there.length, there[at]], table.name).toEqual([here.length, here[at]])
      if (table.name !== 'booking_items') expect(there.length, table.name).toBeGreaterThan(0)
    }
    const page = readFileSync(join(ROOT, 'docs', 'database.md'), 'utf8')
    const questions = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql)
    expect(questions.length).toBeGreaterThan(3)
    for (const sql of questions) {
      expect((await server.query(url, sql)).length, sql).toBe(sqlite.prepare(sql).all().length)
    }
  } finally {
    sqlite.close()
  }
  const again = await runPartner(['bookings', 'sync', '--to', url, '--source', 'venue', '--include-customer'], {
    env: { ...freshHome(), ...venue.env, ...POSTGRES_ENV },
  })
  expect(again.stderr).toMatch(/\b0 new, 0 changed/)
})
