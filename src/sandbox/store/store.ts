import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { Failure } from '../../base/failure/failure.ts'
import { loadSqlite, switchToWal, transaction } from '../../base/storage/sqlite.ts'
import { HexSource } from '../random-hex.ts'
import type { Venue } from '../venue/venue.ts'
import type { Zone } from '../venue/zone.ts'
import { CommitGroup } from './commit-group.ts'
import { databasePath, makePrivately } from './data-directory.ts'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'
import { asDamage, cannotOpen, otherVersion } from './trouble.ts'
import { describeVenues, type Venues } from './venues.ts'

/** One row, by column name. */
export type Row = Readonly<Record<string, unknown>>

/** In SQL: at one of the venues of the app, for {@link Store.linkedLocations}. */
export const LINKED = 'location IN (SELECT value FROM json_each(?))'

const BUSY_WAIT_MS = 8000

/**
 * One that nobody else can open, and that is gone when it is closed. SQLite keeps it in memory as far as it has room there, and the rest
 * in a temporary file without a name: a venue of many years need not fit in memory.
 */
const OF_THIS_PROCESS = ''
const IN_MEMORY_KIB = 4_000

/**
 * The sandbox's state: one SQLite database, in a directory or in memory. When {@link Store.transaction} returns, its changes
 * are on disk. Several processes may have the same directory open.
 */
export class Store {
  /** The data directory, or null in memory. */
  readonly directory: string | null
  readonly newIds = new HexSource()
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** Writes whose changes are not on disk yet. Only they look at the database until then: others see what is kept. */
  #group: CommitGroup | null = null
  #venues: Venues | null = null

  private constructor(database: DatabaseSync, directory: string | null) {
    this.#database = database
    this.directory = directory
  }

  /**
   * Opens the store of a data directory, or one in memory for `:memory:`. A new one has no tables yet.
   * Fails: INTERNAL, naming the path and the way out, when the file is damaged, of another version, or cannot be opened.
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

  /** True when the tables are there. */
  hasTables(): boolean {
    return this.#version === SCHEMA_VERSION
  }

  /** Makes the tables. Call it in the transaction that fills them, so that nobody ever sees half a venue. */
  createTables(): void {
    this.#database.exec(SCHEMA)
    this.#database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  }

  /** Removes the tables and all that is in them. Call it in the transaction that makes them anew. */
  dropTables(): void {
    for (const name of this.#tables) this.#database.exec(`DROP TABLE "${name}"`)
    this.#venues = null
  }

  /** Removes all that is in the tables, and leaves these. Call it in the transaction that fills them anew. */
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

  /** A number that changes when another connection has committed. */
  get foreignVersion(): number {
    return Number(this.#prepared('PRAGMA data_version').get()?.['data_version'])
  }

  /** A number that grows when this connection changes something, whether it is kept or taken back. */
  get ownVersion(): number {
    return Number(this.#prepared('SELECT total_changes() AS changes').get()?.['changes'])
  }

  /** The venues that are linked to the app; requests that name none mean the first. */
  get venues(): readonly Venue[] {
    return this.#kept.venues
  }

  /** The first venue. */
  get venue(): Venue {
    return this.#kept.venue
  }

  /** How the clocks of the first venue are set; those of the others are set alike. */
  get zone(): Zone {
    return this.#kept.zone
  }

  /** The locations of the venues, as JSON, for {@link LINKED}. */
  get linkedLocations(): string {
    return this.#kept.locations
  }

  /** True for the location of a venue that is linked to the app. */
  isLinked(location: string): boolean {
    return this.venues.some(({ id }) => id === location)
  }

  /** Reads what is kept under a name, such as the clock; undefined if nothing is. */
  readMeta(name: string): unknown {
    const kept = this.get('SELECT value FROM meta WHERE name = ?', name)?.['value']
    return kept === undefined ? undefined : JSON.parse(String(kept))
  }

  keepMeta(name: string, value: unknown): void {
    this.insert('meta', { name, value: JSON.stringify(value) })
  }

  /** Keeps which venues are linked to the app: at least one. Call it in the transaction that fills the tables. */
  keepVenues(venues: readonly [Venue, ...Venue[]]): void {
    this.keepMeta('venues', venues)
    this.#venues = null
  }

  /** Forgets which venues there are: another process may have changed that. */
  reloadVenues(): void {
    this.#venues = null
  }

  get #kept(): Venues {
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

  /** Adds a row, by column name. `or` is what happens when there is one with the same key. Returns how many rows were changed. */
  insert(table: string, row: Readonly<Record<string, SQLInputValue>>, or: 'REPLACE' | 'IGNORE' = 'REPLACE'): number {
    const columns = Object.keys(row)
    const places = columns.map(() => '?').join(', ')
    return this.run(`INSERT OR ${or} INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...Object.values(row))
  }

  /** Keeps all that `work` changes when it returns, and nothing when it throws. Inside another transaction it joins that one. */
  transaction<T>(work: () => T): T {
    this.#settle()
    return transaction(this.#database, work)
  }

  /**
   * The same, together with other writes that come in this turn of the event loop: they share one wait for the disk. Returns, or
   * throws what `work` threw, when the changes of all are on disk.
   */
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

  /** Puts on disk what is not there yet, unless it is one of those writes that asks. */
  #settle(): void {
    const group = this.#group
    if (group === null || group.isWorking) return
    this.#group = null
    group.commit()
  }

  /** Takes back all that `work` changes, and returns what it returned. */
  rehearse<T>(work: () => T): T {
    const takenBack = Symbol('taken back')
    let result: T | undefined
    try {
      this.transaction(() => {
        result = work()
        throw takenBack
      })
    } catch (error) {
      if (error !== takenBack) throw error
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
