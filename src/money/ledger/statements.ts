import type { KeyRow } from '../once/keys.ts'
import { leastElapsedMs, type Moment } from '../operations/moment.ts'
import { SAID_BY_USER } from '../operations/operation.ts'
import type { Row } from '../operations/row.ts'
import { SETTLING_MS } from '../operations/settling.ts'
import type { DailyCap } from '../orders/cap.ts'
import { checkUnderCap, lockForCap } from './cap.ts'
import type { Looked } from './import.ts'
import { FORMAT, LEDGER, NOW, quoted } from './schema.ts'

const OPERATIONS = `${LEDGER}.operations`
const KEYS = `${LEDGER}.keys`
const STEP = `nextval('${LEDGER}.steps')`
const DAY_MS = 86_400_000
const OPERATION_RETENTION_MS = 90 * DAY_MS
const KEY_RETENTION_MS = 400 * DAY_MS

/** A write to claim. `service` is the name of the service in the ledger. */
export interface ClaimedWrite {
  readonly row: Pick<Row, 'id' | 'command' | 'target' | 'cents' | 'profile' | 'attemptMs'>
  readonly service: string
  readonly host: string
  /** The ID of the run that claims the write. A process ID would be unique only on its machine. */
  readonly run: string
  readonly key: Pick<KeyRow, 'key' | 'fingerprint' | 'amount'> | null
  readonly force: boolean
  /** The daily cap, if the write is an order. */
  readonly cap?: DailyCap | undefined
}

/**
 * Claims a write and its key. If one of them cannot be claimed, claims neither. A claim that was never sent is removed
 * a minute after its deadline. The statements are safe to repeat if the connection is lost.
 */
export function claimStatements({ row, service, host, run, key, force, cap }: ClaimedWrite): string[] {
  const [id, command, target, cents] = [row.id, row.command, row.target, row.cents].map(quoted)
  const own = `service = ${quoted(service)} AND target = ${target}`
  const same = `${own} AND command = ${command} AND cents IS NOT DISTINCT FROM ${cents} AND state = 'open'`
  const isSupported = `EXISTS (SELECT FROM ${LEDGER}.version WHERE oldest <= ${FORMAT})`
  const values = [row.profile, "'open'", "'claimed'"]
  const claim = `INSERT INTO ${OPERATIONS} (id, service, command, target, cents, profile, state, phase, forced, host, pid,
      run, epoch, attempt_ms, claimed_ms, claimed_step)
    SELECT ${id}, ${quoted(service)}, ${command}, ${target}, ${cents}::bigint, ${quoted(values[0] ?? null)}, 'open', 'claimed',
      ${force ? `EXISTS (SELECT FROM ${OPERATIONS} WHERE ${same})` : 'false'}, ${quoted(host)}, ${process.pid},
      ${quoted(run)}, 1, ${row.attemptMs}, ${NOW}, ${STEP}
    WHERE ${isSupported} ${key === null || !cap ? '' : checkUnderCap(service, key.key, cap)} ON CONFLICT DO NOTHING`
  return [
    ...(cap ? [lockForCap(service)] : []),
    `DELETE FROM ${OPERATIONS} WHERE ${own} AND id <> ${id} AND state = 'open' AND phase = 'claimed'
      AND claimed_ms + attempt_ms + ${SETTLING_MS} < ${NOW}`,
    `DELETE FROM ${OPERATIONS} WHERE ${own} AND state <> 'open' AND ended_ms < ${NOW} - ${OPERATION_RETENTION_MS}`,
    claim,
    ...(key === null ? [] : claimKey(key, { row, service, force, cap })),
  ]
}

