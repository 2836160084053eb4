import type { TextRow } from '../base/storage/text-row.ts'
import { literal } from '../postgres/literal.ts'
import type {
  CardStates,
  ChosenSnapshots,
  Copy,
  CopyKey,
  CopyState,
  Holder,
  HoldOptions,
  Target,
  TargetContext,
} from './copy.ts'
import type { DatabaseRows } from './database-rows.ts'
import { toSyncRecord } from './reading/sync-record.ts'
import type { SyncRecord } from './record.ts'
import { RESOURCES, type Resource } from './resources.ts'
import { MAIN_TABLES, presentRows } from './tables/all.ts'
import { whereKey } from './tables/bookkeeping.ts'
import { readCardStates, readSnapshots } from './tables/card-history.ts'
import { isoText } from './tables/ddl.ts'

/** A copy in a database. It is read with SQL that is valid in both PostgreSQL and SQLite. */
export abstract class DatabaseTarget implements Target {
  readonly name: string
  protected readonly key: CopyKey

  constructor(name: string, { source, resource }: TargetContext) {
    this.name = name
    this.key = { source, resource }
  }

  abstract hold(options: HoldOptions): Promise<Copy>

  abstract close(): Promise<void>

  /** Opens the copy for reading, or returns `null` if there is none. Throws database errors. */
  protected abstract openToRead(): Promise<DatabaseRows | null>

  protected abstract readonly holderColumns: string

  /** The number of rows per query. A small batch is garbage-collected before it reaches the old generation. */
  protected abstract readonly batchSize: number

  /** SQL columns for a booking's outline: `raw` and, if the database computes hashes, `hash`. */
  protected readonly outline: string = 'raw'

  /** Converts the `holderColumns` of the copy's row in `sync_state` to a holder. */
  protected abstract holderIn(row: TextRow): Holder | null

  async state(): Promise<CopyState | null> {
    const [row] = await this.#look(({ rows, dialect }) =>
      rows(
        `SELECT ${isoText('cursor', dialect)} AS cursor, memo, ${isoText('run_started_at', dialect)} AS started_at,
           run_requests AS requests, run_added AS added, run_changed AS changed, run_unchanged AS unchanged,
           (SELECT count(*) FROM ${presentRows(this.key)}) AS n, ${this.holderColumns}
         FROM sync_state WHERE ${whereKey(this.key)}`,
      ),
    )
    if (row === undefined) return null
    const { cursor, memo = null, started_at, requests, added, changed, unchanged } = row
    const counts = { added: Number(added), changed: Number(changed), unchanged: Number(unchanged) }
    return {
      ...this.key,
      cursorMs: cursor == null ? null : Date.parse(cursor),
      memo,
      lastRun: started_at == null ? null : { startedMs: Date.parse(started_at), requests: Number(requests), ...counts },
      rows: Number(row['n']),
      holder: this.holderIn(row),
    }
  }

  /** Reads each batch with a separate query, so that writers do not have to wait. Records are in key order. */
  async *records(
    which: 'newest' | 'all' | 'outline' = 'newest',
    ids: readonly string[] | null = null,
  ): AsyncGenerator<readonly SyncRecord[]> {
    const { resource } = this.key
    const key = MAIN_TABLES[resource].key.filter((column) => column !== 'source')
    const columns = key.join(', ')
    const wanted = `${presentRows(this.key)}${ids === null ? '' : ` AND id IN (${ids.map(literal).join()})`}`
    const isOutline = which === 'outline'
    const toRecord = isOutline ? outlineOf : (row: TextRow) => recordOf(row, RESOURCES[resource])
    const database = await this.openToRead()
    try {
      for (let after = ''; database !== null; ) {
        const more = isOutline
          ? `${isoText('last_modified', database.dialect)} AS changed, ${this.outline}`
          : 'digest, CAST(raw AS text) AS raw'
        const found = await database.rows(
          `SELECT ${columns}, ${more} FROM ${wanted}${after} ORDER BY ${columns} LIMIT ${this.batchSize}`,
        )
        const end = found.at(-1)
        if (end === undefined) return
        yield found.map(toRecord)
        after = ` AND (${columns}) > (${key.map((column) => literal(end[column] ?? '')).join(', ')})`
      }
    } finally {
      await database?.close()
    }
  }

  snapshots(fromMs: number) {
    return this.#look((database) => readSnapshots(database, this.key.source, fromMs))
  }

  cardStates<T>(
    choose: (takenMs: readonly number[]) => ChosenSnapshots,
    use: (states: CardStates) => Promise<T>,
  ): Promise<T> {
    return this.#look((database) => readCardStates(database, this.key.source, choose, use))
  }

  async #look<T>(work: (database: DatabaseRows) => Promise<T>): Promise<T> {
    const database = await this.openToRead()
    try {
      return await work(database ?? NOTHING)
    } finally {
      await database?.close()
    }
  }
}

/** A placeholder for a database that does not exist yet. It contains no rows. */
const NOTHING: DatabaseRows = {
  dialect: 'sqlite',
  rows: async () => [],
  async *batches() {},
  close: async () => {},
}

function recordOf(row: TextRow, resource: Resource): SyncRecord {
  const record = toSyncRecord(row['raw'] ?? '', resource)
  // PostgreSQL reformats JSON, so use the stored digest of the original text. If a record has no ID, its digest is its
  // ID.
  const content = row['digest'] ?? (record.id === null ? row['id'] : null)
  return content == null ? record : { ...record, version: content }
}

/** Builds a booking's outline from columns, which are faster to read than its JSON. */
function outlineOf({ id, changed, raw, hash }: TextRow): SyncRecord {
  const text = raw ?? ''
  const changedMs = changed == null ? toSyncRecord(text, RESOURCES.bookings).changedMs : Date.parse(changed)
  const record = { text, id: id ?? null, changedMs, version: id ?? '' }
  return hash == null ? record : { ...record, hash }
}
