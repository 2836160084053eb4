import { hash } from 'node:crypto'
import type { TextRow } from '../../base/storage/text-row.ts'
import { type Address, parseAddress } from '../../postgres/address.ts'
import { Connection, limitsFor } from '../../postgres/connection.ts'
import { ConnectionLost } from '../../postgres/failures.ts'
import { literal } from '../../postgres/literal.ts'
import type { Copy, Holder, HoldOptions, TargetContext } from '../copy.ts'
import type { DatabaseRows } from '../database-rows.ts'
import { DatabaseTarget } from '../database-target.ts'
import { jsonbText } from '../reading/jsonb-text.ts'
import type { SyncRecord } from '../record.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import { whereKey } from '../tables/bookkeeping.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import { describeHolder, describeLoss, holderHere, parseHolder } from './lease/holder.ts'
import { type Claim, HELD, heldFailure, type TakenLease, tryTakeLease, waitForNextCheck } from './lease/lease.ts'
import { textArray } from './literals.ts'
import { PostgresCopy } from './postgres-copy.ts'
import { ensureSchema, openRows } from './schema.ts'
import { Transaction } from './transaction.ts'

const TIMES_BATCH = 2000
const GONE_LOOK_MS = 2000

export class PostgresTarget extends DatabaseTarget {
  protected readonly holderColumns = `holder, ${HELD}`
  protected readonly batchSize = 500
  protected override readonly outline = `CASE WHEN last_modified IS NULL THEN raw::text
    ELSE '{"bookingTime":' || coalesce((raw->'bookingTime')::text, 'null') || '}' END AS raw,
    encode(sha256(convert_to(raw::text, 'UTF8')), 'hex') AS hash`
  readonly #address: Address
  readonly #timezone: string | null
  readonly #ending = new AbortController()

  /** Hashes a record's text as `jsonb` formats it, because the server hashes outlines in that form. */
  readonly hashOf = (record: SyncRecord): string => {
    if (record.hash !== undefined) return record.hash
    const bytes = record.bytes ?? Buffer.from(record.text)
    return hash('sha256', jsonbText(bytes) ?? bytes)
  }

  /** `flag` is the flag that set `name`. Throws USAGE if the URL is malformed or contains a password. */
  constructor(name: string, place: TargetContext, flag: string) {
    super(name, place)
    this.#address = parseAddress(name, place.env, flag)
    this.#timezone = place.timezone ?? null
  }

  async hold(options: HoldOptions): Promise<Copy> {
    const { leaseMs, signal, standby, say, reset, command } = options
    const timezone = this.#timezone
    const claim = { key: this.key, holder: holderHere(command), leaseMs, reset }
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
          const taken = await tryTakeLease(connection, claim)
          if ('epoch' in taken) {
            if (taken.from !== null) await say(`${describeLoss(taken.from, this.name)}: taking over`)
            await changeZone(connection, claim, taken, timezone)
            const address = this.#address
            return new PostgresCopy({ name: this.name, address, connection, claim, taken, timezone, options })
          }
          const failure = heldFailure(this.name, this.key, taken)
          if (!standby) throw failure
          if (waitsFor !== failure.words) await say(`${failure.words}; waiting for it to end`)
          waitsFor = failure.words
          await waitForNextCheck(taken, signal)
        } catch (error) {
          // A standby that has already waited for the lock keeps waiting while the server is unreachable.
          if (!(error instanceof ConnectionLost) || !standby || waitsFor === null) throw error
          if (waitsFor !== error.words) await say(`${error.words}; waiting until it is reachable`)
          waitsFor = error.words
          await waitForNextCheck({ leftMs: GONE_LOOK_MS }, signal)
        }
      }
    } catch (error) {
      await opened.connection?.close()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#ending.abort()
  }

  protected openToRead(): Promise<DatabaseRows | null> {
    return openRows(this.#address, this.#ending.signal)
  }

  protected holderIn({ holder = null, since = null, is_held }: TextRow): Holder | null {
    return is_held === 't' ? { who: describeHolder(parseHolder(holder)), since } : null
  }
}

/**
 * Recomputes instants in a new time zone. Does not use SQL, because the server may choose the other instant for a time
 * in a repeated hour.
 */
async function changeZone(
  connection: Connection,
  claim: Claim,
  taken: TakenLease,
  timezone: string | null,
): Promise<void> {
  const { key, leaseMs } = claim
  const { columns, name } = MAIN_TABLES[key.resource]
  const isConcerned = columns.some(({ origin }) => 'wallPath' in origin)
  if (timezone === null || !isConcerned || taken.timezone === timezone) return
  const clock = new VenueClock(timezone)
  const source = literal(key.source)
  const transaction = await Transaction.begin(connection, leaseMs)
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