function claimKey(
  { key, fingerprint, amount }: NonNullable<ClaimedWrite['key']>,
  { row, service, force, cap }: Pick<ClaimedWrite, 'row' | 'service' | 'force' | 'cap'>,
): string[] {
  // Without a cap, omit `counted`: a ledger of format 1 does not have that column.
  const counted = cap === undefined ? { name: '', value: '' } : { name: ', counted', value: `, ${quoted(cap.counted)}` }
  const { id, command, target, profile } = row
  const named = `service = ${quoted(service)} AND key = ${quoted(key)}`
  const isFree = force ? "keys.state <> 'done'" : "keys.state = 'free'"
  return [
    `DELETE FROM ${KEYS} WHERE state <> 'open' AND ended_ms < ${NOW} - ${KEY_RETENTION_MS}`,
    `UPDATE ${KEYS} SET state = 'free', ended_ms = ${NOW} WHERE ${named} AND state = 'open'
      AND NOT EXISTS (SELECT FROM ${OPERATIONS} WHERE id = keys.operation)`,
    `INSERT INTO ${KEYS} (service, key, fingerprint, command, target, amount, profile, operation, started_ms, state${counted.name})
      SELECT ${[service, key, fingerprint, command, target, amount, profile, id].map(quoted).join(', ')}, ${NOW}, 'open'${counted.value}
      WHERE EXISTS (SELECT FROM ${OPERATIONS} WHERE id = ${quoted(id)})
      ON CONFLICT (service, key) DO UPDATE SET operation = excluded.operation, started_ms = excluded.started_ms,
        state = 'open', how = NULL, ended_ms = NULL
      WHERE keys.fingerprint = excluded.fingerprint AND (${isFree} OR keys.operation = excluded.operation)`,
    `DELETE FROM ${OPERATIONS} WHERE id = ${quoted(id)} AND phase = 'claimed'
      AND NOT EXISTS (SELECT FROM ${KEYS} WHERE ${named} AND operation = ${quoted(id)})`,
  ]
}

/**
 * Takes over an open write after its last attempt has ended. The previous owner can then no longer send it, and no
 * other machine can take it over until an attempt's time limit has passed. If the write was claimed before this machine
 * used the ledger, adds it to the ledger first.
 */
export function takeOverStatements(
  { row, service, host, run, key, force, cap }: ClaimedWrite & { readonly row: Row },
  now: Moment,
): string[] {
  const { id, command, target, cents, profile, phase, attemptMs, before, claimedStep, sentStep } = row
  const values = [
    id,
    service,
    command,
    target,
    cents,
    profile,
    'open',
    phase,
    false,
    host,
    process.pid,
    run,
    1,
    attemptMs,
    before,
  ]
  const ago = (moment: Moment | null) => (moment === null ? NOW : `${NOW} - ${Math.round(leastElapsedMs(moment, now))}`)
  const times = [ago(row.firstSent), ago(row.firstSent), ago(row.sent), ago(row.over ?? now)]
  return [
    `INSERT INTO ${OPERATIONS} (id, service, command, target, cents, profile, state, phase, forced, host, pid,
      run, epoch, attempt_ms, before, claimed_ms, first_sent_ms, sent_ms, over_ms, claimed_step, sent_step)
    VALUES (${[...values.map(quoted), ...times, claimedStep, sentStep ?? claimedStep].join(', ')}) ON CONFLICT DO NOTHING`,
    `UPDATE ${OPERATIONS} SET epoch = epoch + 1, host = ${quoted(host)}, pid = ${process.pid}, run = ${quoted(run)},
      sent_ms = ${NOW}, over_ms = NULL
    WHERE id = ${quoted(id)} AND state = 'open'
      AND (over_ms IS NOT NULL OR coalesce(sent_ms, claimed_ms) + attempt_ms < ${NOW})`,
    ...(key === null ? [] : claimKey(key, { row, service, force, cap })),
  ]
}

/**
 * Marks a write as about to be sent. Updates no row if another machine has taken over the write or recorded its
 * outcome.
 */
export function sendingStatement(id: string, epoch: number, before: string | null): string {
  return `UPDATE ${OPERATIONS} SET phase = 'sending', first_sent_ms = coalesce(first_sent_ms, ${NOW}), sent_ms = ${NOW},
      over_ms = NULL, sent_step = coalesce(sent_step, ${STEP}), before = coalesce(before, ${quoted(before)})
    WHERE id = ${quoted(id)} AND state = 'open' AND epoch = ${epoch}`
}

/** The outcome of a write that has ended. */
export type Settled = 'applied' | 'not-applied'

