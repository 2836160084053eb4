import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { endOfDay, startOfDay } from '../../base/time/zone.ts'
import { isSameService } from '../../client/same-service.ts'
import { centsOf, sizeOf, sumOf } from '../amount.ts'
import { type KeyRow, KeyTable } from '../once/keys.ts'
import type { Moment } from '../operations/moment.ts'
import type { Operation } from '../operations/operation.ts'
import { wasNeverSent } from '../operations/settling.ts'
import type { OperationStore } from '../operations/store.ts'
import { checkCap } from './cap.ts'
import { HANDLE_PREFIX, isExpired, type OrderMode, type PreparedOrder } from './order.ts'
import { OrderTable } from './orders.ts'
import { parseRefusal } from './refusal.ts'
import { isApproved } from './state.ts'

/** Thrown if a person must approve an order before it is sent. */
export class ApprovalRequired extends Failure {
  constructor(handle: string) {
    super('USAGE', 'a person must approve this order first; nothing was sent', {
      hint: `at a terminal, run: ${formatCommand`operations approve ${handle}`}`,
      outcome: 'not-applied',
      details: { approve: handle },
    })
  }
}

type Limits = Extract<OrderMode, { kind: 'commit' }> & {
  readonly zone: string | null
  /** This machine's operations whose outcome might be missing from the ledger. `null` if no ledger is used. */
  readonly pending: { has(operation: string): boolean } | null
}

/** A claim of an order. `known` is the row of the order's key before the claim, or `null` if there is none. */
interface Claim {
  readonly operation: Operation
  readonly known: KeyRow | null
  readonly fingerprint: string
  readonly now: Moment
}

/**
 * Checks that an order is allowed to be sent. Must run in the transaction that claims it. Skips most checks for a
 * repeated attempt. Throws NOT_FOUND, USAGE, {@link ApprovalRequired}, `OverCap`, or the stored refusal.
 */
export function checkLimits(store: OperationStore, limits: Limits, claim: Claim): void {
  const { operation, known, fingerprint, now } = claim
  const order = new OrderTable(store.table).get(limits.handle)
  if (!isSameService(order.service, operation.service))
    throw notSent(`the order was prepared for ${order.facts.host}, not for this service`)
  if (order.fingerprint !== fingerprint) throw notSent('the order was prepared with different values')
  if (known?.operation === operation.id) return
  if (order.refusal !== null) throw parseRefusal(order.refusal)
  if (order.declinedAt !== null) throw notSent('a person declined this order')
  if (isExpired(order, now.wallMs))
    throw notSent(`the order expired at ${new Date(order.expiresAt).toISOString()}`, 'prepare it again')
  if (!isApproved(order, limits.approveUpTo)) throw new ApprovalRequired(order.handle)
  const { perDay, zone, pending } = limits
  if (perDay === null) return
  const day = [startOfDay(now.wallMs, zone), endOfDay(now.wallMs, zone)] as const
  checkCap({ counted: order.counted, perDay, zone }, sumOfDay(store, order, { day, now, pending }))
}

interface Day {
  /** The first and the last millisecond of the day. */
  readonly day: readonly [number, number]
  readonly now: Moment
  readonly pending: Limits['pending']
}

/**
 * Returns how many cents the orders at the same service moved on a day. Counts every claimed order, unless it
 * definitely was not sent or did not take effect.
 */
function sumOfDay(store: OperationStore, { service }: PreparedOrder, { day, now, pending }: Day): bigint {
  const orders = new OrderTable(store.table)
  const counted = new KeyTable(store.table).findStarted(service, HANDLE_PREFIX, day).flatMap((row) => {
    const operation = row.state === 'open' ? store.find(row.operation) : null
    const isSent = row.state === 'done' || (operation !== null && !wasNeverSent(operation, now))
    if (!isSent) return []
    const order = orders.find(row.key)
    // The order was prepared on another machine. The ledger counts it, because the local row might be out of date.
    if (order === null && pending !== null) return []
    // The ledger has not accepted this claim yet. If it does, it counts the order itself.
    if (operation?.phase === 'claimed' && pending?.has(operation.id)) return []
    return order?.counted ?? sizeOf(centsOf(row.amount ?? '') ?? 0n)
  })
  return sumOf(counted)
}

function notSent(what: string, hint?: string): Failure {
  const { code, words } = usageFailure([`${what}; nothing was sent`])
  return new Failure(code, words, { hint, outcome: 'not-applied' })
}
