import type { Connection } from '../../postgres/connection.ts'
import { literal } from '../../postgres/literal.ts'
import { type Counts, NO_COUNTS } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { filledColumns } from '../tables/ddl.ts'
import { GIFT_CARDS } from '../tables/giftcards.ts'
import { rowsOf } from '../tables/rows.ts'
import { SNAPSHOT_SQL, STAGED, STAGED_COLUMNS } from '../tables/snapshot.ts'
import type { Row } from '../tables/table.ts'
import { instantText } from '../tables/values.ts'
import type { VenueClock } from '../tables/venue-clock.ts'
import { textArray, unnested } from './literals.ts'
import type { RecordWriter } from './writer.ts'

/** Writes a snapshot. Uses batches instead of a staging table, because the role might not be allowed to create one. */
export class SnapshotWriter implements RecordWriter {
  readonly #source: string
  readonly #clock: VenueClock
  readonly #seen = new Set<string>()
  #snapshot: number | null = null

  constructor(source: string, clock: VenueClock) {
    this.#source = source
    this.#clock = clock
  }

  async write(turn: () => Promise<Connection>, records: readonly SyncRecord[]): Promise<Counts> {
    const connection = await turn()
    this.#snapshot ??= await this.#next(connection)
    const rows = new Map<string, Row>()
    for (const record of records) {
      const { id, row } = this.#rowOf(record)
      if (!this.#seen.has(id)) rows.set(id, row)
    }
    if (rows.size === 0) return NO_COUNTS
    const batch = unnested(filledColumns(GIFT_CARDS), [...rows.values()])
    const [row] = await connection.query(
      `WITH ${STAGED} (${STAGED_COLUMNS.join(', ')}) AS MATERIALIZED (SELECT * FROM ${batch}),
         kept AS (${this.#filled(SNAPSHOT_SQL.keepArrivals)}),
         noted AS (${this.#filled(SNAPSHOT_SQL.noteArrivals)} RETURNING change)
       SELECT count(*) FILTER (WHERE change = 'appeared') AS appeared, count(*) AS written FROM noted`,
    )
    for (const id of rows.keys()) this.#seen.add(id)
    const [added, written] = [Number(row?.['appeared']), Number(row?.['written'])]
    return { added, changed: written - added, unchanged: rows.size - written }
  }

  async finish(connection: Connection, takenAtMs: number, isComplete: boolean): Promise<Counts> {
    if (!isComplete && this.#seen.size === 0) return NO_COUNTS
    this.#snapshot ??= await this.#next(connection)
    const listed = `WITH ${STAGED} (id) AS MATERIALIZED (SELECT unnest(${textArray([...this.#seen])}))`
    const fill = (sql: string) => this.#filled(sql, takenAtMs)
    if (isComplete)
      await connection.query(
        `${listed}, marked AS (${fill(SNAPSHOT_SQL.markDepartures)}) ${fill(SNAPSHOT_SQL.noteDepartures)}`,
      )
    await connection.query(fill('UPDATE gift_card_changes SET taken_at = $3 WHERE source = $1 AND snapshot_id = $2'))
    await connection.query(`${listed} ${fill(SNAPSHOT_SQL.writeHead)}`)
    return NO_COUNTS
  }

  /** Marks a card as listed although it cannot be stored, so that it does not count as having disappeared. */
  noteSkipped(record: SyncRecord): void {
    this.#seen.add(this.#rowOf(record).id)
  }

  forget(): void {
    this.#seen.clear()
    this.#snapshot = null
  }

  #rowOf(record: SyncRecord): { readonly id: string; readonly row: Row } {
    const { main } = rowsOf('giftcards', this.#source, record, this.#clock)
    return { id: String(main[STAGED_COLUMNS.indexOf('id')]), row: main }
  }

  async #next(connection: Connection): Promise<number> {
    const [row] = await connection.query(this.#filled(SNAPSHOT_SQL.next))
    return Number(row?.['id'])
  }

  /** Replaces a statement's parameters with their values. `takenAtMs` is 0 until the commit, which sets the time. */
  #filled(sql: string, takenAtMs = 0): string {
    const takenAt = `${literal(instantText(takenAtMs))}::timestamptz`
    const values = [`${literal(this.#source)}::text`, `${this.#snapshot}::int`, takenAt]
    return sql.replace(/\$([123])\b/g, (_, number: string) => values[Number(number) - 1] ?? '')
  }
}
