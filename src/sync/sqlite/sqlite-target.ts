import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '../../base/failure/failure.ts'
import { shellWord } from '../../base/failure/shell-word.ts'
import type {
  CardStates,
  ChosenSnapshots,
  Copy,
  CopyState,
  HoldOptions,
  SnapshotHistory,
  Target,
  TargetPlace,
} from '../copy.ts'
import { holderOf, takeLock } from '../lock-beside.ts'
import type { SyncRecord } from '../record.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import type { StateKey } from '../tables/bookkeeping.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import { begin } from './begin.ts'
import { openToRead, openToWrite, refuseOtherKinds } from './database.ts'
import { readCardStates, readSnapshots, recordBatches } from './read-records.ts'
import { type Opened, SqliteCopy } from './sqlite-copy.ts'
import { countRows, forgetPosition, readPosition, readZone, writeZone } from './state-row.ts'
import { databaseFailure } from './trouble.ts'

/** How much of a source's name stands in that of its lock. */
const LONGEST_NAME = 60

/** Opens a copy in a SQLite file: all resources, of all venues, may share one. */
export function openSqliteTarget(path: string, place: TargetPlace): Promise<Target> {
  return Promise.resolve(new SqliteTarget(resolve(path), path, place))
}

class SqliteTarget implements Target {
  readonly name: string
  readonly #path: string
  readonly #place: TargetPlace

  constructor(path: string, name: string, place: TargetPlace) {
    this.#path = path
    this.name = name
    this.#place = place
  }

  async hold(options: HoldOptions): Promise<Copy> {
    const directory = dirname(this.#path)
    if (!existsSync(directory))
      throw new Failure('USAGE', `the directory of ${this.name} does not exist: ${directory}`, {
        hint: `make it first: mkdir -p ${shellWord(directory)}`,
      })
    refuseOtherKinds(this.#path)
    const { source, resource, timezone = null, isShared = false } = this.#place
    const lock = await takeLock(this.#lockPath, `${this.name} (${resource} of ${source})`, options)
    try {
      const database = openToWrite(this.#path)
      try {
        const opened = {
          path: this.#path,
          database,
          lock,
          source,
          resource,
          timezone,
          isShared,
          signal: options.signal,
        }
        await prepare(opened, options.reset)
        return new SqliteCopy(opened)
      } catch (error) {
        database.close()
        throw options.signal.aborted && error === options.signal.reason ? error : databaseFailure(this.#path, error)
      }
    } catch (error) {
      lock.release()
      throw error
    }
  }

  async state(): Promise<CopyState | null> {
    const { source, resource } = this.#place
    const holder = holderOf(this.#lockPath)
    const database = openToRead(this.#path)
    if (database === null)
      return holder && { source, resource, cursorMs: null, memo: null, lastRun: null, rows: 0, holder }
    try {
      const position = readPosition(database, this.#place)
      if (position === null && holder === null) return null
      const { cursorMs = null, memo = null, lastRun = null } = position ?? {}
      return { source, resource, cursorMs, memo, lastRun, rows: countRows(database, this.#place), holder }
    } catch (error) {
      throw databaseFailure(this.#path, error)
    } finally {
      database.close()
    }
  }

  async *records(): AsyncGenerator<readonly SyncRecord[]> {
    const database = openToRead(this.#path)
    if (database === null) return
    try {
      yield* recordBatches(database, this.#place)
    } catch (error) {
      throw databaseFailure(this.#path, error)
    } finally {
      database.close()
    }
  }

  async snapshots(fromMs: number): Promise<SnapshotHistory> {
    const database = openToRead(this.#path)
    if (database === null) return { takenMs: [], changes: [] }
    try {
      return readSnapshots(database, this.#place.source, fromMs)
    } catch (error) {
      throw databaseFailure(this.#path, error)
    } finally {
      database.close()
    }
  }

  async cardStates(choose: (takenMs: readonly number[]) => ChosenSnapshots): Promise<CardStates> {
    const database = openToRead(this.#path)
    try {
      return readCardStates(database, this.#place.source, choose)
    } catch (error) {
      throw databaseFailure(this.#path, error)
    } finally {
      database?.close()
    }
  }

  async remove(held: Copy, ids: readonly string[]): Promise<void> {
    if (!(held instanceof SqliteCopy)) throw new TypeError('the copy is of another target')
    await held.remove(ids)
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  /** A lock for each resource of each source, so that they can be synced at the same time. */
  get #lockPath(): string {
    const { source, resource } = this.#place
    // Two sources whose names begin alike wait for each other, which is no harm.
    return `${this.#path}.${encodeURIComponent(source).slice(0, LONGEST_NAME)}.${resource}.lock`
  }
}

/** What is done to a copy before a run has it. Mostly that is nothing, which then waits for nobody. */
async function prepare(opened: Opened, isReset: boolean): Promise<void> {
  const { database, timezone } = opened
  const isOtherZone = hasOtherZone(database, opened, timezone)
  if (!isReset && !isOtherZone) return
  await begin(opened)
  if (isReset) forgetPosition(database, opened)
  if (isOtherZone) changeZone(database, opened, timezone)
  database.exec('COMMIT')
}

/** Whether the local times of a copy are not yet instants of this zone. Null: nobody names one, and they stay as they are. */
function hasOtherZone(database: DatabaseSync, key: StateKey, timezone: string | null): timezone is string {
  const { columns } = MAIN_TABLES[key.resource]
  const isConcerned = columns.some(({ origin }) => 'wallPath' in origin)
  return timezone !== null && isConcerned && readZone(database, key) !== timezone
}

/** Makes the local times of a copy instants again, when the venue's zone became known or is another than before. */
function changeZone(database: DatabaseSync, key: StateKey, timezone: string): void {
  const clock = new VenueClock(timezone)
  database.function('venue_instant', { deterministic: true }, (wall) => clock.instantOf(String(wall)))
  database
    .prepare(
      `UPDATE ${MAIN_TABLES[key.resource].name} SET booking_time_utc = venue_instant(booking_time)
       WHERE source = ? AND booking_time IS NOT NULL AND booking_time_utc IS DISTINCT FROM venue_instant(booking_time)`,
    )
    .run(key.source)
  writeZone(database, key, timezone)
}
