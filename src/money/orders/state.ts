import type { Failure } from '../../base/failure/failure.ts'
import { type JsonValue, parseExact } from '../../base/json/exact.ts'
import { getLiveness } from '../../base/storage/owner.ts'
import { CANCEL } from '../giftcards.ts'
import { type KeyRow, KeyTable } from '../once/keys.ts'
import { parseReceipt } from '../once/receipt.ts'
import { leastElapsedMs, type Moment } from '../operations/moment.ts'
import { type Operation, SAID_BY_USER } from '../operations/operation.ts'
import { mayBeInProgress, wasNeverSent } from '../operations/settling.ts'
import type { OperationStore } from '../operations/store.ts'
import { SALE } from '../sales.ts'
import { isExpired, type PreparedOrder } from './order.ts'
import { OrderTable } from './orders.ts'
import { parseRefusal } from './refusal.ts'

/** The state of an order and its result. */
export type OrderStatus = { readonly order: PreparedOrder } & (
  | { readonly state: 'prepared' | 'needs-approval' | 'declined' | 'expired' }
  /** A `pending` order is being sent. An `unknown` order might have taken effect. `operation` is the operation's ID. */
  | { readonly state: 'pending' | 'unknown'; readonly operation: string }
  | { readonly state: 'refused'; readonly error: Failure }
  | DoneOrder
)

interface DoneOrder {
  readonly state: 'done'
  readonly operation: string
  /** The service's response or the members that the command prints instead. `null` if the response was lost. */
  readonly answer: JsonValue
  /** The kind of evidence that the order took effect, or `null` if the service responded. `evidence` has details. */
  readonly how: 'balance' | 'status' | 'sale' | 'person' | null
  readonly evidence: string | null
}

/** Returns the state of an order. Reads only this machine's record. Throws NOT_FOUND. */
export function getOrderStatus(
  store: OperationStore,
  handle: string,
  { now, approveUpTo }: { readonly now: Moment; readonly approveUpTo: bigint | null },
): OrderStatus {
  const order = new OrderTable(store.table).get(handle)
  const row = new KeyTable(store.table).find(order.service, handle)
  if (row?.state === 'done') return { order, ...describeDone(row) }
  const operation = row?.state === 'open' ? store.find(row.operation) : null
  if (operation !== null && !wasNeverSent(operation, now))
    return { order, state: isBeingSent(operation, now) ? 'pending' : 'unknown', operation: operation.id }
  if (order.refusal !== null) return { order, state: 'refused', error: parseRefusal(order.refusal) }
  if (order.declinedAt !== null) return { order, state: 'declined' }
  if (isExpired(order, now.wallMs)) return { order, state: 'expired' }
  return { order, state: isApproved(order, approveUpTo) ? 'prepared' : 'needs-approval' }
}

/** Returns whether an order was approved or needs no approval. A person must always approve a cancellation. */
export function isApproved({ approvedAt, command, counted }: PreparedOrder, approveUpTo: bigint | null): boolean {
  if (approvedAt !== null) return true
  return approveUpTo !== null && counted !== null && command !== CANCEL && counted <= approveUpTo
}

/** Returns whether a write might be in progress in this process or in another one. */
function isBeingSent(operation: Operation, now: Moment): boolean {
  const { owner, over, sent, attemptMs } = operation
  if (getLiveness(owner) !== 'this-process') return mayBeInProgress(operation, now)
  return over === null && (sent === null || leastElapsedMs(sent, now) <= attemptMs)
}

function describeDone({ operation, command, receipt, how }: KeyRow): DoneOrder {
  const known = receipt === null ? null : parseReceipt(receipt)
  const text = known?.answer?.text ?? ''
  const isAnswered = text !== '' || how === null
  const answer = text === '' ? (isAnswered ? (known?.own ?? null) : null) : parseExact(text)
  const told = how === SAID_BY_USER ? 'person' : command === SALE ? 'sale' : command === CANCEL ? 'status' : 'balance'
  return { state: 'done', operation, answer, how: isAnswered ? null : told, evidence: how }
}
