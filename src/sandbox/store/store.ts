import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { Failure } from '../../base/failure/failure.ts'
import { loadSqlite, switchToWal, transaction } from '../../base/storage/sqlite.ts'
import { HexSource } from '../random-hex.ts'
import { DEFAULT_VENUE, type Venue } from '../venue/venue.ts'
import { getZone, type Zone } from '../venue/zone.ts'
import { CommitGroup } from './commit-group.ts'
import { createPrivateDatabase, databasePath } from './data-directory.ts'
import { openFailure, toDamageFailure, versionFailure } from './failures.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'

/** A row of a query result, keyed by column name. */
export type Row = Readonly<Record<string, unknown>>

/** An SQL condition for records of the app's venues. Its parameter is {@link Store.linkedLocations}. */
export const IS_LINKED_SQL = 'location IN (SELECT value FROM json_each(?))'

const BUSY_WAIT_MS = 8000

/** A temporary database. If it does not fit in memory, SQLite writes parts of it to a file that it deletes on close. */
const TEMPORARY_DATABASE = ''
const TEMPORARY_CACHE_KIB = 4_000

/**
 * A sandbox's SQLite database, which processes can share. When {@link Store.transaction} returns, changes are on disk.
 */
export class Store {
  /** The data directory, or `null` if the store is in memory. */
  readonly directory: string | null
  readonly newIds = new HexSource()
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /**
   * The writes that have not been committed yet, or `null` if there are none. Any other access to the store commits
   * them first.
   */
  #group: CommitGroup | null = null
  #venues: ReturnType<typeof describeVenues> | null = null

  private constructor(database: DatabaseSync, directory: string | null) {
    this.#database = database
    this.directory = directory
  }

