import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { Failure } from '../../base/failure/failure.ts'
import { loadSqlite, switchToWal, transaction } from '../../base/storage/sqlite.ts'
import { HexSource } from '../random-hex.ts'
import { USUAL_VENUE, type Venue } from '../venue/venue.ts'
import { type Zone, zoneNamed } from '../venue/zone.ts'
import { CommitGroup } from './commit-group.ts'
import { databasePath, makePrivately } from './data-directory.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'
import { asDamage, cannotOpen, otherVersion } from './trouble.ts'

/** One row, by column name. */
export type Row = Readonly<Record<string, unknown>>

/** SQL for the venues of the app, with {@link Store.linkedLocations}. */
export const LINKED = 'location IN (SELECT value FROM json_each(?))'

const BUSY_WAIT_MS = 8000

/** A private database that is deleted on close. SQLite spills to an unnamed file, so it need not fit in memory. */
const OF_THIS_PROCESS = ''
const IN_MEMORY_KIB = 4_000

/** The state: a SQLite database that processes share. Changes are on disk when {@link Store.transaction} returns. */
export class Store {
  /** The data directory, or null in memory. */
  readonly directory: string | null
  readonly newIds = new HexSource()
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** Writes that are not on disk yet. Until then, only they read the database. */
  #group: CommitGroup | null = null
  #venues: ReturnType<typeof describeVenues> | null = null

  private constructor(database: DatabaseSync, directory: string | null) {
    this.#database = database
    this.directory = directory
  }

  /**
   * Opens the store of a data directory, or `:memory:`. A new one has no tables. Fails: INTERNAL with the path and a
   * remedy, when the file is damaged, of another version, or cannot be opened.
   */
  static open(data: string): Store {
    const directory = data === ':memory:' ? null : data
    const path = directory === null ? data : databasePath(directory)
    try {
      const { DatabaseSync } = loadSqlite()
      if (directory !== null) makePrivately(directory)
      const database = new DatabaseSync(directory === null ? OF_THIS_PROCESS : path)
      database.exec(`PRAGMA busy_timeout = ${BUSY_WAIT_MS}`)
      const store = new Store(database, directory)
      const version = store.#version
      if (version !== 0 && version !== SCHEMA_VERSION) throw otherVersion(path, version)
      if (version === 0 && directory !== null) switchToWal(database, BUSY_WAIT_MS)
      database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY')
      if (directory === null) database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -${IN_MEMORY_KIB}`)
      return store
    } catch (error) {
      throw error instanceof Failure ? error : (asDamage(error, path) ?? cannotOpen(error, path))
    }
  }

  hasTables(): boolean {
    return this.#version === SCHEMA_VERSION
  }

  /** Call it in the transaction that fills the tables, so that other processes never see half a venue. */
  createTables(): void {
    this.#database.exec(SCHEMA)
    this.#database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  }

  /** Call it in the transaction that makes the tables again. */
  dropTables(): void {
    for (const name of this.#tables) this.#database.exec(`DROP TABLE "${name}"`)
    this.#venues = null
  }

  /** Deletes all rows. Call it in the transaction that fills the tables again. */
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

  /** A number that changes when another connection commits. */
  get foreignVersion(): number {
    return Number(this.#prepared('PRAGMA data_version').get()?.['data_version'])
  }

  /** A number that grows with each change of this connection, even if it is rolled back. */
  get ownVersion(): number {
    return Number(this.#prepared('SELECT total_changes() AS changes').get()?.['changes'])
  }

  /** The venues of the app; the first is the default. */
  get venues(): readonly Venue[] {
    return this.#kept.venues
  }

  get venue(): Venue {
    return this.#kept.venue
  }

  /** The zone of the first venue; all venues share it. */
  get zone(): Zone {
    return this.#kept.zone
  }

  /** The locations of the venues, as JSON, for {@link LINKED}. */
  get linkedLocations(): string {
    return this.#kept.locations
  }

  isLinked(location: string): boolean {
    return this.venues.some(({ id }) => id === location)
  }

  /** Reads a named value, such as the clock; undefined for none. */
  readMeta(name: string): unknown {
    const kept = this.get('SELECT value FROM meta WHERE name = ?', name)?.['value']
    return kept === undefined ? undefined : JSON.parse(String(kept))
  }

  keepMeta(name: string, value: unknown): void {
    this.insert('meta', { name, value: JSON.stringify(value) })
  }

  /** Stores the venues of the app, at least one, in the transaction that fills the tables. */
  keepVenues(venues: readonly [Venue, ...Venue[]]): void {
    this.keepMeta('venues', venues)
    this.#venues = null
  }

  /** Forgets the venues, as another process may have changed them. */
  reloadVenues(): void {
    this.#venues = null
  }

  get #kept() {
    this.#venues ??= describeVenues(this.hasTables() ? (this.readMeta('venues') as Venue[] | undefined) : undefined)
    return this.#venues
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values)
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values)
  }

  /** Returns how many rows were changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  /** Adds a row. `or` says what happens if its key exists. Returns how many rows were changed. */
  insert(table: string, row: Readonly<Record<string, SQLInputValue>>, or: 'REPLACE' | 'IGNORE' = 'REPLACE'): number {
    const columns = Object.keys(row)
    const places = columns.map(() => '?').join(', ')
    return this.run(`INSERT OR ${or} INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...Object.values(row))
  }

  /** Keeps the changes of `work` if it returns, and none if it throws. Joins an outer transaction. */
  transaction<T>(work: () => T): T {
    this.#settle()
    return transaction(this.#database, work)
  }

  /** Like {@link transaction}, but simultaneous writes share one wait for the disk. Settles when all are on disk. */
  keep<T>(work: () => T): Promise<T> {
    this.#group ??= this.#openGroup()
    return this.#group.add(work)
  }

  #openGroup(): CommitGroup {
    const group = new CommitGroup(this.#database)
    setImmediate(() => {
      if (this.#group === group) this.#settle()
    })
    return group
  }

  /** Commits pending writes, unless one of them is the caller. */
  #settle(): void {
    const group = this.#group
    if (group === null || group.isWorking) return
    this.#group = null
    group.commit()
  }

  /** Rolls back the changes of `work`, and returns its result. */
  rehearse<T>(work: () => T): T {
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
    if (this.#database.isOpen) this.#settle()
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #statement(sql: string): StatementSync {
    this.#settle()
    return this.#prepared(sql)
  }

  #prepared(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function describeVenues(venues: readonly Venue[] = [USUAL_VENUE]) {
  const [venue = USUAL_VENUE] = venues
  return { venues, venue, zone: zoneNamed(venue.timezone), locations: JSON.stringify(venues.map(({ id }) => id)) }
}
