import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../../../base/failure/failure.ts'
import type { TextRow } from '../../../base/storage/text-row.ts'
import type { Connection } from '../../../postgres/connection.ts'
import { literal } from '../../../postgres/literal.ts'
import type { CopyKey, Position } from '../../copy.ts'
import { whereKey } from '../../tables/bookkeeping.ts'
import { POSITION, positionOf } from '../state-row.ts'
import { describeHolder, isGone, type LeaseHolder, parseHolder } from './holder.ts'

/** A lease on a copy. It expires, by the database's clock, unless it is renewed. */
export interface TakenLease extends Position {
  /** How many times the lease has been acquired. Every write checks this number, so a former holder cannot write. */
  readonly epoch: number
  /** The previous holder, or `null` if it released its lease. */
  readonly from: LeaseHolder | null
  /** The time zone used to compute the copy's instants, or `null` if it was unknown. */
  readonly timezone: string | null
}

/** A lease that another run holds. */
export interface OccupiedLease {
  readonly holder: LeaseHolder | null
  readonly since: string | null
  /** How many milliseconds remain until the lease expires, unless it is renewed. */
  readonly leftMs: number
}

export interface Claim {
  readonly key: CopyKey
  readonly holder: LeaseHolder
  readonly leaseMs: number
  readonly reset: boolean
}

/** The longest time between a standby's checks. It is short because the holder may release the lease early. */
const CHECK_MS = 1000
const MIN_CHECK_MS = 50

/** Acquires the lease if it is free. Uses one transaction, so that only one of several contenders succeeds. */
export async function tryTakeLease(connection: Connection, claim: Claim): Promise<TakenLease | OccupiedLease> {
  const { key, holder, leaseMs, reset } = claim
  const where = whereKey(key)
  try {
    const [row] = await connection.query(
      `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
       INSERT INTO sync_state (source, resource, epoch) VALUES (${literal(key.source)}, ${literal(key.resource)}, 0) ON CONFLICT DO NOTHING;
       SELECT holder, ${HELD} FROM sync_state WHERE ${where} FOR UPDATE SKIP LOCKED`,
    )
    const present = parseHolder(row?.['holder'] ?? null)
    const isFree = row !== undefined && (row['is_held'] !== 't' || isGone(present) || present?.token === holder.token)
    if (!isFree) {
      await connection.query('ROLLBACK')
      return row === undefined ? await readHolder(connection, key) : heldBy(row)
    }
    const [taken] = await connection.query(
      `UPDATE sync_state SET holder = ${literal(JSON.stringify(holder))}, held_since = clock_timestamp(), epoch = epoch + 1,
         lease_until = ${leaseEnd(leaseMs)}${reset ? ', cursor = NULL, memo = NULL' : ''}
       WHERE ${where} RETURNING epoch, timezone, ${POSITION}`,
    )
    await connection.query('COMMIT')
    const { epoch, timezone = null } = taken ?? {}
    return { epoch: Number(epoch), from: present, timezone, ...positionOf(taken) }
  } catch (error) {
    await connection.rollBack()
    throw error
  }
}

/** Waits until it is time for a standby to check the lease again. Throws Interrupted if the signal is aborted. */
export async function waitForNextCheck({ leftMs }: Pick<OccupiedLease, 'leftMs'>, signal: AbortSignal): Promise<void> {
  const ms = Math.min(CHECK_MS, Math.max(MIN_CHECK_MS, leftMs + MIN_CHECK_MS))
  await delay(ms * (0.8 + Math.random() * 0.2), undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** Returns SQL for the expiry time of a lease that starts now. */
export function leaseEnd(leaseMs: number): string {
  return `clock_timestamp() + interval '${Math.round(leaseMs)} milliseconds'`
}

/** Returns the failure (exit code 12) for a lease that another run holds. */
export function heldFailure(name: string, key: CopyKey, { holder, since, leftMs }: OccupiedLease): Failure {
  const left = Math.max(1, Math.ceil(leftMs / 1000))
  const who = describeHolder(holder)
  return new Failure('LOCKED', `${name} (${key.resource} of ${key.source}) is locked: ${who} holds the lock`, {
    hint: `try again after that run ends, or wait with --standby; its lease expires in ${left} s unless it is renewed`,
    details: { holder: holder && { pid: holder.pid, host: holder.host, command: holder.command, since } },
  })
}

/** Returns the failure (exit code 12) for a lease that this run has lost. */
export async function lostFailure(connection: Connection, name: string, key: CopyKey): Promise<Failure> {
  const { holder } = await readHolder(connection, key)
  const by = holder === null ? '' : ` to ${describeHolder(holder)}`
  return new Failure('LOCKED', `${name} (${key.resource} of ${key.source}): this run lost its lease${by}`, {
    hint: 'this run has written nothing since its last commit; a run that is suspended for longer than --lease loses its lease',
  })
}

/** SQL columns that state whether a copy is leased, since when, and for how many more milliseconds. */
export const HELD = `lease_until > clock_timestamp() AS is_held, to_char(held_since, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since,
  ceil(extract(epoch FROM lease_until - clock_timestamp()) * 1000)::bigint AS left_ms`

async function readHolder(connection: Connection, key: CopyKey): Promise<OccupiedLease> {
  const [row] = await connection.query(`SELECT holder, ${HELD} FROM sync_state WHERE ${whereKey(key)}`)
  return heldBy(row)
}

function heldBy(row: TextRow | undefined): OccupiedLease {
  const leftMs = Math.max(0, Number(row?.['left_ms'] ?? 0))
  return { holder: parseHolder(row?.['holder'] ?? null), since: row?.['since'] ?? null, leftMs }
}
