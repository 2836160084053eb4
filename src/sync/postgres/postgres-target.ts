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
import { toSyncRecord } from '../reading/sync-record.ts'
import type { SyncRecord } from '../record.ts'
import { RESOURCES } from '../resources.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import type { StateKey } from '../tables/bookkeeping.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import { type Address, parseAddress } from './connection/address.ts'
import { Connection, limitsFor } from './connection/connection.ts'
import { Lost } from './connection/failures.ts'
import { describeLoss } from './lease/holder.ts'
import { type Claim, claimOf, heldFailure, type Taken, tryTake, untilNextLook } from './lease/lease.ts'
import { literal, textArray } from './literals.ts'
import { PostgresCopy } from './postgres-copy.ts'
import { ensureSchema, readForm } from './schema.ts'
import { readCardStates, readSnapshots, readState, whereKey, whereRecords } from './state-row.ts'
import { Transaction } from './transaction.ts'

/** Times that are looked at together. */
const TIMES_BATCH = 2000

const BATCH = 500
/** A reader holds nothing; its limits are those of a long lease. */
const READER_LIMITS = limitsFor(60_000)
/** Between the looks of a standby whose server is gone. Milliseconds. */
const GONE_LOOK_MS = 2000

/** Opens a copy in PostgreSQL. Fails: USAGE for a password in the URL, and for what cannot be understood. */
export function openPostgresTarget(name: string, place: TargetPlace): Promise<Target> {
  return Promise.resolve(new PostgresTarget(name, parseAddress(name, place.env), place))
}

class PostgresTarget implements Target {
  readonly name: string
  readonly #address: Address
  readonly #place: TargetPlace
  readonly #key: StateKey
  readonly #ending = new AbortController()

  constructor(name: string, address: Address, place: TargetPlace) {
    this.name = name
    this.#address = address
    this.#place = place
    this.#key = { source: place.source, resource: place.resource }
  }

