import { centsOf } from '../amount.ts'
import { describeOperation, type ShownOperation } from '../operations/describe.ts'
import type { OperationStore } from '../operations/store.ts'
import { ANSWERED, type OperationFilter } from '../operations/table.ts'
import { type KeyRow, KeyTable } from './keys.ts'

/** Yields the sent operations in printed form, newest first. */
export function* describeAll(store: OperationStore, only: OperationFilter = {}) {
  const keys = new KeyTable(store.table).byOperation()
  for (const operation of store.list(only)) yield describeOperation(operation, keys.get(operation.id) ?? null)
}

const STATES = { open: 'open', done: 'applied', free: 'not-applied' } as const

/** Returns the last operation of a key at each service, newest first. */
export function operationsOfKey(store: OperationStore, key: string): ShownOperation[] {
  return new KeyTable(store.table).findEverywhere(key).map((row) => shownOperation(store, row))
}

/** Returns an operation and its key, or `null` if it has no key. Works even if the operation is no longer stored. */
export function operationWithKey(store: OperationStore, id: string): { operation: ShownOperation; key: string } | null {
  const row = new KeyTable(store.table).findOperation(id)
  return row && { operation: shownOperation(store, row), key: row.key }
}

function shownOperation(store: OperationStore, row: KeyRow): ShownOperation {
  const { command, target, amount, profile, service, startedAt, endedAt } = row
  const stored = store.find(row.operation)
  const how = row.how ?? (row.state === 'done' ? ANSWERED : null)
  return {
    ...{
      owner: stored?.owner,
      id: row.operation,
      command,
      target,
      profile,
      service,
      startedAt,
      before: stored?.before ?? null,
    },
    ...{ cents: amount === null ? null : centsOf(amount), state: STATES[row.state], how },
    ended: endedAt === null ? null : { wallMs: endedAt },
  }
}
