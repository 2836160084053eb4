import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '../../base/failure/failure.ts'
import { makeDirectoryCommand } from '../../base/failure/shell-word.ts'
import type { Copy, CopyState, HoldOptions, TargetContext } from '../copy.ts'
import type { DatabaseRows } from '../database-rows.ts'
import { DatabaseTarget } from '../database-target.ts'
import { holderOf, openLocked } from '../lock-file.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import { whereKey } from '../tables/bookkeeping.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import { begin } from './begin.ts'
import { openRows, openToWrite, refuseOtherKinds } from './database.ts'
import { databaseFailure } from './failures.ts'
import { type Opened, SqliteCopy } from './sqlite-copy.ts'
import { readPosition } from './state-row.ts'

const LONGEST_NAME = 60

/** A copy in a SQLite file. All resources of all venues may share the file. */
export class SqliteTarget extends DatabaseTarget {
  protected readonly holderColumns = 'NULL AS holder'
  // Queries are cheap in SQLite, so use small batches. V8 would move larger ones to its rarely collected old
  // generation.
  protected readonly batchSize = 50
  readonly #path: string
  readonly #place: TargetContext

  constructor(name: string, place: TargetContext) {
    super(name, place)
    this.#path = resolve(name)
    this.#place = place
  }

  async hold(options: HoldOptions): Promise<Copy> {
    const path = this.#path
    const { signal, reset } = options
    const directory = dirname(path)
    if (!existsSync(directory))
      throw new Failure('USAGE', `the directory of ${this.name} does not exist: ${directory}`, {
        hint: `create it first: ${makeDirectoryCommand(path)}`,
      })
    refuseOtherKinds(path)
    const { timezone = null, isShared = false } = this.#place
    const what = `${this.name} (${this.key.resource} of ${this.key.source})`
    return openLocked(this.#lockPath, what, options, async (lock) => {
      let database: DatabaseSync | undefined
      try {
        database = openToWrite(path)
        const opened = { ...this.key, path, database, lock, timezone, isShared, signal }
        await prepare(opened, reset)
        return new SqliteCopy(opened)
      } catch (error) {
        database?.close()
        throw signal.aborted && error === signal.reason ? error : databaseFailure(path, error)
      }
    })
  }

  override async state(): Promise<CopyState | null> {
    const holder = holderOf(this.#lockPath)
    return (
      (await super.state()) ?? (holder && { ...this.key, cursorMs: null, memo: null, lastRun: null, rows: 0, holder })
    )
  }

  async close(): Promise<void> {}

  protected async openToRead(): Promise<DatabaseRows | null> {
    return openRows(this.#path)
  }

  protected holderIn() {
    return holderOf(this.#lockPath)
  }

  /**
   * The lock file's path. Each resource of each source has a separate lock, so that resources can be synced
   * concurrently.
   */
  get #lockPath(): string {
    const { source, resource } = this.key
    // Sources with the same first 60 characters share a lock, which is harmless.
    return `${this.#path}.${encodeURIComponent(source).slice(0, LONGEST_NAME)}.${resource}.lock`
  }
}

/**
 * Resets the cursor and changes the time zone if necessary. Waits for other writers only if there is something to
 * change.
 */
async function prepare(opened: Opened, isReset: boolean): Promise<void> {
  const { database, timezone, resource } = opened
  const { columns } = MAIN_TABLES[resource]
  const hasLocalTimes = columns.some(({ origin }) => 'wallPath' in origin)
  const isOtherZone = timezone !== null && hasLocalTimes && readPosition(database, opened).timezone !== timezone
  if (!isReset && !isOtherZone) return
  await begin(opened)
  if (isReset) database.exec(`UPDATE sync_state SET cursor = NULL, memo = NULL WHERE ${whereKey(opened)}`)
  if (isOtherZone) changeZone(opened, timezone)
  database.exec('COMMIT')
}

function changeZone(opened: Opened, timezone: string): void {
  const { database, source, resource } = opened
  const clock = new VenueClock(timezone)
  database.function('venue_instant', { deterministic: true }, (wall) => clock.instantOf(String(wall)))
  database
    .prepare(
      `UPDATE ${MAIN_TABLES[resource].name} SET booking_time_utc = venue_instant(booking_time)
       WHERE source = ? AND booking_time IS NOT NULL AND booking_time_utc IS DISTINCT FROM venue_instant(booking_time)`,
    )
    .run(source)
  database
    .prepare(
      `INSERT INTO sync_state (source, resource, epoch, timezone) VALUES (?, ?, 0, ?)
       ON CONFLICT (source, resource) DO UPDATE SET timezone = excluded.timezone`,
    )
    .run(source, resource, timezone)
}
