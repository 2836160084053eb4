import { Failure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import type { Moment } from '../operations/moment.ts'
import type { OperationStore } from '../operations/store.ts'
import type { PreparedOrder } from './order.ts'
import { OrderTable } from './orders.ts'
import { getOrderStatus, type OrderStatus } from './state.ts'

export type Decision = 'approve' | 'decline'

/** Why it is too late to approve or decline an order, keyed by the order's state. */
const TOO_LATE: Readonly<Partial<Record<OrderStatus['state'], string>>> = {
  pending: 'is being sent',
  unknown: 'was sent, and its outcome is unknown',
  done: 'was done',
  refused: 'was refused',
  expired: 'has expired',
}

/**
 * Returns an order that a person can approve or decline. `isNew` is false if the same decision is already stored.
 * Throws NOT_FOUND, or USAGE if it is too late.
 */
export function findUndecided(
  store: OperationStore,
  handle: string,
  decision: Decision,
  now: Moment,
): { readonly order: PreparedOrder; readonly isNew: boolean } {
  const { order, state } = getOrderStatus(store, handle, { now, approveUpTo: null })
  const isDeclined = state === 'declined'
  const late = isDeclined && decision === 'approve' ? 'was declined' : TOO_LATE[state]
  if (late !== undefined)
    throw new Failure('USAGE', `order ${handle} ${late}; nothing was changed`, {
      hint:
        state === 'pending' || state === 'unknown' || state === 'done'
          ? `see the write: ${formatCommand`operations list --once ${handle}`}`
          : 'ask the agent to prepare it again',
    })
  return { order, isNew: decision === 'approve' ? order.approvedAt === null : !isDeclined }
}

/** Records a person's decision on an order. Sends nothing. Throws NOT_FOUND, or USAGE if it is too late. */
export function decide(store: OperationStore, handle: string, decision: Decision, now: Moment): PreparedOrder {
  const orders = new OrderTable(store.table)
  // Throw the failure outside the transaction, which would convert USAGE to INTERNAL.
  const decided = orders.transaction(() => {
    try {
      const { order, isNew } = findUndecided(store, handle, decision, now)
      const at = decision === 'approve' ? { approvedAt: now.wallMs } : { declinedAt: now.wallMs }
      return isNew ? orders.put({ ...order, ...at }) : order
    } catch (error) {
      if (error instanceof Failure) return error
      throw error
    }
  })
  if (decided instanceof Failure) throw decided
  return decided
}