  async hold(options: HoldOptions): Promise<Copy> {
    const { leaseMs, signal, standby, say } = options
    const claim = claimOf(this.#key, options)
    const opened: { connection?: Connection } = {}
    let waitsFor: string | null = null
    try {
      for (;;) {
        try {
          let { connection } = opened
          if (connection === undefined || connection.isLost) {
            connection = await Connection.open(this.#address, limitsFor(leaseMs), signal)
            opened.connection = connection
            await ensureSchema(connection)
          }
          const taken = await tryTake(connection, claim)
          if ('epoch' in taken) {
            if (taken.from !== null) await say(`${describeLoss(taken.from, this.name)}: taking over`)
            const timezone = this.#place.timezone ?? null
            await changeZone(connection, claim, taken, timezone, limitsFor(leaseMs).idleInTransactionMs)
            return new PostgresCopy({
              name: this.name,
              address: this.#address,
              connection,
              claim,
              taken,
              timezone,
              options,
            })
          }
          const failure = heldFailure(this.name, this.#key, taken)
          if (!standby) throw failure
          if (waitsFor !== failure.words) await say(`${failure.words}; waiting for it to end`)
          waitsFor = failure.words
          await untilNextLook(taken, signal)
        } catch (error) {
          // Whoever waits for a holder also waits for the server to come back.
          if (!(error instanceof Lost) || !standby || waitsFor === null) throw error
          if (waitsFor !== error.words) await say(`${error.words}; waiting for it to come back`)
          waitsFor = error.words
          await untilNextLook({ leftMs: GONE_LOOK_MS }, signal)
        }
      }
    } catch (error) {
      await opened.connection?.close()
      throw error
    }
  }

  async state(): Promise<CopyState | null> {
    const connection = await this.#openReader()
    try {
      return (await readForm(connection)) === null ? null : await readState(connection, this.#key)
    } finally {
      await connection.close()
    }
  }

  /** Each batch is a read of its own, in the order of the keys: nothing is kept open while the reader thinks. */
  async *records(): AsyncGenerator<readonly SyncRecord[]> {
    const { resource } = this.#key
    const { name, key } = MAIN_TABLES[resource]
    const columns = key.filter((column) => column !== 'source')
    const connection = await this.#openReader()
    try {
      if ((await readForm(connection)) === null) return
      for (let last: readonly string[] | null = null; ; ) {
        const after: string = last === null ? '' : ` AND (${columns.join(', ')}) > (${last.map(literal).join(', ')})`
        const rows = await connection.query(
          `SELECT ${columns.join(', ')}, digest, raw::text FROM ${name} WHERE ${whereRecords(this.#key)}${after}
           ORDER BY ${columns.join(', ')} LIMIT ${BATCH}`,
        )
        const end = rows.at(-1)
        if (end === undefined) return
        yield rows.map((row) => {
          const record = toSyncRecord(row['raw'] ?? '', RESOURCES[resource])
          // The server writes the same JSON in another way: what names its content was made from the service's own, and is the ID of
          // a record that has none.
          const content = row['digest'] ?? (record.id === null ? row['id'] : null)
          return { ...record, version: content ?? record.version }
        })
        last = columns.map((column) => end[column] ?? '')
      }
    } finally {
      await connection.close()
    }
  }

  async snapshots(fromMs: number): Promise<SnapshotHistory> {
    const connection = await this.#openReader()
    try {
      if ((await readForm(connection)) === null) return { takenMs: [], changes: [] }
      return await readSnapshots(connection, this.#key.source, fromMs)
    } finally {
      await connection.close()
    }
  }

  async cardStates(choose: (takenMs: readonly number[]) => ChosenSnapshots): Promise<CardStates> {
    const connection = await this.#openReader()
    try {
      const isMade = (await readForm(connection)) !== null
      return await readCardStates(isMade ? connection : null, this.#key.source, choose)
    } finally {
      await connection.close()
    }
  }

  async remove(held: Copy, ids: readonly string[]): Promise<void> {
    if (!(held instanceof PostgresCopy)) throw new TypeError('the copy is of another target')
    await held.remove(ids)
  }

  close(): Promise<void> {
    this.#ending.abort()
    return Promise.resolve()
  }

  #openReader(): Promise<Connection> {
    return Connection.open(this.#address, READER_LIMITS, this.#ending.signal)
  }
}

/**
 * Makes the local times of a copy instants again, when the venue's zone became known or is another than before. The times of the
 * server's own zones may differ in the hour that comes twice, so they are computed here. Null: nobody names a zone, and they stay.
 */
async function changeZone(
  connection: Connection,
  { key }: Claim,
  taken: Taken,
  timezone: string | null,
  idleMs: number,
): Promise<void> {
  const { columns, name } = MAIN_TABLES[key.resource]
  const isConcerned = columns.some(({ origin }) => 'wallPath' in origin)
  if (timezone === null || !isConcerned || taken.timezone === timezone) return
  const clock = new VenueClock(timezone)
  const source = literal(key.source)
  const transaction = await Transaction.begin(connection, idleMs)
  try {
    for (let last = ''; ; ) {
      const after = last === '' ? '' : ` AND booking_time > ${literal(last)}::timestamp`
      const rows = await connection.query(
        `SELECT DISTINCT to_char(booking_time, 'YYYY-MM-DD"T"HH24:MI:SS') AS wall FROM ${name}
         WHERE source = ${source} AND booking_time IS NOT NULL${after} ORDER BY 1 LIMIT ${TIMES_BATCH}`,
      )
      const walls = rows.map(({ wall }) => wall ?? '')
      if (walls.length === 0) break
      const instants = walls.map((wall) => clock.instantOf(wall) ?? '')
      await connection.query(
        `UPDATE ${name} AS t SET booking_time_utc = nullif(utc, '')::timestamptz
         FROM unnest(${textArray(walls)}, ${textArray(instants)}) AS v (wall, utc)
         WHERE t.source = ${source} AND t.booking_time = wall::timestamp
           AND t.booking_time_utc IS DISTINCT FROM nullif(utc, '')::timestamptz`,
      )
      last = walls.at(-1) ?? ''
    }
    await connection.query(
      `UPDATE sync_state SET timezone = ${literal(timezone)} WHERE ${whereKey(key)} AND epoch = ${taken.epoch}`,
    )
    await transaction.commit()
  } catch (error) {
    await transaction.rollBack()
    throw error
  }
}