  /**
   * Opens the store in a data directory, or in memory for `:memory:`. A new store has no tables. Throws INTERNAL, with
   * the path and a hint, if the file is damaged, has a different schema version, or cannot be opened.
   */
  static open(data: string): Store {
    const directory = data === ':memory:' ? null : data
    const path = directory === null ? data : databasePath(directory)
    try {
      const { DatabaseSync } = loadSqlite()
      if (directory !== null) createPrivateDatabase(directory)
      const database = new DatabaseSync(directory === null ? TEMPORARY_DATABASE : path)
      database.exec(`PRAGMA busy_timeout = ${BUSY_WAIT_MS}`)
      const store = new Store(database, directory)
      const version = store.#version
      if (version !== 0 && version !== SCHEMA_VERSION) throw versionFailure(path, version)
      if (version === 0 && directory !== null) switchToWal(database, BUSY_WAIT_MS)
      database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY')
      if (directory === null) database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -${TEMPORARY_CACHE_KIB}`)
      return store
    } catch (error) {
      throw error instanceof Failure ? error : (toDamageFailure(error, path) ?? openFailure(error, path))
    }
  }

  hasTables(): boolean {
    return this.#version === SCHEMA_VERSION
  }

  /** Creates the tables. Call this in the transaction that fills them, so that other processes see a complete venue. */
  createTables(): void {
    this.#database.exec(SCHEMA)
    this.#database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  }

  /** Drops all tables. Call this in the transaction that creates them again. */
  dropTables(): void {
    for (const name of this.#tables) this.#database.exec(`DROP TABLE "${name}"`)
    this.#venues = null
  }

  /** Deletes all rows. Call this in the transaction that fills the tables again. */
  empty(): void {
    for (const name of this.#tables) this.run(`DELETE FROM "${name}"`)
    this.#venues = null
  }

  get #tables(): string[] {
    const tables = this.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return tables.map(({ name }) => String(name))
  }

  get #version(): number {
    return Number(this.get('PRAGMA user_version')?.['user_version'])
  }

  /** A number that changes whenever another connection commits a change. */
  get foreignVersion(): number {
    return Number(this.#prepare('PRAGMA data_version').get()?.['data_version'])
  }

  /** A number that increases with each change by this connection, even if the change is rolled back. */
  get ownVersion(): number {
    return Number(this.#prepare('SELECT total_changes() AS changes').get()?.['changes'])
  }

  /** The app's venues. The first venue is the default. */
  get venues(): readonly Venue[] {
    return this.#venueData.venues
  }

  get venue(): Venue {
    return this.#venueData.venue
  }

  /** The time zone of the first venue, which all venues share. */
  get zone(): Zone {
    return this.#venueData.zone
  }

  /** The location IDs of the app's venues, as a JSON array for {@link IS_LINKED_SQL}. */
  get linkedLocations(): string {
    return this.#venueData.locations
  }

  isLinked(location: string): boolean {
    return this.venues.some(({ id }) => id === location)
  }

  /** Reads a named value, such as the clock. Returns `undefined` if the store does not contain it. */
  readMeta(name: string): unknown {
    const value = this.get('SELECT value FROM meta WHERE name = ?', name)?.['value']
    return value === undefined ? undefined : JSON.parse(String(value))
  }

  writeMeta(name: string, value: unknown): void {
    this.insert('meta', { name, value: JSON.stringify(value) })
  }

  /** Stores the app's venues. There must be at least one. Call this in the transaction that fills the tables. */
  writeVenues(venues: readonly [Venue, ...Venue[]]): void {
    this.writeMeta('venues', venues)
    this.#venues = null
  }

  /** Discards the cached venues, because another process might have changed them. */
  reloadVenues(): void {
    this.#venues = null
  }

  get #venueData() {
    this.#venues ??= describeVenues(this.hasTables() ? (this.readMeta('venues') as Venue[] | undefined) : undefined)
    return this.#venues
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values)
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values)
  }

  /** Runs a statement. Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  /** Adds a row. `or` determines what happens if the key already exists. Returns the number of changed rows. */
  insert(table: string, row: Readonly<Record<string, SQLInputValue>>, or: 'REPLACE' | 'IGNORE' = 'REPLACE'): number {
    const columns = Object.keys(row)
    const placeholders = columns.map(() => '?').join(', ')
    return this.run(
      `INSERT OR ${or} INTO ${table} (${columns.join(', ')}) VALUES (${placeholders})`,
      ...Object.values(row),
    )
  }

  /** Runs `work` in a transaction, joining an open one. Commits if `work` returns, and rolls back if it throws. */
  transaction<T>(work: () => T): T {
    this.#commitGroup()
    return transaction(this.#database, work)
  }

  /** Like {@link transaction}, but concurrent writes share one commit. Settles when all of them are on disk. */
  groupedTransaction<T>(work: () => T): Promise<T> {
    this.#group ??= this.#openGroup()
    return this.#group.add(work)
  }

  #openGroup(): CommitGroup {
    const group = new CommitGroup(this.#database)
    setImmediate(() => {
      if (this.#group === group) this.#commitGroup()
    })
    return group
  }

  /** Commits the pending writes, unless this is called from within one of them. */
  #commitGroup(): void {
    const group = this.#group
    if (group === null || group.isWorking) return
    this.#group = null
    group.commit()
  }

  /** Runs `work`, rolls back its changes, and returns its result. */
  runAndRollBack<T>(work: () => T): T {
    const rolledBack = Symbol('rolled back')
    let result: T | undefined
    try {
      this.transaction(() => {
        result = work()
        throw rolledBack
      })
    } catch (error) {
      if (error !== rolledBack) throw error
    }
    return result as T
  }

  get isOpen(): boolean {
    return this.#database.isOpen
  }

  close(): void {
    if (this.#database.isOpen) this.#commitGroup()
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #statement(sql: string): StatementSync {
    this.#commitGroup()
    return this.#prepare(sql)
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function describeVenues(venues: readonly Venue[] = [DEFAULT_VENUE]) {
  const [venue = DEFAULT_VENUE] = venues
  return { venues, venue, zone: getZone(venue.timezone), locations: JSON.stringify(venues.map(({ id }) => id)) }
}
