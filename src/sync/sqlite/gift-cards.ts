import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Counts } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { GIFT_CARDS } from '../tables/giftcards.ts'
import { rowsOf } from '../tables/rows.ts'
import {
  KEEP_ARRIVALS,
  MARK_DEPARTURES,
  NEXT_SNAPSHOT,
  NOTE_ARRIVALS,
  NOTE_DEPARTURES,
  STAGED,
  STAGED_COLUMNS,
  WRITE_HEAD,
} from '../tables/snapshot.ts'
import { instantText } from '../tables/values.ts'
import type { VenueClock } from '../tables/venue-clock.ts'
import { bound, insertInto } from './writer.ts'

/** Collects all gift cards and makes a snapshot of them. */
export class SnapshotWriter {
  readonly #database: DatabaseSync
  readonly #source: string
  readonly #clock: VenueClock
  readonly #stage: StatementSync

  constructor(database: DatabaseSync, source: string, clock: VenueClock) {
    this.#database = database
    this.#source = source
    this.#clock = clock
    // A temporary table, so that collecting does not lock the database.
    database.exec(
      `CREATE TEMP TABLE ${STAGED} AS SELECT ${STAGED_COLUMNS.join(', ')} FROM gift_cards WHERE false;
       CREATE UNIQUE INDEX temp.${STAGED}_by_id ON ${STAGED} (id)`,
    )
    this.#stage = database.prepare(insertInto(GIFT_CARDS, STAGED).replace('INSERT', 'INSERT OR REPLACE'))
  }

  stage(record: SyncRecord): void {
    this.#stage.run(...bound(rowsOf('giftcards', this.#source, record, this.#clock).main))
  }

  clear(): void {
    this.#database.exec(`DELETE FROM ${STAGED}`)
  }

  /** Stores the snapshot, in the caller's transaction. `isComplete`: cards that were not read are gone. */
  keep(takenAtMs: number, isComplete: boolean): Counts {
    const next = this.#database.prepare(NEXT_SNAPSHOT).get({ $1: this.#source })
    const parameters = { $1: this.#source, $2: Number(next?.['id']), $3: instantText(takenAtMs) }
    this.#run(NOTE_ARRIVALS, parameters)
    if (isComplete) this.#run(NOTE_DEPARTURES, parameters)
    this.#database.exec(KEEP_ARRIVALS)
    if (isComplete) this.#run(MARK_DEPARTURES, parameters)
    const head = this.#run(WRITE_HEAD, parameters)
    const [cards, added, changed] = ['cards', 'appeared', 'changed'].map((name) => Number(head?.[name]))
    return { added: added ?? 0, changed: changed ?? 0, unchanged: (cards ?? 0) - (added ?? 0) - (changed ?? 0) }
  }

  #run(sql: string, parameters: Record<string, string | number | null>): Record<string, unknown> | undefined {
    const statement = this.#database.prepare(sql)
    statement.setAllowUnknownNamedParameters(true)
    return statement.get(parameters)
  }
}
