import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Counts } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { GIFT_CARDS } from '../tables/giftcards.ts'
import { rowsOf } from '../tables/rows.ts'
import { SNAPSHOT_SQL, STAGED, STAGED_COLUMNS } from '../tables/snapshot.ts'
import { instantText } from '../tables/values.ts'
import type { VenueClock } from '../tables/venue-clock.ts'
import { bound, insertInto } from './writer.ts'

/** Collects gift cards and stores them as a snapshot. */
export class SnapshotWriter {
  readonly #database: DatabaseSync
  readonly #source: string
  readonly #clock: VenueClock
  readonly #stage: StatementSync

  constructor(database: DatabaseSync, source: string, clock: VenueClock) {
    this.#database = database
    this.#source = source
    this.#clock = clock
    // Collect the cards in a temporary table, because writing to it does not lock the database.
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

  /**
   * Stores the snapshot in the caller's transaction. `isComplete` means that all cards were read, so cards that the
   * snapshot lacks are recorded as no longer listed.
   */
  keep(takenAtMs: number, isComplete: boolean): Counts {
    const next = this.#database.prepare(SNAPSHOT_SQL.next).get({ $1: this.#source })
    const parameters = { $1: this.#source, $2: Number(next?.['id']), $3: instantText(takenAtMs) }
    this.#run(SNAPSHOT_SQL.noteArrivals, parameters)
    if (isComplete) this.#run(SNAPSHOT_SQL.noteDepartures, parameters)
    this.#database.exec(SNAPSHOT_SQL.keepArrivals)
    if (isComplete) this.#run(SNAPSHOT_SQL.markDepartures, parameters)
    const head = this.#run(SNAPSHOT_SQL.writeHead, parameters)
    const [cards = 0, added = 0, changed = 0] = ['cards', 'appeared', 'changed'].map((name) => Number(head?.[name]))
    return { added, changed, unchanged: cards - added - changed }
  }

  #run(sql: string, parameters: Record<string, string | number | null>): Record<string, unknown> | undefined {
    const statement = this.#database.prepare(sql)
    statement.setAllowUnknownNamedParameters(true)
    return statement.get(parameters)
  }
}
