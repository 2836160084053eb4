import { getLiveness, type Owner } from '../../base/storage/owner.ts'
import { type KeyRow, KeyTable } from '../once/keys.ts'
import type { Moment } from '../operations/moment.ts'
import type { Row } from '../operations/row.ts'
import type { OperationTable } from '../operations/table.ts'

/** A row of the ledger's operations. Times are epoch milliseconds on the database's clock. */
export interface LedgerOperation
  extends Pick<Row, 'id' | 'command' | 'target' | 'profile' | 'state' | 'phase' | 'forced'> {
  readonly service: string
  readonly cents: number | null
  readonly host: string
  readonly pid: number
  readonly run: string
  readonly epoch: number
  readonly attempt_ms: number
  readonly claimed_ms: number
  readonly first_sent_ms: number | null
  readonly sent_ms: number | null
  readonly over_ms: number | null
  readonly ended_ms: number | null
  readonly before: string | null
  readonly how: string | null
  readonly claimed_step: number
  readonly sent_step: number | null
  readonly ended_step: number | null
}

/** A row of the ledger's keys. */
export interface LedgerKey
  extends Pick<KeyRow, 'key' | 'fingerprint' | 'command' | 'target' | 'amount' | 'profile' | 'operation'> {
  readonly service: string
  readonly started_ms: number
  readonly receipt: string | null
  readonly state: KeyRow['state']
  readonly how: string | null
  readonly ended_ms: number | null
}

/** SQL conditions for the rows to read. `moved` is an expression for the amount, in cents, that orders moved. */
export type Looked = { readonly operations: string; readonly keys: string; readonly moved?: string | undefined }

/** The rows of the ledger for a card, a sale, a key or an operation. */
export interface Found {
  /** The database's current time in epoch milliseconds. */
  readonly now: number
  /** The ledger's format and the oldest compatible format. `null` or malformed if the ledger is damaged. */
  readonly version: readonly [format: number, oldest: number] | null
  readonly operations: readonly LedgerOperation[]
  readonly keys: readonly LedgerKey[]
  /** The total, in cents, that other orders moved today, or `null` if it was not requested. */
  readonly moved: string | null
}

export interface ImportOptions {
  readonly now: Moment
  /** Converts a service's name in the ledger to its name on this machine. */
  readonly localService: (name: string) => string
  /** Returns the last epoch that this machine knows for an operation. Each takeover starts a new epoch. */
  readonly knownEpoch: (id: string) => number
}

/**
 * Copies rows of the ledger to this machine's record, so that all readers of the record see other machines' writes. For
 * this machine's own writes, copies only the outcome, unless another machine has taken them over.
 */
export function importFound(
  table: OperationTable,
  { now: theirNow, operations, keys }: Found,
  { now, localService, knownEpoch }: ImportOptions,
): void {
  const ageOf = (ms: number) => theirNow - ms
  const wallAt = (ms: number) => Math.round(now.wallMs - ageOf(ms))
  const momentAt = (ms: number | null): Moment | null =>
    ms === null ? null : { wallMs: wallAt(ms), monotonicMs: Math.round(now.monotonicMs - ageOf(ms)), boot: now.boot }
  const keyTable = new KeyTable(table)
  table.transaction(() => {
    for (const one of operations) {
      const local = table.row(one.id)
      // Another process has recorded the outcome since the ledger was read.
      if (local !== null && local.state !== 'open' && one.state === 'open') continue
      const isTakenOver = local?.state === 'open' && one.state === 'open' && one.epoch > knownEpoch(one.id)
      if (local !== null && local.owner.otherHost === undefined && !isTakenOver) {
        if (local.state === 'open' && one.state !== 'open')
          table.put({
            ...local,
            state: one.state,
            how: one.how,
            ended: momentAt(one.ended_ms),
            endedStep: one.ended_step,
          })
        continue
      }
      const startedAt = local?.startedAt ?? wallAt(one.claimed_ms)
      const intent = { command: one.command, service: localService(one.service), target: one.target }
      const cents = one.cents === null ? null : BigInt(one.cents)
      table.put({
        ...{ id: one.id, ...intent, cents, profile: one.profile, state: one.state },
        ...{ phase: one.phase, startedAt, owner: ownerOf(one), attemptMs: one.attempt_ms },
        ...{ firstSent: momentAt(one.first_sent_ms), sent: momentAt(one.sent_ms), over: momentAt(one.over_ms) },
        ...{
          before: one.before,
          how: one.how,
          ended: local?.ended ?? momentAt(one.ended_ms),
          forced: one.forced || hasOtherOpen(table, { id: one.id, ...intent, cents }),
        },
        ...{ claimedStep: one.claimed_step, sentStep: one.sent_step, endedStep: one.ended_step },
      })
    }
    for (const one of keys) {
      const service = localService(one.service)
      const local = keyTable.find(service, one.key)
      if (local?.state === 'done' && (local.receipt !== null || one.state !== 'done')) continue
      if (local !== null && local.operation !== one.operation && isBeingClaimed(table, local.operation)) continue
      // Keep the outcome that this machine has recorded but the ledger has not received yet.
      if (local?.operation === one.operation && one.state === 'open' && isSettled(table, one.operation)) continue
      const { key, fingerprint, command, target, amount, profile, operation, receipt, state, how } = one
      // The ledger deletes a claim that was never sent, but does not free its key until the key is used again.
      const isDropped = state === 'open' && table.row(operation) === null
      const endedMs = one.ended_ms ?? (isDropped ? theirNow : null)
      keyTable.put({
        ...{ service: local?.service ?? service, key, fingerprint, command, target, amount, profile, operation },
        ...{ receipt, state: isDropped ? 'free' : state, how, startedAt: wallAt(one.started_ms) },
        endedAt: endedMs === null ? null : wallAt(endedMs),
      })
    }
  })
}

/** Removes open writes of other machines from this machine's record if the ledger no longer contains them. */
export function removeGone(rows: readonly Row[], table: OperationTable, { operations }: Found): void {
  const known = new Set(operations.map((one) => one.id))
  table.transaction(() => {
    for (const row of rows)
      if (row.owner.otherHost !== undefined && row.state === 'open' && !known.has(row.id)) table.remove(row.id)
  })
}

/** Returns whether this machine has stored an identical open write that the ledger might not contain. */
function hasOtherOpen(
  table: OperationTable,
  { id, command, service, target, cents }: Pick<Row, 'id' | 'command' | 'service' | 'target' | 'cents'>,
): boolean {
  return table
    .rowsOn(service, target)
    .some((row) => row.id !== id && row.state === 'open' && row.command === command && row.cents === cents)
}

function isSettled(table: OperationTable, operation: string): boolean {
  const row = table.row(operation)
  return row !== null && row.state !== 'open'
}

/** Returns whether a process on this machine is about to claim a write and its key in the ledger. */
function isBeingClaimed(table: OperationTable, operation: string): boolean {
  const row = table.row(operation)
  if (row?.state !== 'open' || row.phase !== 'claimed' || row.owner.otherHost !== undefined) return false
  return getLiveness(row.owner) !== 'gone'
}

function ownerOf({ host, pid }: LedgerOperation): Owner {
  return { pid, born: null, boot: null, pidNamespace: null, otherHost: host }
}