/** Records the outcome of another machine's write, unless that machine might still be sending it. */
export function settleStatements(id: string, state: Settled, how: string): string[] {
  const operation = `id = ${quoted(id)}`
  const isProven = state === 'applied' && how !== SAID_BY_USER
  const isOver = `(over_ms IS NOT NULL
    OR CASE phase WHEN 'claimed' THEN claimed_ms + attempt_ms + ${SETTLING_MS} ELSE sent_ms + attempt_ms END < ${NOW})`
  return [
    `UPDATE ${OPERATIONS} SET state = ${quoted(state)}, how = ${quoted(how)}, ended_ms = ${NOW}, ended_step = ${STEP}
      WHERE ${operation} AND state = 'open' AND ${isProven ? 'true' : isOver}`,
    `UPDATE ${KEYS} SET state = ${quoted(state === 'applied' ? 'done' : 'free')}, how = ${quoted(how)}, ended_ms = ${NOW}
      WHERE operation = ${quoted(id)} AND state = 'open'
        AND EXISTS (SELECT FROM ${OPERATIONS} WHERE ${operation} AND state = ${quoted(state)})`,
  ]
}

/**
 * Updates the ledger from this machine's rows for an operation and its key. `row` is `null` if the operation was
 * dropped.
 */
export function endStatements(id: string, epoch: number, row: Row | null, key: KeyRow | null, now: Moment): string[] {
  const open = `id = ${quoted(id)} AND state = 'open'`
  const ownKey = `operation = ${quoted(id)} AND state = 'open'`
  const at = (moment: Moment | null) => `${NOW} - ${Math.round(moment === null ? 0 : leastElapsedMs(moment, now))}`
  const isDone = key?.state === 'done'
  if (isDone)
    return [
      `UPDATE ${OPERATIONS} SET state = 'done', how = ${quoted(key.how)}, ended_ms = ${NOW}, ended_step = ${STEP} WHERE ${open}`,
      `UPDATE ${KEYS} SET state = 'done', how = ${quoted(key.how)}, ended_ms = coalesce(ended_ms, ${NOW}),
        receipt = coalesce(receipt, ${quoted(key.receipt)}) WHERE operation = ${quoted(id)}`,
    ]
  if (row === null)
    return [
      `DELETE FROM ${OPERATIONS} WHERE ${open} AND epoch = ${epoch}`,
      `UPDATE ${KEYS} SET state = 'free', ended_ms = ${NOW} WHERE ${ownKey}
        AND NOT EXISTS (SELECT FROM ${OPERATIONS} WHERE id = ${quoted(id)})`,
    ]
  if (row.state === 'open') {
    if (row.over === null) return []
    const phase = quoted(row.phase)
    return [
      `UPDATE ${OPERATIONS} SET over_ms = coalesce(over_ms, ${at(row.over)}), phase = ${phase} WHERE ${open} AND epoch = ${epoch}`,
    ]
  }
  const state = row.state === 'not-applied' ? 'free' : 'done'
  return [
    `UPDATE ${OPERATIONS} SET state = ${quoted(row.state)}, how = ${quoted(row.how)}, ended_ms = ${at(row.ended)}, ended_step = ${STEP}
      WHERE id = ${quoted(id)} AND (state = 'open' OR (state = 'not-applied' AND how = ${quoted(SAID_BY_USER)}))`,
    `UPDATE ${KEYS} SET state = ${quoted(state)}, how = ${quoted(row.how)}, ended_ms = ${at(row.ended)} WHERE ${ownKey}`,
  ]
}

/** All columns by name. Unlike `*`, this makes the statement fail if the database lacks one. */
const OPERATION_COLUMNS = `id, service, command, target, cents, profile, state, phase, forced, host, pid, run, epoch, attempt_ms,
  claimed_ms, first_sent_ms, sent_ms, over_ms, ended_ms, before, how, claimed_step, sent_step, ended_step`
const KEY_COLUMNS = `service, key, fingerprint, command, target, amount, profile, operation, started_ms, receipt, state, how,
  ended_ms`

/** Selects operations and keys as one JSON text, with the ledger's format and the database's current time. */
export function lookStatement({ operations, keys, moved = 'NULL' }: Looked): string {
  const all = (table: string, columns: string, where: string) =>
    `(SELECT coalesce(json_agg(found), '[]') FROM (SELECT ${columns} FROM ${table} WHERE ${where}) found)`
  return `SELECT json_build_object('now', ${NOW}, 'version', (SELECT json_build_array(format, oldest) FROM ${LEDGER}.version),
    'operations', ${all(OPERATIONS, OPERATION_COLUMNS, operations)}, 'keys', ${all(KEYS, KEY_COLUMNS, keys)}, 'moved', ${moved})::text AS found`
}
