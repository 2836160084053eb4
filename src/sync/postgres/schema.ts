import { Failure, usageFailure } from '../../base/failure/failure.ts'
import type { Address } from '../../postgres/address.ts'
import { Connection, limitsFor } from '../../postgres/connection.ts'
import { ConnectionLost, sqlState } from '../../postgres/failures.ts'
import { literal } from '../../postgres/literal.ts'
import type { DatabaseRows } from '../database-rows.ts'
import { TABLES } from '../tables/all.ts'
import { PRODUCT, SCHEMA_VERSION_TABLE } from '../tables/bookkeeping.ts'
import { createStatements } from '../tables/ddl.ts'

/** A group of tables with its own version in `schema_version`. */
export interface Schema {
  readonly product: string
  /** The statements that migrate the tables from each version to the next. The first step creates all tables. */
  readonly steps: readonly (() => readonly string[])[]
}

const COPIES: Schema = {
  product: PRODUCT,
  steps: [
    () =>
      TABLES.filter((table) => table !== SCHEMA_VERSION_TABLE).flatMap((table) => createStatements(table, 'postgres')),
  ],
}

const BATCH = 2000
/** The key of the advisory lock that is held while tables are changed. It is `prtn` in ASCII. */
const DDL_LOCK = 0x7072746e
const TRIES = 6

/**
 * Returns the tables' version, or `null` if no tables exist. Throws USAGE if this release does not support the version.
 * Also throws the same errors as `query`.
 */
export async function readSchemaVersion(connection: Connection, { product, steps } = COPIES): Promise<number | null> {
  // `to_regclass` is not used, because it caches a failed lookup within a transaction.
  const found = await connection.query(
    `SELECT FROM pg_class WHERE relname = 'schema_version' AND pg_table_is_visible(oid)`,
  )
  if (found.length === 0) return null
  const [row] = await connection.query(`SELECT version FROM schema_version WHERE product = ${literal(product)}`)
  if (row === undefined) return null
  const form = Number(row['version'])
  if (form <= steps.length) return form
  throw new Failure(
    'USAGE',
    `the tables were written by a newer version of partner (their format is ${form}, but this version supports only ${steps.length}); nothing was changed`,
    { hint: 'update partner, or choose another database' },
  )
}

/** The limits for a connection that only reads. It has no lease, so it gets the limits of a 60-second lease. */
export const READER_LIMITS = limitsFor(60_000)

/**
 * Opens a copy for reading. Returns `null` if there is none. Throws the same errors as `Connection.open` or {@link
 * readSchemaVersion}.
 */
export async function openRows(address: Address, signal: AbortSignal): Promise<DatabaseRows | null> {
  const connection = await Connection.open(address, READER_LIMITS, signal)
  const close = () => connection.close()
  try {
    if ((await readSchemaVersion(connection)) !== null)
      return {
        dialect: 'postgres',
        rows: (sql) => connection.query(sql),
        batches: (sql) => inBatches(connection, sql),
        close,
      }
  } catch (error) {
    await close()
    throw error
  }
  await close()
  return null
}

/** Reads with a cursor, because the driver would buffer the whole result. */
async function* inBatches(connection: Connection, sql: string) {
  await connection.query(`BEGIN READ ONLY; DECLARE batches NO SCROLL CURSOR FOR ${sql}`)
  try {
    for (;;) {
      const rows = await connection.query(`FETCH ${BATCH} FROM batches`)
      if (rows.length === 0) return
      yield rows
    }
  } finally {
    await connection.rollBack()
  }
}

/**
 * Creates or migrates the tables. Changes nothing if they are up to date, so a role that has no privileges except on
 * the tables can run this. Throws USAGE if a newer version of partner wrote the tables, if unrelated tables have the
 * same names, or if the encoding is not UTF8. Also throws the same errors as `query`.
 */
export async function ensureSchema(connection: Connection, schema = COPIES): Promise<void> {
  const form = await readSchemaVersion(connection, schema)
  if (form === schema.steps.length) return
  await refuseEncoding(connection)
  for (let tries = 1; ; tries += 1) {
    try {
      await migrate(connection, schema)
      return
    } catch (error) {
      if (!connection.isLost) await connection.query('ROLLBACK')
      // Try again if the server only aborted the statement, because another process may be creating the same tables.
      if (!(error instanceof ConnectionLost) || connection.isLost || tries === TRIES) throw explainConflict(error)
    }
  }
}

async function migrate(connection: Connection, schema: Schema): Promise<void> {
  const { product, steps } = schema
  await connection.query(`BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(${DDL_LOCK})`)
  // Read the version again while holding the lock, because another process may already have migrated the tables.
  const form = (await readSchemaVersion(connection, schema)) ?? 0
  // The version table may exist already, because another product may have created it.
  for (const statement of createStatements(SCHEMA_VERSION_TABLE, 'postgres'))
    await connection.query(statement.replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'))
  for (const step of steps.slice(form)) for (const statement of step()) await connection.query(statement)
  await connection.query(
    `INSERT INTO schema_version (product, version, migrated_at) VALUES (${literal(product)}, ${steps.length}, now())
     ON CONFLICT (product) DO UPDATE SET version = excluded.version, migrated_at = excluded.migrated_at; COMMIT`,
  )
}

async function refuseEncoding(connection: Connection): Promise<void> {
  const [row] = await connection.query('SHOW server_encoding')
  const encoding = row?.['server_encoding'] ?? ''
  if (encoding !== 'UTF8')
    throw usageFailure(
      [`the database uses the encoding ${encoding}, which cannot represent all names`],
      `create a UTF-8 database: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
    )
}

function explainConflict(error: unknown): unknown {
  const state = error instanceof Failure ? sqlState(error.cause) : null
  if (state !== '42P07') return error
  return usageFailure(
    ["the database has an unrelated table with the name of one of partner's tables; nothing was changed"],
    'choose another database, or name another schema in the URL: ?options=-csearch_path%3Dpartner',
  )
}
