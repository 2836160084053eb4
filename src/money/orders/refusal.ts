import { Failure } from '../../base/failure/failure.ts'
import { parseJson } from '../../base/json/parse.ts'
import { KeyTable } from '../once/keys.ts'
import type { OperationStore } from '../operations/store.ts'
import { OverCap } from './cap.ts'
import { OrderTable } from './orders.ts'

/**
 * The failure codes with which the service refuses an order permanently. After any other failure, a retry can succeed.
 */
const REFUSALS = ['BUSINESS_FAILURE', 'CONFLICT', 'NOT_FOUND', 'REJECTED']

/** Returns whether a failure means that its order is refused permanently. */
function isRefusal(failure: Failure): boolean {
  if (failure instanceof OverCap) return true
  return failure.outcome === 'not-applied' && failure.request !== undefined && REFUSALS.includes(failure.code)
}

/**
 * Stores why an order was refused, unless the order can be sent again or might have taken effect. `hide` removes
 * secrets.
 */
export function storeRefusal(
  store: OperationStore,
  handle: string,
  error: unknown,
  hide: (text: string) => string,
): void {
  if (!(error instanceof Failure) || !isRefusal(error)) return
  const orders = new OrderTable(store.table)
  orders.transaction(() => {
    const order = orders.get(handle)
    const state = new KeyTable(store.table).find(order.service, handle)?.state ?? 'free'
    if (state !== 'free') return
    const { code, words, lines, said, hint, request, outcome, details } = error
    const failure = { code, words, lines, said, hint, request, outcome, details }
    const hidden = (_name: string, value: unknown) => (typeof value === 'string' ? hide(value) : value)
    orders.put({ ...order, refusal: JSON.stringify(failure, hidden) })
  })
}

/** Parses a failure that {@link storeRefusal} stored. */
export function parseRefusal(refusal: string): Failure {
  const { code, words, ...detail } = parseJson(refusal) as Failure
  return new Failure(code, words, detail)
}
