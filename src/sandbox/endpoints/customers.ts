import { findCustomer, fullName, putCustomer, readCustomer, WALK_IN_CUSTOMER } from '../records/customers.ts'
import { stampChange } from '../records/stamp.ts'
import type { Handlers } from './handler.ts'
import { readOrder, readPageRange, readQueryInstant, toPage } from './query.ts'

export const CUSTOMER_HANDLERS = {
  /**
   * GET /Customers. Sorts customers by the time of their last change and omits the placeholder customer for walk-ins.
   */
  'customers.list': ({ store, query, refuse }) => {
    const range = readPageRange(query)
    const order = readOrder(query, 'Sort')
    const from = readQueryInstant(query, 'DateUpdatedStart', () => refuse('invalidDate')) ?? 0
    const to = readQueryInstant(query, 'DateUpdatedEnd', () => refuse('invalidDate')) ?? Number.MAX_SAFE_INTEGER
    const id = query.get('CustomerId')
    const rows = store.all(
      `SELECT document FROM customers WHERE modified BETWEEN ? AND ? AND id <> ? AND (? IS NULL OR id = ?)
       ORDER BY modified ${order}, rank ${order} LIMIT ? OFFSET ?`,
      ...[from, to, WALK_IN_CUSTOMER.id, id, id, range.limit, range.start],
    )
    const items = rows.map(readCustomer).map((customer) => ({ ...customer, fullName: fullName(customer) }))
    return { status: 200, body: toPage(range, items) }
  },

  /** POST /Customers/{id}/unsubscribe. Repeating the request changes nothing. */
  'customers.unsubscribe': ({ store, parameters: { id }, now, refuse }) => {
    const customer = id === WALK_IN_CUSTOMER.id ? undefined : findCustomer(store, id)
    if (!customer) throw refuse('notFound', { id })
    if (customer.subscribed) {
      const modified = stampChange(store, Date.parse(customer.lastModifiedDate), now)
      putCustomer(store, { ...customer, subscribed: false, lastModifiedDate: new Date(modified).toISOString() })
    }
    return { status: 200, body: { id, subscribed: false } }
  },
} satisfies Partial<Handlers>
